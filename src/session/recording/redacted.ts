import { hashBytes, hashText, type Hash } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import { parseEvent, type Event, type EventOf } from '../events.ts';
import { BLOB_PREFIX } from '../messages.ts';
import { mapTexts } from './sound-json.ts';

type Redact = (text: string) => string;
type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Takes secrets out of texts and contents. A content that changes gets another hash: events are to be changed after
 * all contents, so that they refer to what is there.
 */
export class Redaction {
  readonly #redact: Redact;
  readonly #redactBinary: Redact;
  readonly #hashes = new Map<Hash, Hash>();

  /** `redactBinary`: of what is no text, a character a byte. What only looks like a secret must not spoil a file. */
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
    return this.#whole(events).map((event) => {
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

  /** What stands now for a content of this hash. */
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
    // A character a byte, so that nothing else of it changes.
    const binary = new TextDecoder('latin1').decode(bytes);
    const clean = this.#redactBinary(binary);
    return clean === binary ? bytes : Uint8Array.from(clean, (char) => LATIN1.get(char) ?? 0);
  }

  /** A secret may have come in several pieces, none of which gives it away. */
  #whole(events: readonly Event[]): Event[] {
    const streams = new Map<string, number[]>();
    for (const [index, event] of events.entries()) {
      const stream = streamOf(event);
      if (stream === undefined) continue;
      const indexes = streams.get(stream);
      if (indexes) indexes.push(index);
      else streams.set(stream, [index]);
    }
    const whole = [...events];
    for (const indexes of streams.values()) {
      const pieces = indexes.map((index) => pieceOf(events[index]));
      const text = pieces.join('');
      const clean = this.#redact(text);
      if (clean === text || clean === pieces.map((piece) => this.#redact(piece)).join('')) continue;
      for (const [nth, index] of indexes.entries()) {
        const event = events[index];
        if (event) whole[index] = withPiece(event, nth === 0 ? clean : '');
      }
    }
    return whole;
  }
}

/** As the decoder has it: what is called latin1 there has other characters from 0x80 to 0x9f. */
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

function streamOf(event: Event): string | undefined {
  if (event.type === 'call.output') return `${event.messageID}/output/${event.callID}`;
  if (event.type !== 'step.part') return undefined;
  const { part, messageID } = event;
  if (part.type === 'text-delta' || part.type === 'reasoning-delta')
    return `${messageID}/${part.type}/${part.id}`;
  return part.type === 'tool-input-delta' ? `${messageID}/${part.type}/${part.callID}` : undefined;
}

function pieceOf(event: Event | undefined): string {
  if (event?.type === 'call.output') return event.text ?? '';
  if (event?.type !== 'step.part') return '';
  const { part } = event;
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.text;
  return part.type === 'tool-input-delta' ? part.delta : '';
}

function withPiece(event: Event, text: string): Event {
  if (event.type === 'call.output') return { ...event, text };
  if (event.type !== 'step.part') return event;
  const { part } = event;
  if (part.type === 'text-delta' || part.type === 'reasoning-delta')
    return { ...event, part: { ...part, text } };
  return part.type === 'tool-input-delta' ? { ...event, part: { ...part, delta: text } } : event;
}
