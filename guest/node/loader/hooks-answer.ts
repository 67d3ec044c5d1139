import { joined } from '../../../src/base/bytes.ts';

// Answers go from the thread of the hooks to the waiting thread piece by piece, through shared memory. The memory begins
// with the state and the length of the current piece.
const STATE = 0;
const LENGTH = 1;
const HEAD = 8;
const [FREE, MORE, LAST] = [0, 1, 2];

export function newAnswerMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEAD + 256 * 1024);
}

/** Blocks until one answer has arrived completely. */
export function waitForAnswer(memory: SharedArrayBuffer): Uint8Array {
  const head = new Int32Array(memory, 0, HEAD / 4);
  const pieces: Uint8Array[] = [];
  for (;;) {
    Atomics.wait(head, STATE, FREE);
    const state = Atomics.load(head, STATE);
    pieces.push(new Uint8Array(memory, HEAD, Atomics.load(head, LENGTH)).slice());
    Atomics.store(head, STATE, FREE);
    Atomics.notify(head, STATE);
    if (state === LAST) break;
  }
  return joined(pieces);
}

/** Sends one answer to the thread that waits for it. */
export function giveAnswer(memory: SharedArrayBuffer, bytes: Uint8Array): void {
  const head = new Int32Array(memory, 0, HEAD / 4);
  const room = memory.byteLength - HEAD;
  for (let at = 0; ; at += room) {
    const piece = bytes.subarray(at, at + room);
    const isLast = at + room >= bytes.byteLength;
    for (let state = Atomics.load(head, STATE); state !== FREE; state = Atomics.load(head, STATE))
      Atomics.wait(head, STATE, state);
    new Uint8Array(memory, HEAD).set(piece);
    Atomics.store(head, LENGTH, piece.byteLength);
    Atomics.store(head, STATE, isLast ? LAST : MORE);
    Atomics.notify(head, STATE);
    if (isLast) return;
  }
}
