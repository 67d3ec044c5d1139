import { nodeError, type ErrorClass } from '../internal/errors.ts';
import original from 'readable-stream/lib/ours/errors.js';

type StreamErrorClass = new (...values: never[]) => Error & { readonly code: string };

/** Errors with node's own names and codes, not of a class of the package. */
function asNodeHasThem(code: string, Original: StreamErrorClass): (...values: never[]) => Error {
  const Base = Object.getPrototypeOf(Original) as ErrorClass;
  return function (...values) {
    return nodeError(code, new Original(...values).message, Base);
  };
}

export const { AbortError, aggregateTwoErrors, hideStackFrames } = original;
export const codes = Object.fromEntries(
  Object.entries(original.codes).map(([code, Original]) => [code, asNodeHasThem(code, Original)]),
);
