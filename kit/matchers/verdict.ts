import type { Call } from '../facts/events.ts';
import { shown } from './matches.ts';

/** The result of a matcher. The message says what was expected and what happened instead. */
export interface Verdict {
  readonly pass: boolean;
  readonly message: string;
}

/** `expectation` completes the sentence "Expected the agent to …". */
export function verdict(pass: boolean, expectation: string, happened: readonly string[]): Verdict {
  const found = happened.length > 0 ? happened.map((line) => `  ${line}`) : ['  nothing of the kind'];
  return {
    pass,
    message: `Expected the agent ${pass ? 'not ' : ''}to ${expectation}.\nWhat happened:\n${found.join('\n')}`,
  };
}

/** A call that did not run, or failed, is told with what the model read of it. */
export function callLine({ tool, input, outcome, ran, output }: Call): string {
  const failed = outcome === 'failed' ? `: ${shown(output)}` : '';
  const why = ran || outcome === 'running' ? failed : `, so it did not run: ${shown(output)}`;
  return `${tool} ${shown(input)} → ${outcome}${why}`;
}
