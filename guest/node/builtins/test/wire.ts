import type { LoadBuiltin } from '../builtin.ts';
import { inspect } from '../internal/inspect.ts';
import { deserialize } from '../v8/deserialize.ts';
import { serialize } from '../v8/serialize.ts';
import { withoutOwnFrames } from './failure.ts';
import type { Details, TestEvent } from './events.ts';

/** Begins each event in the output of a test file's process: what `v8.serialize` begins with, of 15. */
const MARK = [0xff, 0x0f] as const;
const HEAD_BYTES = MARK.length + 4;

const classes: Readonly<Record<string, ErrorConstructor>> = {
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

/** The parts of a thrown value that can be sent to another process. */
export type PackedError =
  | { readonly kind: 'error'; readonly class: string; readonly properties: readonly Property[] }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'shown'; readonly text: string; readonly isText: boolean };

interface Property {
  readonly name: string;
  readonly value: unknown;
  readonly isCause: boolean;
  readonly enumerable: boolean;
}

const isBuffer = (view: object) => view.constructor.name === 'Buffer';

function isCloneable(value: unknown): boolean {
  try {
    serialize(value, isBuffer);
    return true;
  } catch {
    return false;
  }
}

export function packError(error: unknown, seen = new Set<object>()): PackedError {
  if (error instanceof Error) {
    if (seen.has(error)) return { kind: 'shown', text: '[Circular object]', isText: false };
    seen.add(error);
    return { kind: 'error', class: classOf(error), properties: propertiesOf(error, seen) };
  }
  if (isCloneable(error)) return { kind: 'value', value: error };
  return { kind: 'shown', text: inspect(error), isText: true };
}

function classOf(error: Error): string {
  for (let at: unknown = error; at; at = Object.getPrototypeOf(at)) {
    const maker: unknown = Reflect.get(Object(at), 'constructor');
    const name = typeof maker === 'function' ? maker.name : '';
    if (Object.hasOwn(classes, name)) return name;
  }
  return 'Error';
}

/** Its own, and those that its classes give it, such as `name`. */
function propertiesOf(error: Error, seen: Set<object>): Property[] {
  const all = new Map<string, Property>();
  const chain: object[] = [];
  for (
    let at: object | null = error;
    at && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  )
    chain.unshift(at);
  for (const holder of chain)
    for (const name of Object.getOwnPropertyNames(holder)) {
      const value: unknown = Reflect.get(error, name);
      const enumerable = Object.getOwnPropertyDescriptor(holder, name)?.enumerable ?? false;
      if (name === 'cause') all.set(name, { name, value: packError(value, seen), isCause: true, enumerable });
      else if (typeof value !== 'function' && typeof value !== 'symbol') {
        const told = name === 'stack' && typeof value === 'string' ? withoutOwnFrames(value) : value;
        const carried = isCloneable(told) ? told : inspect(told);
        all.set(name, { name, value: carried, isCause: false, enumerable });
      }
    }
  return [...all.values()];
}

export function unpackError(pack: PackedError): unknown {
  if (pack.kind === 'value') return pack.value;
  if (pack.kind === 'shown') {
    const { text } = pack;
    return pack.isText ? text : { [inspect.custom]: () => text };
  }
  const error = Object.create((classes[pack.class] ?? Error).prototype as object) as object;
  for (const { name, value, isCause, enumerable } of pack.properties)
    Object.defineProperty(error, name, {
      value: isCause ? unpackError(value as PackedError) : value,
      enumerable,
      configurable: true,
      writable: true,
    });
  return error;
}

/** Encodes an event as bytes. */
export function packEvent({ type, data }: TestEvent): Uint8Array {
  const { details } = data;
  const sent =
    details?.error === undefined
      ? { type, data }
      : { type, data: { ...data, details: { ...details, error: packError(details.error) } } };
  const body = serialize(sent, isBuffer);
  const bytes = new Uint8Array(HEAD_BYTES + body.byteLength);
  bytes.set(MARK);
  new DataView(bytes.buffer).setUint32(MARK.length, body.byteLength);
  bytes.set(body, HEAD_BYTES);
  return bytes;
}

/** Parts what a test file's process prints from the events that it tells. */
export class EventReader {
  #held = new Uint8Array();
  readonly #load: LoadBuiltin;
  readonly #decoder = new TextDecoder();
  readonly #event: (event: TestEvent) => void;
  readonly #text: (text: string) => void;

  constructor(load: LoadBuiltin, event: (event: TestEvent) => void, text: (text: string) => void) {
    this.#load = load;
    this.#event = event;
    this.#text = text;
  }

  read(bytes: Uint8Array): void {
    const all = new Uint8Array(this.#held.byteLength + bytes.byteLength);
    all.set(this.#held);
    all.set(bytes, this.#held.byteLength);
    let at = 0;
    while (at < all.byteLength) {
      const start = all.indexOf(MARK[0], at);
      if (start < 0) {
        this.#print(all.subarray(at));
        at = all.byteLength;
        break;
      }
      if (start > at) this.#print(all.subarray(at, start));
      at = start;
      if (all.byteLength - at < HEAD_BYTES) break;
      const length = new DataView(all.buffer, at + MARK.length).getUint32(0);
      if (all.byteLength - at < HEAD_BYTES + length) break;
      this.#take(all.slice(at + HEAD_BYTES, at + HEAD_BYTES + length));
      at += HEAD_BYTES + length;
    }
    this.#held = all.slice(at);
  }

  /** Prints the rest once the process has ended. */
  end(): void {
    if (this.#held.byteLength > 0) this.#print(this.#held);
    this.#held = new Uint8Array();
  }

  #print(bytes: Uint8Array): void {
    const text = this.#decoder.decode(bytes as Uint8Array<ArrayBuffer>, { stream: true });
    if (text) this.#text(text);
  }

  #take(bytes: Uint8Array): void {
    const { Buffer } = this.#load('buffer');
    const event = deserialize(bytes, (own) => Buffer.from(own.buffer)) as TestEvent;
    const { details } = event.data;
    if (details?.error !== undefined) (details as Details).error = unpackError(details.error as PackedError);
    this.#event(event);
  }
}
