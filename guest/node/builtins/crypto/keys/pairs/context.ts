import type { AsymmetricMaterial } from '../../key-object.ts';
import type { KeyCodec } from '../codec.ts';
import { opensslError, type KeyTools } from '../tools.ts';
import { ownTimers } from '../../../../loop/own-timers.ts';

/** The parts that all functions on keys of pairs use. */
export interface PairContext {
  readonly tools: KeyTools;
  readonly codec: KeyCodec;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Returns a key object or the input that a key can be read from. An object may have either in `key`. */
export function keyInputOf({ tools: { keys } }: PairContext, input: unknown): unknown {
  return isObject(input) && keys.isKey(input.key) ? input.key : input;
}

/** Returns the material of a key that a program passes: an object of ours, or input that it can be read from. */
export function pairOf(
  context: PairContext,
  input: unknown,
  wanted: 'public' | 'private',
): AsymmetricMaterial {
  const { keys } = context.tools;
  const given = keyInputOf(context, input);
  if (!keys.isKey(given)) return context.codec.read(given, wanted);
  if (given.type === 'secret' || (wanted === 'private' && given.type === 'public'))
    throw keys.wrongType(given.type, wanted === 'private' ? 'private' : 'private or public');
  return keys.pairOf(given);
}

/** Returns bytes as programs get them: a Buffer, or text in an encoding. */
export function outputOf({ Buffer }: KeyTools, bytes: Uint8Array, encoding?: unknown): unknown {
  const whole = Buffer.from(bytes);
  return encoding === undefined || encoding === null || encoding === 'buffer'
    ? whole
    : whole.toString(encoding as 'hex');
}

/** Returns a result, or passes it to the callback where there is one. */
export function answer(tools: KeyTools, run: () => unknown, callback: unknown): unknown {
  return callback === undefined ? run() : answerLater(tools, run, callback);
}

export function answerLater(tools: KeyTools, run: () => unknown, callback: unknown): undefined {
  const errors: KeyTools['errors'] = tools.errors;
  errors.needFunction(callback, 'callback');
  const value = run();
  ownTimers().setImmediate(() => callback(null, value));
}

export function operationUnsupported(): Error {
  return opensslError(
    '03000096',
    'digital envelope routines',
    'operation not supported for this keytype',
    'ERR_OSSL_EVP_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE',
  );
}

export function invalidDigest({ errors }: KeyTools, digest: string | null | undefined): Error {
  return errors.plainError('ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${digest}`, TypeError);
}
