import { hashBytes, hashText, type Hash } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import { parseEvent, type Event, type EventOf } from '../log/events.ts';
import { BLOB_PREFIX } from '../request/messages.ts';
import { cleanStreams } from '../log/streamed-texts.ts';
import { mapTexts } from './sound-json.ts';

type Redact = (text: string) => string;
type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Removes secrets from texts and contents. A changed content gets another hash, so change all contents before
 * the events that refer to them.
 */
export class Redaction {
  readonly #redact: Redact;
  readonly #redactBinary: Redact;
  readonly #hashes = new Map<Hash, Hash>();

  /**
   * `redactBinary` gets content that is no text, with one character per byte. It must not mask things that
   * only look like secrets, which would spoil a file.
   */
  constructor(redact: Redact, redactBinary: Redact) {
    this.#redact = redact;
    this.#redactBinary = redactBinary;
  }

  content(hash: Hash, bytes: Bytes): { readonly hash: Hash; readonly bytes: Bytes } {
    const clean = this.#clean(bytes);
    if (clean === bytes) return { hash, bytes };
    const other = hashBytes(clean);
    this.#hashes.set(hash, other);
    return { hash: other, bytes: clean };
  }

  events(events: readonly Event[]): readonly Event[] {
    return cleanStreams(events, this.#redact).map((event) => {
      if (event.type === 'step.started' || event.type === 'request.edited') this.#packs(event);
      const text = JSON.stringify(event);
      if (this.#text(text) === text && ![...this.#hashes.keys()].some((hash) => text.includes(hash)))
        return event;
      return parseEvent(mapTexts(JSON.parse(text) as Json, (each) => this.#text(each)));
    });
  }

  text(text: string): string {
    return this.#text(text);
  }

  /** The hash of the cleaned content that replaces the one with this hash. */
  hash(hash: Hash): Hash {
    return this.#hashes.get(hash) ?? hash;
  }

  #text(text: string): string {
    const other = this.#hashes.get(text);
    if (other !== undefined) return other;
    let clean = this.#redact(text);
    if (clean.includes(BLOB_PREFIX))
      for (const [from, to] of this.#hashes) clean = clean.replaceAll(BLOB_PREFIX + from, BLOB_PREFIX + to);
    return clean;
  }

  #packs({ request }: EventOf<'step.started' | 'request.edited'>): void {
    for (const pack of request.append) {
      if (typeof pack === 'string' || pack.text === undefined) continue;
      const clean = this.#text(pack.text);
      if (clean !== pack.text) this.#hashes.set(pack.hash, hashText(clean));
    }
  }

  #clean(bytes: Bytes): Bytes {
    const text = utf8(bytes);
    if (text !== undefined) {
      const clean = this.#text(text);
      return clean === text ? bytes : new TextEncoder().encode(clean);
    }
    // Each byte becomes one character, so that nothing else changes.
    const binary = new TextDecoder('latin1').decode(bytes);
    const clean = this.#redactBinary(binary);
    return clean === binary ? bytes : Uint8Array.from(clean, (char) => LATIN1.get(char) ?? 0);
  }
}

/** Maps the decoder's characters back to bytes: what it calls latin1 differs from 0x80 to 0x9f. */
const LATIN1 = new Map(
  Array.from({ length: 256 }, (_, byte) => [new TextDecoder('latin1').decode(Uint8Array.of(byte)), byte]),
);

export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
