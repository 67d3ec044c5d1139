import automation from '../../../docs/automation.md?raw';
import teaching from '../../../docs/teaching.md?raw';

/** The documentation of the format of a lesson and its script, as Markdown. */
export const reference = [
  section(teaching, 'The text'),
  section(teaching, 'The script'),
  section(automation, 'Scripts'),
].join('\n');

/** The text from a heading of the second level to the next. */
function section(text: string, title: string): string {
  const lines = text.split('\n');
  const start = lines.indexOf(`## ${title}`);
  if (start < 0) throw new Error(`The documentation has no section "${title}".`);
  // A line in a code block is not a heading, even if it looks like one.
  let code = false;
  const length = lines.slice(start + 1).findIndex((line) => {
    if (line.startsWith('```')) code = !code;
    return !code && line.startsWith('## ');
  });
  return lines.slice(start, length < 0 ? undefined : start + 1 + length).join('\n');
}
