import type * as buffer from 'node:buffer';
import type * as stream from 'node:stream';
import type * as stringDecoder from 'node:string_decoder';
import type { hmac } from '@noble/hashes/hmac.js';
import type { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import type * as errors from '../../internal/errors.ts';
import type * as bytes from '../../internal/bytes.ts';
import type * as hashes from '../hashes.ts';
import type * as keyObject from '../key-object.ts';

/** The modules that the process passes to this part of node, which is a separate script and shares none. */
export interface KeyTools {
  readonly Buffer: typeof buffer.Buffer;
  readonly Transform: typeof stream.Transform;
  readonly Writable: typeof stream.Writable;
  readonly StringDecoder: typeof stringDecoder.StringDecoder;
  readonly errors: typeof errors;
  readonly bytes: typeof bytes;
  readonly hashes: typeof hashes;
  readonly keys: typeof keyObject;
  readonly hmac: typeof hmac;
  readonly pbkdf2: typeof pbkdf2;
  hkdf(
    hash: hashes.HashFunction,
    key: Uint8Array,
    salt: Uint8Array,
    info: Uint8Array,
    length: number,
  ): Uint8Array;
  random(length: number): Uint8Array;
  /** Bytes of a string or a view; throws what node throws of that argument. */
  bytesOf(value: unknown, name: string, encoding?: unknown): Uint8Array;
}

/** An error of OpenSSL, as it is worded there. */
export function opensslError(number: string, library: string, reason: string, code?: string): Error {
  return Object.assign(new Error(`error:${number}:${library}::${reason}`), {
    library,
    reason,
    code: code ?? `ERR_OSSL_${reason.toUpperCase().replaceAll(' ', '_')}`,
  });
}
