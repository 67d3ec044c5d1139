import * as z from 'zod/mini';

/** Bytes whose buffer can be transferred to another thread, which shared memory cannot. */
export const transferableBytes = z.custom<Uint8Array<ArrayBuffer>>(
  (value) => value instanceof Uint8Array && value.buffer instanceof ArrayBuffer,
);
