/** The bytes of a view or a buffer, where they lie; undefined of anything else. */
export function bytesIn(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
}

/** Those bytes and no others, in a buffer of their own: `slice` of a Buffer is a view of the same. */
export function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
