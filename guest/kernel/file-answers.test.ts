import { expect, test } from 'vitest';
import { withResolvers } from '../../src/base/with-resolvers.ts';
import type { NodeFsCall } from '../shared/wire.ts';
import { ReadRefused } from './access.ts';
import { FsError } from './errors.ts';
import { answerFiles, type FileAnswering } from './file-answers.ts';

const look = (path: string): NodeFsCall => ({ op: 'look', path });
const MISSING = { code: 'ENOENT', message: "ENOENT: no such file or directory, '/missing'" };

/** Answers with the path that was asked for. Some paths fail. */
function answering(prepare: FileAnswering['prepare'] = () => undefined) {
  const carriedOut: string[] = [];
  const refused: string[] = [];
  const answers: unknown[] = [];
  const answering: FileAnswering = {
    carryOut(call) {
      if (call.op !== 'look') throw new Error('only looking is asked for');
      carriedOut.push(call.path);
      if (call.path === '/missing') throw new FsError('ENOENT', call.path);
      if (call.path === '/secret') throw new ReadRefused(call.path);
      return call.path;
    },
    prepare,
    onRefused: ({ path }) => refused.push(path),
  };
  const answer = {
    answer: (value: unknown) => answers.push(value),
    fail: (code: string, message: string) => answers.push({ code, message }),
  };
  return { answering, answer, answers, carriedOut, refused };
}

test('several operations are carried out in order, and one that fails stops none', () => {
  const { answering: how, answer, answers, carriedOut, refused } = answering();
  const calls = ['/a', '/missing', '/secret', '/b'].map(look);
  answerFiles({ kind: 'severalFiles', calls }, how, answer);
  expect(carriedOut).toEqual(['/a', '/missing', '/secret', '/b']);
  expect(answers).toEqual([
    [
      { value: '/a' },
      { failed: MISSING },
      { failed: expect.objectContaining({ code: 'EACCES' }) },
      { value: '/b' },
    ],
  ]);
  expect(refused).toEqual(['/secret']);
});

test('one operation is answered by itself', () => {
  const { answering: how, answer, answers } = answering();
  answerFiles({ kind: 'files', call: look('/a') }, how, answer);
  answerFiles({ kind: 'files', call: look('/missing') }, how, answer);
  expect(answers).toEqual(['/a', MISSING]);
});

test('several operations wait until all that they need is fetched, and none is carried out if that fails', async () => {
  const { promise, resolve } = withResolvers<void>();
  const waiting = answering((call) => (call.op === 'look' && call.path === '/far' ? promise : undefined));
  answerFiles({ kind: 'severalFiles', calls: ['/a', '/far'].map(look) }, waiting.answering, waiting.answer);
  expect(waiting.carriedOut).toEqual([]);
  resolve();
  await expect.poll(() => waiting.answers).toEqual([[{ value: '/a' }, { value: '/far' }]]);

  const failing = answering(() => Promise.reject(new FsError('EIO', '/a')));
  answerFiles({ kind: 'severalFiles', calls: [look('/a')] }, failing.answering, failing.answer);
  await expect.poll(() => failing.answers).toEqual([expect.objectContaining({ code: 'EIO' })]);
  expect(failing.carriedOut).toEqual([]);
});
