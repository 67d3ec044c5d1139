import { argTypeError, argValueError, needInteger, nodeError, outOfRange } from '../internal/errors.ts';
import { isInsideNodeModules } from '../internal/caller.ts';
import { inspect } from '../internal/inspect.ts';
import { customInspect } from '../internal/symbols.ts';
import { types } from '../util/types.ts';
import { decode, encode, encodedLength, encodingNamed, type Encoding } from './encodings.ts';
import { numberMethods } from './numbers.ts';

export const MAX_LENGTH = 2 ** 53 - 1;
export const MAX_STRING_LENGTH = 536870888;
/** How many bytes `inspect` shows. */
export const shown = { bytes: 50 };

/** Throws ERR_UNKNOWN_ENCODING. */
export function encodingOf(encoding: unknown): Encoding {
  const found = encodingNamed(encoding);
  if (!found) throw nodeError('ERR_UNKNOWN_ENCODING', `Unknown encoding: ${String(encoding)}`, TypeError);
  return found;
}

function needBytes(value: unknown, name: string): asserts value is Uint8Array {
  if (!(value instanceof Uint8Array)) throw argTypeError(name, ['Buffer', 'Uint8Array'], value);
}

const clamp = (value: unknown, whenMissing: number, top: number): number => {
  if (value === undefined) return whenMissing;
  const number = Math.trunc(Number(value)) || 0;
  return number < 0 ? 0 : Math.min(number, top);
};

class FastBuffer extends Uint8Array<ArrayBuffer> {
  get parent(): ArrayBuffer | undefined {
    return this instanceof FastBuffer ? this.buffer : undefined;
  }

  get offset(): number | undefined {
    return this instanceof FastBuffer ? this.byteOffset : undefined;
  }

  override toString(encoding?: unknown, start?: unknown, end?: unknown): string {
    const kind = encoding === undefined ? 'utf8' : encodingOf(encoding);
    if (start === undefined && end === undefined) return text(this, kind);
    const from = clamp(start, 0, this.length);
    const to = clamp(end, this.length, this.length);
    return to <= from ? '' : text(super.subarray(from, to), kind);
  }

  override toLocaleString(encoding?: unknown, start?: unknown, end?: unknown): string {
    return this.toString(encoding, start, end);
  }

  toJSON(): { type: 'Buffer'; data: number[] } {
    return { type: 'Buffer', data: Array.from(this) };
  }

  equals(other: unknown): boolean {
    needBytes(other, 'otherBuffer');
    return this === other || (this.length === other.length && compareBytes(this, other) === 0);
  }

  compare(
    target: unknown,
    targetStart?: unknown,
    targetEnd?: unknown,
    sourceStart?: unknown,
    sourceEnd?: unknown,
  ): number {
    needBytes(target, 'target');
    const from = targetStart === undefined ? 0 : place(targetStart, 'targetStart', MAX_LENGTH);
    const to = targetEnd === undefined ? target.length : place(targetEnd, 'targetEnd', target.length);
    const ownFrom = sourceStart === undefined ? 0 : place(sourceStart, 'sourceStart', MAX_LENGTH);
    const ownTo = sourceEnd === undefined ? this.length : place(sourceEnd, 'sourceEnd', this.length);
    if (ownFrom >= ownTo) return from >= to ? 0 : -1;
    if (from >= to) return 1;
    return compareBytes(super.subarray(ownFrom, ownTo), target.subarray(from, to));
  }

  copy(target: unknown, targetStart?: unknown, sourceStart?: unknown, sourceEnd?: unknown): number {
    if (!ArrayBuffer.isView(target)) throw argTypeError('target', ['Buffer', 'Uint8Array'], target);
    const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    const index = (value: unknown, name: string, whenMissing: number) => {
      if (value === undefined) return whenMissing;
      const number = Math.trunc(Number(value)) || 0;
      if (number < 0) throw outOfRange(name, '>= 0', value);
      return number;
    };
    const at = index(targetStart, 'targetStart', 0);
    const from = index(sourceStart, 'sourceStart', 0);
    if (sourceStart !== undefined && from > this.length)
      throw outOfRange('sourceStart', `>= 0 && <= ${this.length}`, sourceStart);
    const to = Math.min(index(sourceEnd, 'sourceEnd', this.length), this.length);
    if (at >= bytes.length || from >= to) return 0;
    const length = Math.min(to - from, bytes.length - at);
    bytes.set(super.subarray(from, from + length), at);
    return length;
  }

  override subarray(start?: number, end?: number): FastBuffer {
    const part = super.subarray(start, end);
    return new FastBuffer(part.buffer, part.byteOffset, part.length);
  }

  override slice(start?: number, end?: number): FastBuffer {
    return this.subarray(start, end);
  }

  write(text: unknown, offset?: unknown, length?: unknown, encoding?: unknown): number {
    if (typeof text !== 'string')
      throw Object.assign(new TypeError('argument must be a string'), { code: 'ERR_INVALID_ARG_TYPE' });
    let at = 0;
    let room = this.length;
    let name: unknown = encoding;
    if (typeof offset === 'string') name = offset;
    else if (offset !== undefined) {
      at = place(offset, 'offset', this.length);
      room = this.length - at;
      if (typeof length === 'string') name = length;
      else if (length !== undefined) room = Math.min(room, place(length, 'length', this.length));
    }
    const kind = name === undefined || name === '' ? 'utf8' : encodingOf(name);
    const target = super.subarray(at, at + room);
    if (kind === 'utf8') return new TextEncoder().encodeInto(text, target).written;
    const bytes = encode(text, kind);
    const unit = kind === 'utf16le' ? 2 : 1;
    const written = Math.min(bytes.length, room - (room % unit));
    target.set(bytes.subarray(0, written));
    return written;
  }

  override fill(value: unknown, offset?: unknown, end?: unknown, encoding?: unknown): this {
    let from = 0;
    let to = this.length;
    let name: unknown = encoding;
    if (typeof offset === 'string') name = offset;
    else if (typeof end === 'string') name = end;
    if (offset !== undefined && typeof offset !== 'string') from = place(offset, 'offset', this.length);
    if (end !== undefined && typeof end !== 'string') to = place(end, 'end', this.length);
    if (name !== undefined && typeof name !== 'string') throw argTypeError('encoding', 'string', name);
    if (typeof value === 'string') {
      const bytes = encode(value, encodingOf(name ?? 'utf8'));
      if (bytes.length === 0) {
        if (value.length > 0) throw argValueError('value', value);
        super.fill(0, from, to);
      } else repeat(this, bytes, from, to);
    } else if (value instanceof Uint8Array) {
      if (value.length === 0) throw argValueError('value', value);
      repeat(this, value, from, to);
    } else super.fill(Number(value) & 255, from, to);
    return this;
  }

  override indexOf(value: unknown, byteOffset?: unknown, encoding?: unknown): number {
    return find(this, value, byteOffset, encoding, true);
  }

  override lastIndexOf(value: unknown, byteOffset?: unknown, encoding?: unknown): number {
    return find(this, value, byteOffset, encoding, false);
  }

  override includes(value: unknown, byteOffset?: unknown, encoding?: unknown): boolean {
    return this.indexOf(value, byteOffset, encoding) !== -1;
  }

  swap16(): this {
    return swap(this, 2);
  }

  swap32(): this {
    return swap(this, 4);
  }

  swap64(): this {
    return swap(this, 8);
  }

  [customInspect](_depth: unknown, options: object): string {
    const hidden = this.length - shown.bytes;
    let text = Array.from(super.subarray(0, shown.bytes), (byte) => byte.toString(16).padStart(2, '0')).join(
      ' ',
    );
    if (hidden > 0) text += ` ... ${hidden} more byte${hidden > 1 ? 's' : ''}`;
    const extras = Object.keys(this).filter((key) => !/^\d+$/.test(key));
    if (extras.length > 0) {
      const own = Object.fromEntries(extras.map((key) => [key, Reflect.get(this, key)]));
      const rest = inspect(own, { ...options, breakLength: Infinity, compact: true });
      text += `${text ? ', ' : ''}${rest.slice(2, -2)}`;
    }
    return `<${this.constructor.name} ${text}>`;
  }
}

/** Decodes bytes. Throws where there are too many for a string. */
function text(bytes: Uint8Array, encoding: Encoding): string {
  if (bytes.length * (encoding === 'hex' ? 2 : 1) > MAX_STRING_LENGTH)
    throw nodeError(
      'ERR_STRING_TOO_LONG',
      `Cannot create a string longer than 0x${MAX_STRING_LENGTH.toString(16)} characters`,
    );
  return decode(bytes, encoding);
}

function place(value: unknown, name: string, top: number): number {
  needInteger(value, name, 0, top);
  return value;
}

function repeat(target: Uint8Array, bytes: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to; at += bytes.length) target.set(bytes.subarray(0, to - at), at);
}

function swap<Bytes extends Uint8Array>(bytes: Bytes, size: number): Bytes {
  if (bytes.length % size !== 0)
    throw nodeError(
      'ERR_INVALID_BUFFER_SIZE',
      `Buffer size must be a multiple of ${size * 8}-bits`,
      RangeError,
    );
  for (let at = 0; at < bytes.length; at += size)
    Uint8Array.prototype.subarray.call(bytes, at, at + size).reverse();
  return bytes;
}

function find(
  bytes: Uint8Array,
  value: unknown,
  byteOffset: unknown,
  encoding: unknown,
  forwards: boolean,
): number {
  let name = encoding;
  let start: number;
  if (typeof byteOffset === 'string') {
    name = byteOffset;
    start = forwards ? 0 : bytes.length;
  } else {
    const number = byteOffset === undefined ? NaN : Number(byteOffset);
    if (Number.isNaN(number)) start = forwards ? 0 : bytes.length;
    else start = Math.trunc(number);
  }
  if (start < 0) start += bytes.length;
  if (start < 0) {
    if (!forwards) return -1;
    start = 0;
  }
  if (typeof value === 'number') {
    const byte = value & 255;
    return forwards
      ? Uint8Array.prototype.indexOf.call(bytes, byte, start)
      : Uint8Array.prototype.lastIndexOf.call(bytes, byte, start);
  }
  let wanted: Uint8Array;
  if (typeof value === 'string') wanted = encode(value, name === undefined ? 'utf8' : encodingOf(name));
  else if (value instanceof Uint8Array) wanted = value;
  else throw argTypeError('value', ['number', 'string', 'Buffer', 'Uint8Array'], value);
  // Characters of two bytes start only at even offsets.
  const unit = name !== undefined && encodingNamed(name) === 'utf16le' ? 2 : 1;
  start -= start % unit;
  const last = bytes.length - wanted.length;
  if (wanted.length === 0) return Math.min(start, bytes.length);
  if (last < 0 || wanted.length < unit) return -1;
  const matches = (at: number) => {
    if (at % unit !== 0) return false;
    for (let index = 0; index < wanted.length; index++) if (bytes[at + index] !== wanted[index]) return false;
    return true;
  };
  const first = wanted[0] ?? 0;
  if (forwards) {
    for (let at = start; at <= last; at++) {
      at = Uint8Array.prototype.indexOf.call(bytes, first, at);
      if (at < 0 || at > last) return -1;
      if (matches(at)) return at;
    }
  } else for (let at = Math.min(start, last); at >= 0; at--) if (matches(at)) return at;
  return -1;
}

function compareBytes(one: Uint8Array, other: Uint8Array): -1 | 0 | 1 {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference < 0 ? -1 : 1;
  }
  if (one.length === other.length) return 0;
  return one.length < other.length ? -1 : 1;
}

function sized(size: unknown): number {
  if (typeof size !== 'number') throw argTypeError('size', 'number', size);
  if (!(size >= 0 && size <= MAX_LENGTH)) throw outOfRange('size', `>= 0 && <= ${MAX_LENGTH}`, size);
  return size;
}

const over = (bytes: Uint8Array<ArrayBuffer>) =>
  new FastBuffer(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const ofSize = (size: number) => over(new Uint8Array(size));

function isShared(value: unknown): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer;
}

function isAnyArrayBuffer(value: unknown): value is ArrayBuffer {
  const looks =
    value instanceof ArrayBuffer ||
    isShared(value) ||
    Object.prototype.toString.call(value) === '[object ArrayBuffer]';
  return looks && types.isAnyArrayBuffer(value);
}

function from(value: unknown, encodingOrOffset?: unknown, length?: unknown): FastBuffer {
  if (typeof value === 'string') {
    const kind =
      typeof encodingOrOffset !== 'string' || encodingOrOffset === '' ? 'utf8' : encodingOf(encodingOrOffset);
    return over(encode(value, kind));
  }
  if (typeof value === 'object' && value !== null) {
    if (isAnyArrayBuffer(value)) return fromArrayBuffer(value, encodingOrOffset, length);
    const valueOf: unknown = Reflect.get(value, 'valueOf');
    const primitive: unknown = typeof valueOf === 'function' ? valueOf.call(value) : undefined;
    if (
      primitive !== value &&
      (typeof primitive === 'string' || (primitive && typeof primitive === 'object'))
    )
      return from(primitive, encodingOrOffset, length);
    const copied = fromObject(value);
    if (copied) return copied;
    const convert: unknown = Reflect.get(value, Symbol.toPrimitive);
    if (typeof convert === 'function') {
      const text: unknown = convert.call(value, 'string');
      if (typeof text === 'string') return from(text, encodingOrOffset);
    }
  }
  throw argTypeError(
    'first argument',
    ['string', 'Buffer', 'ArrayBuffer', 'Array', 'Array-like Object'],
    value,
  );
}

const outOfBounds = (name: string) =>
  nodeError('ERR_BUFFER_OUT_OF_BOUNDS', `"${name}" is outside of buffer bounds`, RangeError);

function fromArrayBuffer(buffer: ArrayBuffer, offset: unknown, length: unknown): FastBuffer {
  const at = offset === undefined ? 0 : +Number(offset) || 0;
  const room = buffer.byteLength - at;
  if (room < 0) throw outOfBounds('offset');
  // Without a length, the view follows a resizable buffer.
  if (length === undefined) return new FastBuffer(buffer, at);
  const size = Math.max(+Number(length) || 0, 0);
  if (size > room) throw outOfBounds('length');
  return new FastBuffer(buffer, at, size);
}

function fromObject(value: object): FastBuffer | undefined {
  if ('length' in value || isAnyArrayBuffer(Reflect.get(value, 'buffer'))) {
    const length: unknown = Reflect.get(value, 'length');
    if (typeof length !== 'number') return ofSize(0);
    return over(Uint8Array.from(listOf(value, length)));
  }
  const data: unknown = Reflect.get(value, 'data');
  if (Reflect.get(value, 'type') === 'Buffer' && Array.isArray(data)) return over(Uint8Array.from(data));
  return undefined;
}

function listOf(value: object, length: number): ArrayLike<number> {
  if (value instanceof Uint8Array || Array.isArray(value)) return value;
  return Array.from({ length: Math.max(0, length) }, (_, at) => Number(Reflect.get(value, at)));
}

function alloc(size: unknown, fill?: unknown, encoding?: unknown): FastBuffer {
  const buffer = ofSize(sized(size));
  return fill === undefined || fill === 0 || buffer.length === 0 ? buffer : buffer.fill(fill, encoding);
}

const allocUnsafe = (size: unknown): FastBuffer => ofSize(sized(size));

function concat(list: unknown, length?: unknown): FastBuffer {
  if (!Array.isArray(list)) throw argTypeError('list', 'Array', list);
  const parts: unknown[] = list;
  if (parts.length === 0) return ofSize(0);
  const pieces = parts.map((piece, at) => {
    needBytes(piece, `list[${at}]`);
    return piece;
  });
  let total: number;
  if (length === undefined) total = pieces.reduce((sum, piece) => sum + piece.length, 0);
  else total = place(length, 'length', MAX_LENGTH);
  const whole = ofSize(total);
  let at = 0;
  for (const piece of pieces) {
    if (at >= total) break;
    whole.set(at + piece.length > total ? piece.subarray(0, total - at) : piece, at);
    at += piece.length;
  }
  return whole;
}

function byteLength(value: unknown, encoding?: unknown): number {
  if (typeof value !== 'string') {
    if (ArrayBuffer.isView(value) || isAnyArrayBuffer(value)) return value.byteLength;
    throw argTypeError('string', ['string', 'Buffer', 'ArrayBuffer'], value);
  }
  return encodedLength(value, encodingNamed(encoding) ?? 'utf8');
}

function compare(one: unknown, other: unknown): number {
  needBytes(one, 'buf1');
  needBytes(other, 'buf2');
  return one === other ? 0 : compareBytes(one, other);
}

function copyBytesFrom(view: unknown, offset?: unknown, length?: unknown): FastBuffer {
  if (!ArrayBuffer.isView(view) || view instanceof DataView) throw argTypeError('view', 'TypedArray', view);
  const units = Number(Reflect.get(view, 'length'));
  const unit = units === 0 ? 1 : view.byteLength / units;
  const start = offset === undefined ? 0 : place(offset, 'offset', MAX_LENGTH);
  const end = length === undefined ? units : Math.min(units, start + place(length, 'length', MAX_LENGTH));
  if (start >= end) return ofSize(0);
  const bytes = new Uint8Array(view.buffer, view.byteOffset + start * unit, (end - start) * unit);
  return over(Uint8Array.from(bytes));
}

let warned = false;

// Packages that were written before are not worth a warning each.
function warnOfConstructor(): void {
  const always = globalThis.process?.execArgv.includes('--pending-deprecation');
  if (warned || (!always && isInsideNodeModules())) return;
  warned = true;
  globalThis.process?.emitWarning(
    'Buffer() is deprecated due to security and usability issues. Please use the Buffer.alloc(), Buffer.allocUnsafe(), or Buffer.from() methods instead.',
    'DeprecationWarning',
    'DEP0005',
  );
}

/** Implements the call of `Buffer`, with and without `new`. */
function makeBuffer(value: unknown, encodingOrOffset?: unknown, length?: unknown): FastBuffer {
  warnOfConstructor();
  if (typeof value === 'number') {
    if (typeof encodingOrOffset === 'string') throw argTypeError('string', 'string', value);
    return alloc(value);
  }
  return from(value, encodingOrOffset, length);
}

export const Buffer = Object.assign(
  function Buffer(value: unknown, encodingOrOffset?: unknown, length?: unknown) {
    return makeBuffer(value, encodingOrOffset, length);
  },
  {
    poolSize: 8192,
    from,
    copyBytesFrom,
    of: (...items: number[]) => over(Uint8Array.from(items)),
    alloc,
    allocUnsafe,
    allocUnsafeSlow: allocUnsafe,
    isBuffer: (value: unknown): value is FastBuffer => value instanceof FastBuffer,
    compare,
    isEncoding: (name: unknown) =>
      typeof name === 'string' && name.length > 0 && encodingNamed(name) !== undefined,
    concat,
    byteLength,
  },
);

Object.setPrototypeOf(Buffer, Uint8Array);
Object.defineProperty(Buffer, 'prototype', { value: FastBuffer.prototype });
Object.defineProperty(Buffer, Symbol.species, { configurable: true, get: () => FastBuffer });
Object.defineProperty(FastBuffer.prototype, 'constructor', {
  value: Buffer,
  writable: true,
  configurable: true,
});

const rawMethods: Record<string, Encoding> = {
  ascii: 'ascii',
  base64: 'base64',
  base64url: 'base64url',
  latin1: 'latin1',
  hex: 'hex',
  ucs2: 'utf16le',
  utf8: 'utf8',
};
const added: Record<string, unknown> = numberMethods();
for (const [name, encoding] of Object.entries(rawMethods)) {
  added[`${name}Slice`] = function (this: FastBuffer, start?: number, end?: number) {
    return this.toString(encoding, start ?? 0, end ?? this.length);
  };
  added[`${name}Write`] = function (
    this: FastBuffer,
    text: string,
    offset = 0,
    length = this.length - offset,
  ) {
    if (offset < 0 || offset > this.length) throw outOfBounds('offset');
    if (length < 0 || length > this.length - offset) throw outOfBounds('length');
    return this.write(text, offset, length, encoding);
  };
}
for (const [name, value] of Object.entries(added))
  Object.defineProperty(FastBuffer.prototype, name, { value, writable: true, configurable: true });
// Enumerable in node, where they are assigned: what copies a prototype's methods finds them.
for (const name of Object.getOwnPropertyNames(FastBuffer.prototype)) {
  const property = Object.getOwnPropertyDescriptor(FastBuffer.prototype, name);
  if (property && name !== 'constructor')
    Object.defineProperty(FastBuffer.prototype, name, { ...property, enumerable: true });
}

export type NodeBuffer = FastBuffer;
