import type { ModelMessage } from '../../models/types.ts';
import type { RenderedMessages } from '../request/types.ts';

/**
 * Finds the session's messages that were changed in a request. `lasting` has the current version of each
 * model message of the request, in order, or `null` if it was removed. `added` follows them and goes with the
 * session's last message.
 */
export function retellings(
  told: readonly RenderedMessages[],
  lasting: readonly (ModelMessage | null)[],
  added: readonly ModelMessage[] = [],
): readonly RenderedMessages[] {
  let from = 0;
  return told.flatMap(({ messageID, rendered }, index): RenderedMessages[] => {
    const now = lasting.slice(from, (from += rendered.length));
    const behind = index === told.length - 1 ? added : [];
    if (behind.length === 0 && now.every((message, nth) => message === rendered[nth])) return [];
    return [{ messageID, rendered: [...now.flatMap((message) => message ?? []), ...behind] }];
  });
}
