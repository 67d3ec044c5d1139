import type * as z from 'zod';
import type { MutableContents } from './contents.ts';
import { MAX_PROBLEMS, problemAt, type ConfigDocument, type Problem } from './parse.ts';
import { isMeantForRules } from './rules.ts';

/** Limits the problems of one file to a number that people still read. */
export function limitProblems(file: string, before: number, problems: Problem[]): void {
  const left = problems.splice(before + MAX_PROBLEMS).length;
  if (left === 0) return;
  problems.push({ file, what: `${left} more problems are not shown.`, next: 'Fix the ones above first.' });
}

/** We do not know what an unreadable file denies, so everything asks. */
export function askForEverything(found: MutableContents, problem: Problem): void {
  found.problems.push(problem);
  found.closing.push({ permission: '*', pattern: '*', action: 'ask', file: problem.file });
}

export function reportUnknownKeys(
  file: string,
  written: ConfigDocument,
  path: readonly string[],
  known: readonly string[],
  found: MutableContents,
): void {
  for (const key of written.keys(path)) {
    // The reader of rules reports a key that is meant for them, and says more about it.
    if (known.includes(key) || isMeantForRules(key)) continue;
    found.problems.push(
      problemAt(
        file,
        written.line([...path, key]),
        `"${[...path, key].join('.')}" has no effect here.`,
        'You can leave it for other programs.',
      ),
    );
  }
}

export function report(
  file: string,
  written: ConfigDocument,
  path: readonly string[],
  why: string | undefined,
  found: MutableContents,
): void {
  found.problems.push(
    problemAt(
      file,
      written.line(path) ?? written.line(path.slice(0, -1)),
      `${path.join('.') || 'The front matter'} cannot be used${why === undefined ? '' : `: ${why}`}.`,
      'It is ignored until that is fixed.',
    ),
  );
}

export function reportInvalid(
  file: string,
  written: ConfigDocument,
  path: readonly string[],
  { issues: [issue] }: z.ZodError,
  found: MutableContents,
): void {
  report(file, written, [...path, ...(issue?.path ?? []).map(String)], issue?.message, found);
}
