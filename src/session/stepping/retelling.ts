import type { ModelMessage } from '../../models/types.ts';
import type { Told } from '../messages.ts';

/**
 * Which messages of the session were changed in a request. `lasting`: for each message of the request, in order, what
 * stands there now, `null` where it was left out.
 */
export function retellings(
  told: readonly Told[],
  lasting: readonly (ModelMessage | null)[],
): readonly Told[] {
  let from = 0;
  return told.flatMap(({ messageID, made }): Told[] => {
    const now = lasting.slice(from, (from += made.length));
    if (now.every((message, index) => message === made[index])) return [];
    return [{ messageID, made: now.flatMap((message) => message ?? []) }];
  });
}
