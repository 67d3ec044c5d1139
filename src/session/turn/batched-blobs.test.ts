import { expect, test } from 'vitest';
import type { Blob } from '../log/store.ts';
import { BatchedBlobs } from './batched-blobs.ts';

const blob = (hash: string): Blob => ({ hash, bytes: new Uint8Array() });

test('what is put while the store writes is written together, in order', async () => {
  const writes: string[][] = [];
  const batched = new BatchedBlobs(
    {
      put: async (_owner, blobs) => {
        await new Promise((resolve) => setImmediate(resolve));
        writes.push(blobs.map(({ hash }) => hash));
      },
    },
    'ses_1',
  );
  const first = batched.put(blob('a'));
  await Promise.resolve();
  await Promise.resolve();
  await Promise.all([first, batched.put(blob('b')), batched.put(blob('c'))]);
  expect(writes).toEqual([['a'], ['b', 'c']]);
});

test('who puts what cannot be stored is told, and the next ones are tried again', async () => {
  let full = true;
  const batched = new BatchedBlobs(
    {
      put: async () => {
        if (full) throw new Error('full');
      },
    },
    'ses_1',
  );
  await expect(batched.put(blob('a'))).rejects.toThrow('full');
  full = false;
  await expect(batched.put(blob('b'))).resolves.toBeUndefined();
});
