import { expect, test, vi } from 'vitest';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { echo, harness } from '../../../test/support/session-harness.ts';
import { subagents } from '../../agents/agents.ts';
import { taskTools } from '../../tools/task/tools.ts';
import { readSession } from './open.ts';

const fine = [...say('Fine.'), finish()];
const facts = { efforts: ['low', 'medium', 'high'] } as const;
const settings = ({ requests }: { requests: readonly { settings: unknown }[] }) =>
  requests.map((request) => request.settings);

test('is kept with the session, asked for from the next step on, and taken back', async () => {
  const { session, sessions, store, model } = await harness(
    [fine, [...call('c1', 'echo', {}), finish('tool-calls')], fine, fine],
    { facts, tools: [echo] },
  );
  await session.prompt('One');
  await session.rested();
  await session.chooseEffort('high');
  await session.prompt('Two');
  await session.rested();
  await sessions.close(session.id);
  expect((await readSession(store, session.id)).state.effort).toBe('high');
  const again = await sessions.open(session.id);
  await again.chooseEffort(null);
  await again.prompt('Three');
  await again.rested();
  expect(settings(model)).toEqual([{}, { reasoning: 'high' }, { reasoning: 'high' }, {}]);
});

test('a model that offers less gets the most it has; one that offers no choice is asked for none', async () => {
  const some = await harness([fine], { facts: { efforts: ['low', 'medium'] } });
  await some.session.chooseEffort('max');
  await some.session.prompt('Go');
  await some.session.rested();
  expect(settings(some.model)).toEqual([{ reasoning: 'medium' }]);
  const none = await harness([fine]);
  await none.session.chooseEffort('max');
  await none.session.prompt('Go');
  await none.session.rested();
  expect(settings(none.model)).toEqual([{}]);
});

test('holds for sub-agents; a name is made with the least', async () => {
  const { sessions, model } = await harness(
    ({ messages, system }) => {
      if (JSON.stringify(messages).includes('Name the conversation')) return [...say('Looking'), finish()];
      const given = messages.length === 1 && !JSON.stringify(messages).includes('Look it up');
      return given && system
        ? [...call('c1', 'task', { description: 'Look', prompt: 'Look it up' }), finish('tool-calls')]
        : fine;
    },
    { facts, tools: taskTools(subagents), titles: () => true },
  );
  const session = await sessions.create({ workspaceID: 'w', title: '' });
  await session.chooseEffort('medium');
  await session.prompt('Where?');
  await session.rested();
  await vi.waitUntil(() => model.requests.length === 4);
  const asked = model.requests.map(({ messages, settings: { reasoning } }) => {
    const text = JSON.stringify(messages[0]?.content);
    return [/Name the/.test(text) ? 'name' : /Look it/.test(text) ? 'child' : 'parent', reasoning];
  });
  expect(asked.sort()).toEqual([
    ['child', 'medium'],
    ['name', 'low'],
    ['parent', 'medium'],
    ['parent', 'medium'],
  ]);
});
