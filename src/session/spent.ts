import type { Spent } from './events.ts';
import { addUsage } from './reduce.ts';
import type { SessionState } from './state.ts';

/** What the session itself came to. */
export function ownSpent({
  usage,
  cost,
  unpriced,
}: Pick<SessionState, 'usage' | 'cost' | 'unpriced'>): Spent {
  return { usage, ...(cost !== undefined && { cost }), ...(unpriced && { unpriced }) };
}

/**
 * With those that worked for it, and for those: what they came to by the end of their work, or, where `live` knows the
 * session, to this moment.
 */
export function spentWithTasks(
  state: SessionState,
  live: (sessionID: string) => SessionState | undefined = () => undefined,
): Spent {
  return state.tasks.reduce((sum, { childID, spent }) => {
    const child = live(childID);
    const theirs = child ? spentWithTasks(child, live) : spent;
    return theirs ? added(sum, theirs) : sum;
  }, ownSpent(state));
}

function added(a: Spent, b: Spent): Spent {
  const cost = a.cost === undefined && b.cost === undefined ? undefined : (a.cost ?? 0) + (b.cost ?? 0);
  return {
    usage: addUsage(a.usage, b.usage),
    ...(cost !== undefined && { cost }),
    ...((a.unpriced || b.unpriced) && { unpriced: true }),
  };
}
