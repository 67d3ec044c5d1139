import { expect, test } from 'vitest';
import type { Answer } from '../../offline/messages.ts';
import { ask, type Asked } from './worker-link.ts';

const kept = { build: 'a', bytes: 1, ofBytes: 2, works: false };
const answering = (...answers: Answer[]): Asked => ({
  postMessage: (_question: unknown, ports?: unknown) => {
    const [port] = ports as MessagePort[];
    for (const answer of answers) port?.postMessage(answer);
  },
});

test('progress is reported until the last answer', async () => {
  const seen: number[] = [];
  const worker = answering(
    { kind: 'kept', kept, done: false },
    { kind: 'kept', kept: { ...kept, bytes: 2 }, done: true },
  );
  expect(
    await ask(
      () => worker,
      { kind: 'download' },
      ({ bytes }) => seen.push(bytes),
    ),
  ).toMatchObject({ bytes: 2 });
  expect(seen).toEqual([1]);
});

test('a failure is told in the words of the worker', async () => {
  const worker = answering({ kind: 'failed', why: 'assets/a.js answered 404' });
  await expect(ask(() => worker, { kind: 'download' })).rejects.toThrow('assets/a.js answered 404');
});

test('a worker that the browser has ended is asked again, and one that never answers is given up', async () => {
  const workers = [null, answering(), answering({ kind: 'kept', kept, done: true })];
  expect(await ask(() => workers.shift() ?? null, { kind: 'kept' }, undefined, 5)).toEqual(kept);
  await expect(ask(() => null, { kind: 'kept' }, undefined, 1)).rejects.toThrow('does not answer');
});
