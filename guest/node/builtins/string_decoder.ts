import type { MakeBuiltin } from './builtin.ts';
import { inheritable, plainBase } from './callable.ts';
import { decode, type Encoding } from './buffer/encodings.ts';
import { Buffer, encodingOf } from './buffer/buffer.ts';
import { argTypeError } from './internal/errors.ts';

/** Decodes bytes that come in pieces. An incomplete character waits for the next piece. */
class Decoder extends plainBase(Object) {
  readonly encoding: string;
  lastNeed = 0;
  lastTotal = 0;
  lastChar = Buffer.alloc(4);
  #kept = new Uint8Array(0);
  readonly #kind: Encoding;

  constructor(encoding: unknown = 'utf8') {
    super();
    this.#kind = encodingOf(encoding ?? 'utf8');
    this.encoding = this.#kind;
  }

  write(piece: unknown): string {
    if (typeof piece === 'string') return piece;
    if (!ArrayBuffer.isView(piece)) throw argTypeError('buf', ['Buffer', 'TypedArray', 'DataView'], piece);
    const fresh = new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
    const bytes = this.#kept.length === 0 ? fresh : joined(this.#kept, fresh);
    const whole = bytes.length - this.#incomplete(bytes);
    this.#kept = bytes.slice(whole);
    this.lastNeed = this.#kept.length;
    return decode(bytes.subarray(0, whole), this.#kind);
  }

  end(piece?: unknown): string {
    const text = piece === undefined ? '' : this.write(piece);
    const rest = this.#kept;
    this.#kept = new Uint8Array(0);
    this.lastNeed = 0;
    return rest.length === 0 ? text : text + decode(rest, this.#kind);
  }

  text(piece: Uint8Array, offset: number): string {
    this.#kept = new Uint8Array(0);
    return this.write(piece.subarray(offset));
  }

  #incomplete(bytes: Uint8Array): number {
    switch (this.#kind) {
      case 'utf8':
        return incompleteUtf8(bytes);
      case 'utf16le': {
        const odd = bytes.length % 2;
        const high = bytes[bytes.length - odd - 1] ?? 0;
        return high >= 0xd8 && high <= 0xdb && bytes.length - odd >= 2 ? odd + 2 : odd;
      }
      case 'base64':
      case 'base64url':
        return bytes.length % 3;
      case 'latin1':
      case 'ascii':
      case 'hex':
        return 0;
    }
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** Returns how many bytes at the end begin a character that may still become complete. */
function incompleteUtf8(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const size =
      byte >= 0xf0 && byte <= 0xf4 ? 4 : byte >= 0xe0 ? (byte < 0xf0 ? 3 : 1) : byte >= 0xc2 ? 2 : 1;
    if (size <= back) return 0;
    // A sequence that no continuation can complete is reported at once.
    const second = bytes[bytes.length - back + 1];
    if (back > 1 && second !== undefined && !canFollow(byte, second)) return 0;
    return back;
  }
  return 0;
}

function canFollow(first: number, second: number): boolean {
  if (first === 0xe0) return second >= 0xa0;
  if (first === 0xed) return second <= 0x9f;
  if (first === 0xf0) return second >= 0x90;
  if (first === 0xf4) return second <= 0x8f;
  return true;
}

Object.defineProperty(Decoder, 'name', { value: 'StringDecoder' });

/** iconv-lite 0.4, with which Express 4 reads bodies, calls it on objects of its own. */
export const StringDecoder = inheritable(Decoder);

export const makeStringDecoder: MakeBuiltin = () => ({ StringDecoder });
