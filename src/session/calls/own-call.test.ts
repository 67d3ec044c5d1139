import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { finish, say } from '../../../test/support/parts-model.ts';
import { harness, next, passing, type HarnessOptions } from '../../../test/support/session-harness.ts';
import { builtinTools } from '../../tools/builtin.ts';

const answer = [...say('Seen.'), finish()];
const files = { 'a.txt': 'one\n' };

const started = async (options: HarnessOptions = {}) => {
  const workspace = new MemoryWorkspace({ files });
  return { ...(await harness([answer], { tools: builtinTools, workspace, ...options })), workspace };
};

test('a call returns what a model would get, starts no turn, and the next request has it', async () => {
  const { session, events, model, timer } = await started();
  const result = await passing(timer, 16, session.call('read', { filePath: 'a.txt' }));
  expect(result).toMatchObject({ outcome: 'ok', output: expect.stringContaining('one'), title: 'a.txt' });
  expect(events.map(({ type }) => type)).not.toContain('turn.started');

  await session.prompt('And?');
  await passing(timer, 16, session.rested());
  const [told, asked] = model.requests[0]!.messages;
  expect(told!.content).toContain('read {"filePath":"a.txt"');
  expect(told!.content).toContain('one');
  expect(asked).toMatchObject({ role: 'user', content: 'And?' });
});

test('the rules decide: what is denied does not run, and what asks waits for the answer', async () => {
  const settings = { edit: { '*': 'ask', '*.lock': 'deny' } } as const;
  const { session, workspace, timer } = await started({ settings });
  const denied = await passing(timer, 16, session.call('write', { filePath: 'a.lock', content: '' }));
  expect(denied).toMatchObject({ outcome: 'denied' });
  const write = { filePath: 'b.txt', content: 'two' };
  const asked = next(session, 'permission.asked');
  const writing = session.call('write', write);
  await expect(session.call('read', { filePath: 'a.txt' })).rejects.toMatchObject({
    fault: { code: 'turn-runs' },
  });
  session.answer((await passing(timer, 16, asked)).requestID, { reply: 'reject' }, 'person');
  expect(await passing(timer, 16, writing)).toMatchObject({ outcome: 'denied' });
  await expect(async () => workspace.files.text('b.txt')).rejects.toThrow('ENOENT');

  const again = next(session, 'permission.asked');
  const allowed = session.call('write', write);
  session.answer((await passing(timer, 16, again)).requestID, { reply: 'once' }, 'person');
  expect(await passing(timer, 16, allowed)).toMatchObject({ outcome: 'ok' });
  expect(workspace.files.text('b.txt')).toBe('two');
});

test('a tool that is not there, and arguments that do not fit, are results that say so', async () => {
  const { session, timer } = await started();
  const unknown = await passing(timer, 16, session.call('fly', {}));
  expect(unknown).toMatchObject({ outcome: 'invalid', output: expect.stringContaining('fly') });
  const unfit = await passing(timer, 16, session.call('read', {}));
  expect(unfit).toMatchObject({ outcome: 'invalid', output: expect.stringContaining('filePath') });
});

test('a call that waits can be stopped', async () => {
  const { session, timer } = await started({ settings: { edit: 'ask' } });
  const asked = next(session, 'permission.asked');
  const writing = session.call('write', { filePath: 'b.txt', content: 'two' });
  await asked;
  session.abort();
  expect(await passing(timer, 16, writing)).toMatchObject({ outcome: 'cancelled' });
});
