import { accepts } from './answers.ts';
import type { Check } from './checks.ts';
import { faultOf } from '../base/fault.ts';
import { withCommas } from '../base/with-commas.ts';
import { parseScript, type Script } from '../models/script/schema.ts';
import { parseMarkdown } from './markdown.ts';
import { SOURCE_LIMITS, type LessonCard, type LessonStep } from './parts.ts';
import { isCheapPattern } from './patterns.ts';

/** A lesson as it is written, stored and shared: two texts. */
export type LessonSource = {
  /** `lesson.md`: front matter of `key: value` lines, then the steps. */
  readonly markdown: string;
  /** `script.json`: the messages of the scripted model and the files of the workspace. */
  readonly script: string;
};

export interface Lesson extends LessonCard {
  /** Markdown that is shown before the first step. */
  readonly intro: string;
  readonly steps: readonly LessonStep[];
  readonly script: Script;
}

export type ParsedLesson =
  | { readonly ok: true; readonly lesson: Lesson }
  | { readonly ok: false; readonly problems: readonly string[] };

const MOST_FILES = 100;
const MOST_TURNS = 100;

/** Parses a lesson from any author and reports everything that is wrong with it, by line or field. */
export function parseLesson(source: LessonSource): ParsedLesson {
  const problems: string[] = [];
  for (const [name, limit] of [
    ['markdown', SOURCE_LIMITS.markdown],
    ['script', SOURCE_LIMITS.script],
  ] as const)
    if (source[name].length > limit)
      problems.push(`The ${name} is longer than ${withCommas(limit)} characters.`);
  if (problems.length > 0) return { ok: false, problems };

  const text = parseMarkdown(source.markdown);
  problems.push(...text.problems, ...impossibleChecks(text.steps));
  const script = readScript(source.script, problems);
  if (problems.length > 0 || !script || !text.card) return { ok: false, problems };
  return { ok: true, lesson: { ...text.card, intro: text.intro, steps: text.steps, script } };
}

/** Returns a problem for each check that no learner can meet. */
function impossibleChecks(steps: Lesson['steps']): readonly string[] {
  return steps.flatMap(({ checks }, index) =>
    checks.flatMap((check) => impossibility(check) ?? []).map((problem) => `Step ${index + 1}: ${problem}`),
  );
}

function impossibility(check: Check): string | undefined {
  if (check.kind === 'ask' && check.choices?.every((choice) => !accepts(check.accept, choice)))
    return `"accept" of "${check.ask}" fits none of its choices, so nobody can answer it.`;
  if (check.kind === 'file' && check.gone && check.matches !== undefined)
    return `the check of "${check.file}" has "matches" and "gone"; a file that is gone has no text.`;
  return undefined;
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
  for (const { where, pattern } of patternsIn(script))
    if (!isCheapPattern(pattern))
      problems.push(
        `The script is not valid: ${where}: a lesson's pattern is at most 200 characters long, repeats no group, and has at most one "*", "+" or "{", or else four "?" and branches in groups.`,
      );
  return script;
}

/** The regular expressions of a script, each with its place. */
function patternsIn({ turns }: Script): readonly { readonly where: string; readonly pattern: string }[] {
  return turns.flatMap(({ when, steps }, turn) => {
    const ofCases = steps.flatMap(({ cases = [] }, step) =>
      cases.flatMap(({ if: condition = {} }, at) => {
        const { prompt, result, system } = condition;
        return Object.entries({ prompt, result, system }).map(([name, pattern]) => ({
          where: `turns[${turn}].steps[${step}].cases[${at}].if.${name}`,
          pattern,
        }));
      }),
    );
    return [{ where: `turns[${turn}].when`, pattern: when }, ...ofCases].flatMap(({ where, pattern }) =>
      pattern === undefined ? [] : { where, pattern },
    );
  });
}
