import { expect, test } from 'vitest';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { finished } from '../../../test/support/recordings.ts';
import type { SnapshotEntry } from '../../workspace/workspace.ts';
import { comparedFiles, summaryOf } from './summary.ts';

const file = (path: string, hash: string): SnapshotEntry => ({
  path,
  type: 'file',
  mode: 0o644,
  modified: 1,
  size: 1,
  hash,
});

test('steps, calls, tokens and time of a session', async () => {
  const { session } = await finished([
    [
      ...call('c1', 'read', { filePath: 'add.js' }),
      ...call('c2', 'read', { filePath: 'none.js' }),
      finish('tool-calls'),
    ],
    [...say('Done.'), finish()],
  ]);
  const summary = summaryOf(session.state);
  expect(summary).toMatchObject({
    status: 'idle',
    steps: 2,
    calls: 2,
    failed: 1,
    inputTokens: 20,
    outputTokens: 10,
    cost: null,
  });
  expect(summary.time).toBeGreaterThan(0);
});

test('what sub-agents came to is in the tokens and the cost', async () => {
  const { session } = await finished([[...say('Done.'), finish()]]);
  const task = {
    ...{ childID: 'ses_child', messageID: 'm', callID: 'c', agent: 'explore', title: 'Look' },
    ...{ background: false, state: 'completed' as const },
    spent: { usage: { inputTokens: 100, outputTokens: 50 }, cost: 0.25 },
  };
  expect(summaryOf({ ...session.state, tasks: [task] })).toMatchObject({
    inputTokens: 110,
    outputTokens: 55,
    cost: 0.25,
  });
});

test('while a sub-agent works in the background it has not ended', async () => {
  const { session } = await finished([[...say('It is looked at.'), finish()]]);
  const task = {
    ...{ childID: 'ses_child', messageID: 'm', callID: 'c', agent: 'explore', title: 'Look' },
    background: true,
  };
  const status = (state: 'running' | 'completed') =>
    summaryOf({ ...session.state, tasks: [{ ...task, state }] }).status;
  expect(status('running')).toBeNull();
  expect(status('completed')).toBe('idle');
});

test('files by what became of them on either side', () => {
  const start = [file('kept', '1'), file('edited', '1'), file('gone', '1')];
  const a = [file('kept', '1'), file('edited', '2'), file('new', '3')];
  const b = [file('kept', '1'), file('edited', '2'), file('gone', '1')];
  const dir: SnapshotEntry = { path: 'd', type: 'directory', mode: 0o755 };
  expect(comparedFiles(start, [...a, dir], b)).toEqual([
    { path: 'edited', a: 'changed', b: 'changed', equal: true },
    { path: 'gone', a: 'removed', b: 'same', equal: false },
    { path: 'new', a: 'created', b: 'same', equal: false },
  ]);
  expect(comparedFiles(start, start, start)).toEqual([]);
});
