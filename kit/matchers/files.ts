import { matches, shown } from './matches.ts';
import type { Verdict } from './verdict.ts';

/** A file that differs since the session’s first message, as `vitrine.workspace.changes()` returns it. */
export interface ChangedFile {
  readonly path: string;
  readonly from?: string;
  readonly kind: 'added' | 'removed' | 'renamed' | 'changed';
}

/** Whether a file is there and its text is, or matches, what is expected. `content` is `undefined` if it is not there. */
export function hasFile(path: string, content: string | undefined, expected?: unknown): Verdict {
  const pass = content !== undefined && (expected === undefined || matches(content, expected));
  const wanted = expected === undefined ? '' : ` with ${shown(expected)}`;
  const found = content === undefined ? 'There is no such file.' : `It has ${shown(content)}.`;
  return {
    pass,
    message: `Expected the workspace ${pass ? 'not ' : ''}to have the file ${path}${wanted}.\n${found}`,
  };
}

/** Whether exactly these files differ since the session’s first message: paths, or regular expressions that each fit one. */
export function hasChanged(files: readonly ChangedFile[], expected: readonly (string | RegExp)[]): Verdict {
  if (!Array.isArray(expected))
    throw new Error(
      `toHaveChanged() takes a list of paths or regular expressions, and not ${shown(expected)}.`,
    );
  const fits = (path: string) => expected.some((each) => matches(path, each));
  const pass =
    files.every(({ path }) => fits(path)) &&
    expected.every((each) => files.some(({ path }) => matches(path, each)));
  const list = files.map(({ path, kind }) => `  ${path} (${kind})`).join('\n') || '  none';
  return {
    pass,
    message:
      `Expected the changed files ${pass ? 'not ' : ''}to be ${expected.map(shown).join(', ') || 'none'}.\n` +
      `Changed since the first message:\n${list}`,
  };
}
