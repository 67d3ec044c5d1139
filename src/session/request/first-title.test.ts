import { expect, test } from 'vitest';
import { harness } from '../../../test/support/session-harness.ts';
import { finish, say } from '../../../test/support/parts-model.ts';

test('a command names its session, and the end of its jobs does not', async () => {
  const { sessions } = await harness([[...say('Fine.'), finish()]]);
  const session = await sessions.create({ workspaceID: 'wsp_memory' });
  await session.prompt('!sleep 300 &', { origin: { kind: 'command' } });
  expect(session.state.title).toBe('!sleep 300 &');
  const told = 'A job has ended.';
  await session.prompt(told, { origin: { kind: 'jobs-ended', jobs: [] } });
  expect(session.state.title).toBe('!sleep 300 &');
  // The first prompt says what the session is for, whatever was run before it.
  await session.prompt('Write it');
  expect(session.state.title).toBe('Write it');
});
