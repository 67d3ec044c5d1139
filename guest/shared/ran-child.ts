import type { RanChild } from './wire.ts';

const LENGTH_BYTES = 8;

/** Packs the result of a child that was waited for: two lengths, how it ended as JSON, and its outputs. */
export function packRan(ran: RanChild, stdout: Uint8Array, stderr: Uint8Array): Uint8Array {
  const how = new TextEncoder().encode(JSON.stringify(ran));
  const packed = new Uint8Array(LENGTH_BYTES + how.byteLength + stdout.byteLength + stderr.byteLength);
  new Uint32Array(packed.buffer, 0, 2).set([how.byteLength, stdout.byteLength]);
  packed.set(how, LENGTH_BYTES);
  packed.set(stdout, LENGTH_BYTES + how.byteLength);
  packed.set(stderr, LENGTH_BYTES + how.byteLength + stdout.byteLength);
  return packed;
}

export function unpackRan(packed: Uint8Array): {
  readonly ran: RanChild;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
} {
  const [howBytes = 0, stdoutBytes = 0] = new Uint32Array(packed.slice(0, LENGTH_BYTES).buffer);
  const stdoutAt = LENGTH_BYTES + howBytes;
  const stderrAt = stdoutAt + stdoutBytes;
  return {
    ran: JSON.parse(new TextDecoder().decode(packed.subarray(LENGTH_BYTES, stdoutAt))),
    stdout: packed.slice(stdoutAt, stderrAt),
    stderr: packed.slice(stderrAt),
  };
}
