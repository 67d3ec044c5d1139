import type { ModelMessage } from '../../models/types.ts';
import type { Told } from '../messages.ts';

/**
 * Which messages of the session were changed in a request. `lasting`: for each message of the request, in order, what
 * stands there now, `null` where it was left out. `added`: those behind them, which stay with the last message.
 */
export function retellings(
  told: readonly Told[],
  lasting: readonly (ModelMessage | null)[],
  added: readonly ModelMessage[] = [],
): readonly Told[] {
  let from = 0;
  return told.flatMap(({ messageID, made }, index): Told[] => {
    const now = lasting.slice(from, (from += made.length));
    const behind = index === told.length - 1 ? added : [];
    if (behind.length === 0 && now.every((message, nth) => message === made[nth])) return [];
    return [{ messageID, made: [...now.flatMap((message) => message ?? []), ...behind] }];
  });
}
