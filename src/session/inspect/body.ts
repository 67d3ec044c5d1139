import type { Hash } from '../../base/hash.ts';

/** Why what went out and what is put together again are the same, or are not. */
export type BodyVerdict =
  | { readonly state: 'equal'; readonly hash: Hash }
  | {
      readonly state: 'different';
      readonly sent: Hash;
      readonly rebuilt: Hash;
      /** Where the two part, in characters, with what each says there; only while the body is held in memory. */
      readonly at?: { readonly offset: number; readonly sent: string; readonly rebuilt: string };
      /** A file that was sent is no longer kept. */
      readonly filesGone?: boolean;
    }
  /** Nothing is told of a body: the model answers in the page, or its request has not gone out. */
  | { readonly state: 'none'; readonly why: 'in-page' | 'not-sent' }
  /** It went out, and cannot be put together again. */
  | { readonly state: 'unknown'; readonly hash: Hash; readonly why: string };

const AROUND = 40;

export function compareBodies({
  sent,
  kept,
  rebuilt,
  rebuiltHash,
  filesGone = false,
}: {
  /** As the log tells it. */
  readonly sent: Hash;
  /** The body as it went out, while that is held. */
  readonly kept?: string | undefined;
  readonly rebuilt: string;
  readonly rebuiltHash: Hash;
  readonly filesGone?: boolean;
}): BodyVerdict {
  if (sent === rebuiltHash) return { state: 'equal', hash: sent };
  const at = kept === undefined ? undefined : differenceOf(kept, rebuilt);
  return {
    ...{ state: 'different', sent, rebuilt: rebuiltHash },
    ...(at && { at }),
    ...(filesGone && { filesGone }),
  };
}

function differenceOf(sent: string, rebuilt: string) {
  let offset = 0;
  while (offset < sent.length && sent[offset] === rebuilt[offset]) offset++;
  if (offset === sent.length && offset === rebuilt.length) return undefined;
  const from = Math.max(0, offset - AROUND / 2);
  const around = (text: string) => text.slice(from, offset + AROUND);
  return { offset, sent: around(sent), rebuilt: around(rebuilt) };
}
