import { faultOf } from '../base/fault.ts';
import { parseScript, type Script } from '../models/script/schema.ts';
import type { Check } from './checks.ts';
import { parseMarkdown } from './markdown.ts';
import { isCheapPattern } from './patterns.ts';

/** A lesson as it is written, kept and shared: two texts. */
export type LessonSource = {
  /** `lesson.md`: a head of `key: value` lines, then steps. */
  readonly markdown: string;
  /** `script.json`: what the scripted model says, and the files of the workspace. */
  readonly script: string;
};

/** What the list of lessons shows. */
export interface LessonCard {
  readonly title: string;
  readonly summary: string;
  readonly minutes: number;
  /** Who answers in the lesson's session: the script, or the learner. */
  readonly model: 'script' | 'you';
}

export interface Lesson extends LessonCard {
  /** Markdown, before the first step. */
  readonly intro: string;
  readonly steps: readonly LessonStep[];
  readonly script: Script;
}

export interface LessonStep {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  /** Messages that the learner may take over. */
  readonly prompts: readonly string[];
  /** Markdown, shown one after another. */
  readonly hints: readonly string[];
  /** All of them; a step without any is left by hand. */
  readonly checks: readonly Check[];
}

export type ParsedLesson =
  | { readonly ok: true; readonly lesson: Lesson }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Characters. What is more is no lesson. */
export const SOURCE_LIMITS = { markdown: 100_000, script: 400_000 } as const;
const MOST_FILES = 100;
const MOST_TURNS = 100;

/** Reads a lesson, from whomever it comes; says everything that is wrong with it, by line or field. */
export function parseLesson(source: LessonSource): ParsedLesson {
  const problems: string[] = [];
  for (const [name, limit] of [
    ['markdown', SOURCE_LIMITS.markdown],
    ['script', SOURCE_LIMITS.script],
  ] as const)
    if (source[name].length > limit)
      problems.push(`The ${name} is longer than ${limit.toLocaleString('en')} characters.`);
  if (problems.length > 0) return { ok: false, problems };

  const text = parseMarkdown(source.markdown);
  problems.push(...text.problems);
  const script = readScript(source.script, problems);
  if (problems.length > 0 || !script || !text.card) return { ok: false, problems };
  return { ok: true, lesson: { ...text.card, intro: text.intro, steps: text.steps, script } };
}

function readScript(text: string, problems: string[]): Script | undefined {
  let script: Script;
  try {
    script = parseScript(text);
  } catch (error) {
    problems.push(faultOf(error).what);
    return undefined;
  }
  if (script.turns.length > MOST_TURNS) problems.push(`The script has more than ${MOST_TURNS} turns.`);
  if (Object.keys(script.files ?? {}).length > MOST_FILES)
    problems.push(`The script has more than ${MOST_FILES} files.`);
  for (const [index, { when }] of script.turns.entries())
    if (when !== undefined && !isCheapPattern(when))
      problems.push(
        `The script is not valid: turns[${index}].when: a lesson's pattern is at most 200 characters long, repeats no group, and has at most one "*", "+" or "{", or else four "?" and branches in groups.`,
      );
  return script;
}
