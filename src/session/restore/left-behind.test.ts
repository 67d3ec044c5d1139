import { expect, test } from 'vitest';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { change, harness } from '../../../test/support/session-harness.ts';
import { subagents } from '../../agents/agents.ts';
import { taskTools } from '../../tools/task/tools.ts';

test('a sub-agent in the background, and what it asks, end with what the person leaves', async () => {
  let asked: () => void = () => undefined;
  const asks = new Promise<void>((resolve) => (asked = resolve));
  const { session, sessions } = await harness(
    ({ messages }) => {
      if (JSON.stringify(messages[0]).includes('Change it'))
        return [...call('c2', 'change', { text: 'something' }), finish('tool-calls')];
      return messages.length === 1
        ? [
            ...call('c1', 'background_task', { description: 'Change', prompt: 'Change it' }),
            finish('tool-calls'),
          ]
        : [...say('It is under way.'), finish()];
    },
    {
      tools: [...taskTools(subagents), change],
      answerer: () => {
        asked();
        return new Promise(() => undefined);
      },
    },
  );
  const messageID = await session.prompt('Start it').then(() => [...session.state.messages.keys()][0] ?? '');
  await session.rested();
  await asks;
  const [task] = session.state.tasks;
  expect(task?.state).toBe('running');
  const plan = await session.restores.plan({ kind: 'before', messageID });
  await session.restores.run(plan, { conversation: true, files: false });
  expect(session.state.tasks.map(({ state }) => state)).not.toContain('running');
  // Its own log says how it ended, and nobody is asked any more.
  const child = await sessions.open(task?.childID ?? '');
  expect(child.state.turn).toBeNull();
  expect([...child.state.pending.values()]).toEqual([]);
  expect(session.state.head).toBeNull();
});
