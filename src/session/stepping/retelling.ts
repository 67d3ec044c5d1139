import type { ModelMessage } from '../../models/types.ts';
import type { Told } from '../request/types.ts';

/**
 * Finds the session's messages that were changed in a request. `lasting` has the current version of each
 * model message of the request, in order, or `null` if it was removed. `added` follows them and goes with the
 * session's last message.
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
