import type { Hash } from '../../base/hash.ts';

/** Whether the body that was sent equals the one rebuilt from the log. */
export type BodyVerdict =
  | { readonly state: 'equal'; readonly hash: Hash }
  | {
      readonly state: 'different';
      readonly sent: Hash;
      readonly rebuilt: Hash;
      /**
       * The first difference, with its offset in characters and an excerpt of each body; only while the sent
       * one is in memory.
       */
      readonly at?: { readonly offset: number; readonly sent: string; readonly rebuilt: string };
      /** A file that was sent is no longer stored. */
      readonly filesGone?: boolean;
    }
  /** There is no body to compare: the model answers in the page, or the request was not sent. */
  | { readonly state: 'none'; readonly why: 'in-page' | 'not-sent' }
  /** The body was sent but cannot be rebuilt. */
  | { readonly state: 'unknown'; readonly hash: Hash; readonly why: string };

const AROUND = 40;

export function compareBodies({
  sent,
  kept,
  rebuilt,
  rebuiltHash,
  filesGone = false,
}: {
  /** The hash from the log. */
  readonly sent: Hash;
  /** The body as it was sent, while it is in memory. */
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
