import type { Facts } from './events.ts';

/** Says how the last turn ended unless it ended well or still runs. */
export function badEndOf(facts: Facts): string | undefined {
  const { status = 'idle' } = facts.turns.at(-1) ?? {};
  return status === 'idle' || status === 'running' ? undefined : endOf(facts, status);
}

/** Says which permission the agent waits for, if it does. */
export function waitOf({ turns, asks }: Facts): string | undefined {
  const ask =
    turns.at(-1)?.status === 'running' ? asks.findLast(({ reply }) => reply === undefined) : undefined;
  return (
    ask &&
    `The agent waits for the permission "${ask.permission}" (${ask.patterns.join(', ')}) to call ${ask.tool}, and nobody has answered.`
  );
}

/** Says how the last turn ended, and why if the log has a reason. */
export function endOf({ entries }: Pick<Facts, 'entries'>, status: string): string {
  const end = entries.findLast((entry) => entry.kind === 'end');
  return `The turn ended: ${status}${end?.fault === undefined ? '' : `, ${end.fault}`}`;
}
