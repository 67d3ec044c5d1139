import { argTypeError, nodeError, type ErrorClass } from '../internal/errors.ts';
import original from 'readable-stream/lib/ours/errors.js';

type StreamErrorClass = new (...values: unknown[]) => Error & { readonly code: string };

/** Errors with node's own names and codes, not of a class of the package. */
function asNodeHasThem(code: string, Original: StreamErrorClass): (...values: unknown[]) => Error {
  const Base = Object.getPrototypeOf(Original) as ErrorClass;
  return function (...values) {
    // Newer node takes more kinds of bytes than the package says.
    if (code === 'ERR_INVALID_ARG_TYPE' && values[0] === 'chunk')
      return argTypeError('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], values[2]);
    return nodeError(code, new Original(...values).message, Base);
  };
}

export const { AbortError, aggregateTwoErrors, hideStackFrames } = original;
export const codes = Object.fromEntries(
  Object.entries(original.codes).map(([code, Original]) => [code, asNodeHasThem(code, Original)]),
);
