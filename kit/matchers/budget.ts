import type { Facts } from '../facts/events.ts';
import { shown } from './matches.ts';
import { verdict, type Verdict } from './verdict.ts';

/** Upper limits for the last turn; what is left out is not limited. */
export interface Budget {
  readonly steps?: number;
  /** Input and output tokens, as the provider counted them. */
  readonly tokens?: number;
  /** US dollars. */
  readonly cost?: number;
  /** Milliseconds from the start of the turn to its end. */
  readonly ms?: number;
}

/** Whether the last turn ended by itself within its limits. Throws where they limit nothing. */
export function hasFinishedWithin({ turns }: Facts, budget: Budget): Verdict {
  const turn = turns.at(-1);
  const limits = Object.entries(budget).filter(
    (limit): limit is [keyof Budget, number] => limit[1] !== undefined,
  );
  const isLimit = ([name, limit]: readonly [string, unknown]) =>
    Object.hasOwn(UNITS, name) && typeof limit === 'number' && !Number.isNaN(limit);
  if (limits.length === 0 || !limits.every(isLimit))
    throw new Error(
      `toFinishWithin() takes numbers for one or more of ${Object.keys(UNITS).join(', ')}, and not ${shown(budget)}.`,
    );
  const pass =
    turn !== undefined && turn.status === 'idle' && limits.every(([name, limit]) => turn[name] <= limit);
  const wanted = limits.map(([name, limit]) => `${limit} ${UNITS[name]}`).join(', ');
  const happened = turn
    ? [
        `status ${turn.status}`,
        ...(Object.keys(UNITS) as (keyof Budget)[]).map((name) => `${turn[name]} ${UNITS[name]}`),
      ]
    : [];
  return verdict(pass, `finish its last turn within ${wanted}`, happened);
}

const UNITS: Readonly<Record<keyof Budget, string>> = {
  steps: 'steps',
  tokens: 'tokens',
  cost: 'US dollars',
  ms: 'ms',
};
