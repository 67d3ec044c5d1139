import type { RequestContent } from './types.ts';
import { beginsWith } from '../../base/growing-fold.ts';
import { hashText, type Hash } from '../../base/hash.ts';
import type { ModelMessage } from '../../models/types.ts';
import type { MessagePack, RequestRef } from '../log/events.ts';
import type { MessageSource } from './types.ts';
import type { Blob } from '../log/store.ts';

/**
 * Messages that a step adds to its request are stored inside its event up to this size, in characters. A blob
 * would cost the commit two more rows, for itself and its owner.
 */
const INLINE_CHARACTERS = 8_000;

/** Turns requests into references: each contains only what it adds to the previous one. */
export class RequestLog {
  readonly #source: MessageSource;
  readonly #texts = new Map<string, Hash>();
  /** Hashes of texts that the log is known to hold. */
  readonly #stored = new Set<Hash>();
  #previous: { readonly step: string; readonly messages: readonly ModelMessage[] } | null = null;

  constructor(source: MessageSource) {
    this.#source = source;
  }

  /**
   * The reference of the request for the step `messageID`, and the blobs that it adds. `previous` is the
   * newest step before it on its path.
   */
  add(
    messageID: string,
    previous: string | null,
    content: RequestContent,
  ): { ref: RequestRef; blobs: Blob[] } {
    const blobs: Blob[] = [];
    const { messages } = content;
    const held = previous === null ? undefined : this.#heldBy(previous, messages);
    this.#previous = { step: messageID, messages };
    return {
      ref: {
        base: held === undefined ? null : previous,
        append: pack(messages.slice(held ?? 0), blobs),
        system: this.#text(content.system, blobs),
        tools: this.#text(JSON.stringify(content.tools), blobs),
        settings: content.settings,
      },
      blobs,
    };
  }

  /** The reference of a request without a base, and the blobs that it adds. */
  whole(content: RequestContent): { ref: RequestRef; blobs: Blob[] } {
    const blobs: Blob[] = [];
    const ref = {
      base: null,
      append: pack(content.messages, blobs),
      system: this.#text(content.system, blobs),
      tools: this.#text(JSON.stringify(content.tools), blobs),
      settings: content.settings,
    };
    return { ref, blobs };
  }

  /** How many messages the request of `step` had, if `messages` begins with exactly those. */
  #heldBy(step: string, messages: readonly ModelMessage[]): number | undefined {
    const known = this.#previous?.step === step ? this.#previous.messages : undefined;
    if (known && beginsWith(messages, known)) return known.length;
    const packs = requestPacks(this.#source, step);
    if (!packs) return undefined;
    let count = 0;
    for (const pack of packs) {
      const [hash, content, length] =
        typeof pack === 'string'
          ? [pack, messages[count], 1]
          : [pack.hash, messages.slice(count, count + pack.messages), pack.messages];
      if (!content || hashText(JSON.stringify(content)) !== hash) return undefined;
      count += length;
    }
    return count;
  }

  #text(text: string, blobs: Blob[]): Hash {
    let hash = this.#texts.get(text);
    if (!hash) {
      hash = hashText(text);
      this.#texts.set(text, hash);
    }
    if (!this.#stored.has(hash)) {
      this.#stored.add(hash);
      blobs.push({ hash, bytes: new TextEncoder().encode(text) });
    }
    return hash;
  }
}

function pack(messages: readonly ModelMessage[], blobs: Blob[]): MessagePack[] {
  if (messages.length === 0) return [];
  const text = JSON.stringify(messages);
  const hash = hashText(text);
  const inline = text.length <= INLINE_CHARACTERS;
  if (!inline) blobs.push({ hash, bytes: new TextEncoder().encode(text) });
  return [{ hash, messages: messages.length, ...(inline && { text }) }];
}

/** The reference as the state keeps it, without inline texts: readers take those from the event. */
export function withoutTexts(request: RequestRef): RequestRef {
  const append = request.append.map((pack) =>
    typeof pack === 'string' ? pack : { hash: pack.hash, messages: pack.messages },
  );
  return { ...request, append };
}

/** All messages of the request of `step`, in packs; `null` if a step of the chain is missing. */
function requestPacks(source: MessageSource, step: string): readonly MessagePack[] | null {
  const pieces: (readonly MessagePack[])[] = [];
  for (let id: string | null = step; id !== null;) {
    const request: RequestRef | undefined = source.message(id)?.request;
    if (!request) return null;
    pieces.push(request.append);
    id = request.base;
  }
  return pieces.reverse().flat();
}
