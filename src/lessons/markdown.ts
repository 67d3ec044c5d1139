import { parseCheck, type Check } from './checks.ts';
import { parseHead } from './head.ts';
import type { LessonCard, LessonStep } from './parts.ts';

export interface ParsedMarkdown {
  readonly card?: LessonCard;
  readonly intro: string;
  readonly steps: readonly LessonStep[];
  readonly problems: readonly string[];
}

const MOST_STEPS = 40;
const MOST_CHECKS = 12;

interface Block {
  readonly title: string;
  readonly line: number;
  readonly text: string[];
  readonly after: string[];
  readonly prompts: string[];
  readonly hints: string[];
  readonly checks: Check[];
  smallModel?: string;
}

/**
 * Parses a lesson's text. Each second-level heading begins a step. Fenced blocks named `prompt`, `hint`, `check` and
 * `small-model` are taken out of the text; all others stay. The text after the first prompt is kept separately.
 */
export function parseMarkdown(markdown: string): ParsedMarkdown {
  const lines = markdown.replace(/^\uFEFF/, '').split(/\r?\n/);
  const head = parseHead(lines);
  const problems = [...head.problems];
  const intro = block('', 0);
  const blocks: Block[] = [];
  let index = head.end;

  while (index < lines.length) {
    const line = lines[index] ?? '';
    const number = index + 1;
    const into = blocks.at(-1) ?? intro;
    const text = into.prompts.length > 0 ? into.after : into.text;
    const [, fence, name = ''] = /^(`{3,}|~{3,})\s*([\w-]*)$/.exec(line.trimEnd()) ?? [];
    index++;
    if (fence === undefined) {
      const title = /^##\s/.test(line) ? line.slice(2).trim() : '';
      if (title === '') text.push(line);
      else blocks.push(block(title, number));
      continue;
    }
    const inside: string[] = [];
    while (index < lines.length && lines[index]?.trim() !== fence) inside.push(lines[index++] ?? '');
    if (index === lines.length) problems.push(`Line ${number}: the block "${name}" is not closed.`);
    index++;
    if (!isLessonBlock(name)) text.push(line, ...inside, fence);
    else if (into === intro)
      problems.push(`Line ${number}: the block "${name}" comes before the first step.`);
    else addBlock(name, inside, number, into, problems);
  }

  if (blocks.length === 0) problems.push('The lesson has no steps. Each step begins with a line "## …".');
  if (blocks.length > MOST_STEPS) problems.push(`The lesson has more than ${MOST_STEPS} steps.`);
  for (const { checks, title, line } of blocks)
    if (checks.length > MOST_CHECKS)
      problems.push(`Line ${line}: the step "${title}" has more than ${MOST_CHECKS} checks.`);
  return {
    ...(head.card && { card: head.card }),
    intro: joined(intro.text),
    steps: blocks.map(({ title, text, after, prompts, hints, checks, smallModel }) => ({
      title,
      text: joined(text),
      after: joined(after),
      prompts,
      hints,
      checks,
      ...(smallModel !== undefined && { smallModel }),
    })),
    problems,
  };
}

type LessonBlock = 'prompt' | 'hint' | 'check' | 'small-model';

/** A recording that comes with the app, or one on a server. */
const RECORDING = /^(?:examples\/[\w.-]+|https:\/\/\S+)$/;

function isLessonBlock(name: string): name is LessonBlock {
  return name === 'prompt' || name === 'hint' || name === 'check' || name === 'small-model';
}

function addBlock(
  name: LessonBlock,
  inside: readonly string[],
  line: number,
  into: Block,
  problems: string[],
): void {
  const text = joined(inside);
  if (text === '') problems.push(`Line ${line}: the block "${name}" is empty.`);
  else if (name === 'prompt') into.prompts.push(text);
  else if (name === 'hint') into.hints.push(text);
  else if (name === 'small-model') {
    if (RECORDING.test(text)) into.smallModel = text;
    else problems.push(`Line ${line + 1}: "${text.slice(0, 60)}" is not the https address of a recording.`);
  } else
    for (const [offset, each] of inside.entries()) {
      if (each.trim() === '') continue;
      const parsed = parseCheck(each);
      if ('check' in parsed) into.checks.push(parsed.check);
      else problems.push(`Line ${line + 1 + offset}: ${parsed.problem}.`);
    }
}

function block(title: string, line: number): Block {
  return { title, line, text: [], after: [], prompts: [], hints: [], checks: [] };
}

function joined(lines: readonly string[]): string {
  return lines.join('\n').trim();
}
