import type { Buffer as NodeBuffer } from 'node:buffer';
import type { Transform as NodeTransform } from 'node:stream';
import type { LoadBuiltin } from '../builtin.ts';
import { bytesIn } from '../internal/bytes.ts';
import { argTypeError, argValueError } from '../internal/errors.ts';
import { ownTimers } from '../../loop/own-timers.ts';

export type Callback = (error: unknown, value?: unknown) => void;

/** The modules and conversions that the members of `crypto` share. */
export class CryptoContext {
  readonly Buffer: typeof NodeBuffer;
  readonly Transform: typeof NodeTransform;
  readonly load: LoadBuiltin;

  constructor(load: LoadBuiltin) {
    this.load = load;
    this.Buffer = load('buffer').Buffer;
    this.Transform = load('stream').Transform;
  }

  /** Returns the bytes of a string or a view. Throws what node throws for the argument of that name. */
  bytesOf(value: unknown, name: string, encoding?: unknown): Uint8Array {
    const { Buffer } = this;
    if (typeof value === 'string') {
      const chosen = String(encoding);
      if (value.length % 2 === 1 && chosen.toLowerCase() === 'hex')
        throw argValueError('encoding', encoding, `is invalid for data of length ${value.length}`);
      return Buffer.from(value, Buffer.isEncoding(chosen) ? chosen : 'utf8');
    }
    const bytes = bytesIn(value);
    if (!bytes) throw argTypeError(name, ['string', 'Buffer', 'TypedArray', 'DataView'], value);
    return bytes;
  }

  /** Returns bytes as programs get them: as text if the encoding is one, otherwise as a Buffer. */
  output(bytes: Uint8Array, encoding?: unknown): unknown {
    const whole = this.Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const name = encoding === undefined || encoding === null ? '' : String(encoding);
    return this.Buffer.isEncoding(name) ? whole.toString(name) : whole;
  }
}

/** Does the work now, but calls back later, like node with its other threads. */
export function later(work: () => unknown, callback: Callback): void {
  let value: unknown;
  try {
    value = work();
  } catch (error) {
    return globalThis.process.nextTick(callback, error);
  }
  ownTimers().setImmediate(() => callback(null, value));
}
