import { expect, test } from 'vitest';
import type { FromNode, ToNode } from '../node/wire.ts';
import type { WorkerPeer } from '../protocol.ts';
import { NodePool } from './node-pool.ts';

const worker = (): WorkerPeer<ToNode, FromNode> => ({
  post: () => {},
  onMessage: () => {},
  onFailure: () => {},
  terminate: () => {},
});

test('two that want the program at once both get it, and a fetch that failed is tried again', async () => {
  const answers: { resolve(source: string): void; reject(error: Error): void }[] = [];
  const pool = new NodePool(
    () => new Promise((resolve, reject) => answers.push({ resolve, reject })),
    worker,
  );
  const refused = [pool.take(), pool.take()];
  expect(answers).toHaveLength(1);
  answers[0]?.reject(new Error('gone'));
  for (const each of refused) await expect(each).rejects.toThrow('gone');
  const taken = [pool.take(), pool.take()];
  expect(answers).toHaveLength(2);
  answers[1]?.resolve('node');
  expect(await Promise.all(taken)).toHaveLength(2);
});
