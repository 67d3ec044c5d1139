import { hashBytes, hashText, type Hash } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import type { ModelMessage } from '../models/types.ts';
import type { RequestRef } from './events.ts';
import type { MessageSource } from './messages.ts';
import type { ToolSpec } from './model.ts';
import type { Blob } from './store.ts';

export interface RequestContent {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  readonly settings: JsonObject;
}

/** Turns requests into references: each says only what it adds to the one before. */
export class RequestLog {
  readonly #source: MessageSource;
  readonly #hashes = new WeakMap<ModelMessage, Hash>();
  readonly #texts = new Map<string, Hash>();
  /** What the log is known to hold. */
  readonly #stored = new Set<Hash>();
  #previous: { readonly step: string; readonly messages: readonly Hash[] } | null = null;

  constructor(source: MessageSource) {
    this.#source = source;
  }

  /**
   * The reference of the request for the step `messageID`, and the blobs that are new with it. `previous`: the
   * newest step before it on its path.
   */
  add(
    messageID: string,
    previous: string | null,
    content: RequestContent,
  ): { ref: RequestRef; blobs: Blob[] } {
    const blobs: Blob[] = [];
    const hashes = content.messages.map((message) => this.#message(message, blobs));
    const base = this.#chain(previous);
    const follows = base !== null && base.every((hash, index) => hashes[index] === hash);
    this.#previous = { step: messageID, messages: hashes };
    return {
      ref: {
        base: follows ? previous : null,
        append: follows ? hashes.slice(base.length) : hashes,
        system: this.#text(content.system, blobs),
        tools: this.#text(JSON.stringify(content.tools), blobs),
        settings: content.settings,
      },
      blobs,
    };
  }

  #chain(step: string | null): readonly Hash[] | null {
    if (step === null) return null;
    if (this.#previous?.step === step) return this.#previous.messages;
    const chain = requestMessages(this.#source, step);
    for (const hash of chain ?? []) this.#stored.add(hash);
    return chain;
  }

  #message(message: ModelMessage, blobs: Blob[]): Hash {
    const known = this.#hashes.get(message);
    if (known) return known;
    const bytes = new TextEncoder().encode(JSON.stringify(message));
    const hash = hashBytes(bytes);
    this.#hashes.set(message, hash);
    this.#store({ hash, bytes }, blobs);
    return hash;
  }

  #text(text: string, blobs: Blob[]): Hash {
    let hash = this.#texts.get(text);
    if (!hash) {
      hash = hashText(text);
      this.#texts.set(text, hash);
    }
    if (!this.#stored.has(hash)) this.#store({ hash, bytes: new TextEncoder().encode(text) }, blobs);
    return hash;
  }

  #store(blob: Blob, blobs: Blob[]): void {
    if (this.#stored.has(blob.hash)) return;
    this.#stored.add(blob.hash);
    blobs.push(blob);
  }
}

/** The hashes of every message that the request of `step` had; `null` where a step of the chain is not there. */
export function requestMessages(source: MessageSource, step: string): readonly Hash[] | null {
  const pieces: (readonly Hash[])[] = [];
  for (let id: string | null = step; id !== null;) {
    const request: RequestRef | undefined = source.message(id)?.request;
    if (!request) return null;
    pieces.push(request.append);
    id = request.base;
  }
  return pieces.reverse().flat();
}
