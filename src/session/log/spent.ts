import type { Spent } from './events.ts';
import { addUsage } from './add-usage.ts';
import type { SessionState } from './state.ts';

/** The usage and cost of the session itself, without its sub-agents. */
export function ownSpent({
  usage,
  cost,
  unpriced,
}: Pick<SessionState, 'usage' | 'cost' | 'unpriced'>): Spent {
  return { usage, ...(cost !== undefined && { cost }), ...(unpriced && { unpriced }) };
}

/**
 * The usage and cost of a session with all of its sub-agents: up to now for sessions that `live` knows,
 * otherwise up to the end of their work.
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
