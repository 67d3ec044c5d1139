/** Tags of the engine's format of serialized values, version 15, as characters. */
export const VERSION = 15;

/** Kinds of views as node numbers them, behind the tag of host objects; a Buffer is one of its own. */
export const VIEWS = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  DataView,
  undefined,
  BigInt64Array,
  BigUint64Array,
] as const;
export const BUFFER = 10;

export const ERRORS: Readonly<Record<string, ErrorConstructor>> = {
  E: EvalError,
  R: RangeError,
  F: ReferenceError,
  S: SyntaxError,
  T: TypeError,
  U: URIError,
};

/** The flags in the order of their bits. */
export const FLAGS = ['g', 'i', 'm', 'y', 'u', 's', '', 'd', 'v'];
