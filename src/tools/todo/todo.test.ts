import { expect, test } from 'vitest';
import { call, finish, say, type PartsStep } from '../../../test/support/parts-model.ts';
import { harness, next, passing, sessionsOver } from '../../../test/support/session-harness.ts';
import { TestCall } from '../../../test/support/tool-context.ts';
import { rulesOf } from '../../permissions/settings.ts';
import type { Session } from '../../session/session.ts';
import { todoreadTool, todowriteTool } from './tools.ts';

const look = { content: 'Look', status: 'completed', priority: 'high' };
const fix = { content: 'Fix', status: 'in_progress' };

async function write(call: TestCall, ...todos: object[]) {
  const result = await call.run(todowriteTool, JSON.parse(JSON.stringify({ todos })));
  call.previous.set('todowrite', result.metadata);
  return result;
}
const ids = (result: { metadata: { todos?: unknown } }) =>
  (result.metadata.todos as { id: string }[]).map(({ id }) => id);

test('the whole list is kept, and the title counts the open tasks', async () => {
  const call = new TestCall();
  const result = await write(call, look, fix, { content: 'Not now', status: 'cancelled' });
  expect(result.title).toBe('1 todo');
  const list = [
    { id: '1', ...look },
    { id: '2', ...fix, priority: 'medium' },
    { id: '3', content: 'Not now', status: 'cancelled', priority: 'medium' },
  ];
  expect(result.metadata).toEqual({ truncated: false, todos: list });
  expect(JSON.parse(result.output)).toEqual(list);
  expect((await call.run(todoreadTool, {})).metadata['todos']).toEqual(list);
  expect(call.asks).toEqual([]);
});

test('ids stay with their task', async () => {
  const call = new TestCall();
  expect(ids(await write(call, look, fix))).toEqual(['1', '2']);
  expect(ids(await write(call, { content: 'New', status: 'pending' }, fix))).toEqual(['3', '2']);
  expect(ids(await write(call, { id: '2', content: 'Fix it all', status: 'pending' }, { ...fix }))).toEqual([
    '2',
    '1',
  ]);
  expect(ids(await write(call, { id: 'own', ...look }, { ...look }, { ...look }))).toHaveLength(3);
});

test.each([
  [[fix, fix], 'only one task may be in_progress'],
  [
    [
      { id: 'a', ...look },
      { id: 'a', ...look },
    ],
    'tasks must have different ids',
  ],
  [[{ content: ' ', status: 'pending' }], 'todos.0.content'],
  [[{ content: 'x', status: 'done' }], 'todos.0.status'],
])('%j is refused', async (todos, says) => {
  await expect(write(new TestCall(), ...todos)).rejects.toThrow(says);
});

test('the list is empty at first, and rules apply to it', async () => {
  const call = new TestCall();
  expect(await call.run(todoreadTool, {})).toMatchObject({ title: '0 todos', output: '[]' });
  call.rules.push(...rulesOf({ todoread: 'deny' }, 'settings'));
  await expect(call.run(todoreadTool, {})).rejects.toThrow('denied');
});

test('the list belongs to the session, and is there after a reload', async () => {
  const tools = [todowriteTool, todoreadTool];
  const first = await harness(
    [
      [...call('c1', 'todowrite', { todos: [look, fix] }), finish('tool-calls')],
      [...say('Listed.'), finish()],
    ],
    { tools },
  );
  await first.session.prompt('Plan it');
  expect(await passing(first.timer, 16, first.session.rested())).toBe('idle');
  await first.session.close();

  const read: PartsStep[] = [
    [...call('c2', 'todoread', {}), finish('tool-calls')],
    [...say('Read.'), finish()],
  ];
  let count = 0;
  const fresh = { next: (prefix: string) => `${prefix}_again_${count++}` };
  const again = sessionsOver([...read, ...read], { tools, store: first.store, ids: fresh });
  const titles = async (session: Session) => {
    const ended = next(session, 'call.ended');
    await session.prompt('Read it');
    await passing(again.timer, 16, session.rested());
    return (await ended).title;
  };
  expect(await titles(await again.sessions.open(first.session.id))).toBe('1 todo');
  const other = await again.sessions.create({ workspaceID: again.workspace.id });
  expect(await titles(other)).toBe('0 todos');
});
