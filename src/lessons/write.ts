import type { Check } from './checks.ts';
import type { ParsedMarkdown } from './markdown.ts';
import type { LessonCard, LessonStep } from './parts.ts';

/** Writes a lesson's text so that `parseMarkdown` reads the same lesson from it. */
export function writeMarkdown({ card, intro, steps }: Readable): string {
  const head = Object.entries(card).map(([key, value]) => `${key}: ${value}`);
  return `${['---', ...head, '---', '', ...paragraphs(intro), ...steps.flatMap(stepLines)].join('\n').trim()}\n`;
}

type Readable = Pick<ParsedMarkdown, 'intro' | 'steps'> & { readonly card: LessonCard };

function stepLines({
  title,
  text,
  after,
  prompts,
  hints,
  checks,
  smallModel,
}: LessonStep): readonly string[] {
  return [
    `## ${title}`,
    '',
    ...paragraphs(text),
    ...prompts.flatMap((prompt) => block('prompt', prompt)),
    ...paragraphs(after),
    ...hints.flatMap((hint) => block('hint', hint)),
    ...(smallModel === undefined ? [] : block('small-model', smallModel)),
    ...(checks.length > 0 ? block('check', checks.map(checkLine).join('\n')) : []),
  ];
}

function checkLine({ kind: _, ...check }: Check): string {
  return JSON.stringify(check);
}

function paragraphs(text: string): readonly string[] {
  return text === '' ? [] : [text, ''];
}

/** The fence is longer than any in the text. */
function block(name: string, text: string): readonly string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${name}`, text, fence, ''];
}
