import { hashText, type Hash } from '../../base/hash.ts';
import type { ModelMessage } from '../../models/types.ts';
import type { Told } from '../messages.ts';
import type { Blob } from '../store.ts';

/** What is told from now on in place of a message of the session. */
export interface Retelling {
  readonly messageID: string;
  readonly told: Hash;
  readonly messages: readonly ModelMessage[];
  readonly blob: Blob;
}

/**
 * Which messages of the session the person changed in a request. `lasting`: for each message of the request, in order,
 * what stands there now, `null` where it was left out.
 */
export function retellings(
  told: readonly Told[],
  lasting: readonly (ModelMessage | null)[],
): readonly Retelling[] {
  let from = 0;
  return told.flatMap(({ messageID, made }): Retelling[] => {
    const now = lasting.slice(from, (from += made.length));
    if (now.every((message, index) => message === made[index])) return [];
    const messages = now.flatMap((message) => message ?? []);
    const text = JSON.stringify(messages);
    const blob = { hash: hashText(text), bytes: new TextEncoder().encode(text) };
    return [{ messageID, told: blob.hash, messages, blob }];
  });
}
