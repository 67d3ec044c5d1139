import type { Script } from '../../models/types.ts';

type ScriptStep = Script['turns'][number]['steps'][number];
export type ScriptAnswer = NonNullable<ScriptStep['cases']>[number];

/** Patterns of the results of calls that did what they should. The result of a refused or failed call matches none of them. */
export const DONE = {
  write: '^(Created|Wrote) ',
  edit: '^Edited ',
  /** The preview tells which page it shows, and nothing of the kind where it was refused. */
  preview: '(^|\n)Page: ',
} as const;

/** A step that goes on where a result of the calls before it matches, and ends the turn with these words otherwise. */
export function onlyIf(result: string, then: ScriptAnswer, otherwise: string): ScriptStep {
  return { cases: [{ ...then, if: { result } }, { text: otherwise }] };
}
