import { Fatal } from './fatal.ts';
import type { Git } from './git.ts';
import type { Repo } from './repo.ts';

/** Takes away blanks at line ends and blank lines around and between paragraphs; also comments where asked to. */
export function cleanMessage(text: string, mode: 'strip' | 'whitespace' | 'verbatim'): string {
  if (mode === 'verbatim') return text;
  const scissors = text.indexOf('# ------------------------ >8 ------------------------\n');
  const lines = (scissors >= 0 && mode === 'strip' ? text.slice(0, scissors) : text)
    .split('\n')
    .map((line) => line.trimEnd());
  const kept = mode === 'strip' ? lines.filter((line) => !line.startsWith('#')) : lines;
  const joined = kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');
  return joined === '' ? '' : `${joined}\n`;
}

/** The lines of a message without blanks at their ends, and without blank lines around them. */
export function linesOf(message: string): string[] {
  const text = message.replace(/[ \t\r]+$/gm, '').replace(/^\n+|\n+$/g, '');
  return text === '' ? [] : text.split('\n');
}

/** The lines of the first paragraph, whose indentation stays. */
export function firstParagraph(message: string): string[] {
  const lines = linesOf(message);
  const end = lines.indexOf('');
  return end < 0 ? lines : lines.slice(0, end);
}

/** The first paragraph as one line. */
export function subjectOf(message: string): string {
  return firstParagraph(message).join(' ');
}

const BLANK_LINES = /^(?:[ \t\r]*\n)+/;

export function bodyOf(message: string): string {
  const text = message.replace(BLANK_LINES, '');
  const gap = /\n[ \t\r]*\n/.exec(text);
  return gap ? text.slice(gap.index + gap[0].length).replace(BLANK_LINES, '') : '';
}

/** Lets the editor that is configured change a text. There is none by default, which is an error with a way out. */
export async function edited(
  git: Git,
  repo: Repo,
  file: string,
  text: string,
  instead: string,
): Promise<string> {
  const editor =
    git.env('GIT_EDITOR') ?? repo.config.get('core.editor') ?? git.env('VISUAL') ?? git.env('EDITOR');
  if (editor === undefined || editor === '')
    throw new Fatal(
      `there is no editor here: ${instead}\n(GIT_EDITOR and core.editor name a command that changes the file it is given.)`,
      1,
      'error: ',
    );
  await repo.writeState(file, text);
  if (editor !== ':') {
    await git.finish();
    const status = await git.call.run(['sh', '-c', `${editor} "$@"`, editor, `${repo.gitdir}/${file}`]);
    if (status !== 0)
      throw new Fatal(
        `There was a problem with the editor '${editor}'.\nPlease supply the message using either -m or -F option.`,
        1,
        'error: ',
      );
  }
  return (await repo.readState(file)) ?? '';
}

/** Adds `Signed-off-by` and the like to the end of a message, in a block of such lines. */
export function withTrailers(message: string, trailers: readonly string[]): string {
  let text = message.trimEnd();
  for (const trailer of trailers) {
    const lines = text.split('\n');
    if (lines.at(-1) === trailer) continue;
    const isBlock = lines.length > 1 && /^[A-Za-z][\w-]*: /.test(lines.at(-1) ?? '') && text.includes('\n\n');
    text = text === '' ? `\n\n${trailer}` : `${text}${isBlock ? '\n' : '\n\n'}${trailer}`;
  }
  return `${text}\n`;
}
