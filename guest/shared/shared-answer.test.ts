import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { Answerer, Asker, sharedMemory } from './shared-answer.ts';

/** Acts as the kernel: wakes the waiting worker too early, then copies the answer into its memory. */
const LATE_WAKING = `
  const { workerData: { shared, answer } } = require('node:worker_threads');
  const words = new Int32Array(shared, 0, 16);
  while (Atomics.notify(words, 0) === 0);
  new Uint8Array(shared).set(new Uint8Array(answer));
  Atomics.notify(words, 0);
`;

test('a waking that comes late, of the answer before, is not taken for the next answer', async () => {
  // This memory is in the state in which the kernel leaves it.
  const answered = sharedMemory();
  new Answerer(answered).answer('the next');
  const shared = sharedMemory();
  const asker = new Asker(shared, () => {});
  let thread: Worker | undefined;
  const answer = asker.ask(() => {
    thread = new Worker(LATE_WAKING, {
      eval: true,
      workerData: { shared, answer: Uint8Array.from(new Uint8Array(answered)).buffer },
    });
  });
  expect(answer).toBe('the next');
  await thread?.terminate();
});
