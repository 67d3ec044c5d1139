import { expect, test } from 'vitest';
import type { FromNode, ToNode } from '../shared/wire.ts';
import type { WorkerPeer } from '../shared/protocol.ts';
import { NodePool } from './node-pool.ts';

const names = new SharedArrayBuffer(4);
const worker = (): WorkerPeer<ToNode, FromNode> => ({
  post: () => {},
  onMessage: () => {},
  onFailure: () => {},
  terminate: () => {},
});

test('simultaneous requests share one fetch, and a failed fetch is tried again', async () => {
  const answers: { resolve(script: Blob): void; reject(error: Error): void }[] = [];
  const pool = new NodePool(
    () => new Promise((resolve, reject) => answers.push({ resolve, reject })),
    worker,
    names,
  );
  const refused = [pool.take(), pool.take()];
  expect(answers).toHaveLength(1);
  answers[0]?.reject(new Error('gone'));
  for (const each of refused) await expect(each).rejects.toThrow('gone');
  const taken = [pool.take(), pool.take()];
  expect(answers).toHaveLength(2);
  answers[1]?.resolve(new Blob());
  expect(await Promise.all(taken)).toHaveLength(2);
});

test('only a few workers load at once, and those that are no longer wanted never start', async () => {
  const said: ((message: FromNode) => void)[] = [];
  const pool = new NodePool(
    async () => new Blob(),
    () => ({ ...worker(), onMessage: (listener) => said.push(listener) }),
    names,
  );
  let wanted = true;
  const taken = Array.from({ length: 6 }, () => pool.take(() => wanted));
  await taken[0];
  await taken[3];
  expect(said).toHaveLength(4);
  said[0]?.({ kind: 'ready' });
  await taken[4];
  expect(said).toHaveLength(5);
  wanted = false;
  said[1]?.({ kind: 'ready' });
  expect(await taken[5]).toBeUndefined();
  expect(said).toHaveLength(5);
  expect(await pool.take()).toBeDefined();
});
