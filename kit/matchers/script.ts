import { shown } from './matches.ts';
import type { Verdict } from './verdict.ts';

/** A step of a script that no request has got; both count from 1. */
export interface UnplayedStep {
  readonly turn: number;
  readonly step: number;
  /** The answer that the script has at this step. */
  readonly answer: unknown;
}

/** Whether the agent has asked for every step of its script. */
export function hasPlayedEveryStep(left: readonly UnplayedStep[]): Verdict {
  const lines = left.map(({ turn, step, answer }) => `  turn ${turn}, step ${step}: ${shown(answer)}`);
  return {
    pass: left.length === 0,
    message:
      left.length === 0
        ? 'Expected steps of the script to be left, but every one was played.'
        : `Expected every step of the script to be played. Left over:\n${lines.join('\n')}\n` +
          'Each prompt gets one turn, and a step without tools ends it.',
  };
}
