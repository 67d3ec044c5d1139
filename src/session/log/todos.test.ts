import { expect, test } from 'vitest';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness } from '../../../test/support/session-harness.ts';
import { builtinTools } from '../../tools/builtin.ts';
import { emptyState, reduce } from './reduce.ts';
import { isOpen, todosOf } from './todos.ts';

const todo = (content: string, status: string) => ({ content, status, priority: 'high' });

test('the state holds the list as written last, whoever reads the session', async () => {
  const { session, sessions, store } = await harness(
    [
      [
        ...call('c1', 'todowrite', { todos: [todo('a', 'in_progress'), todo('b', 'pending')] }),
        finish('tool-calls'),
      ],
      [...call('c2', 'todowrite', { todos: [todo('a', 'completed'), { content: 5 }] }), finish('tool-calls')],
      [
        ...call('c3', 'batch', { tools: [{ tool: 'todowrite', args: { todos: [todo('a', 'completed')] } }] }),
        finish('tool-calls'),
      ],
      [...say('Done.'), finish()],
    ],
    { tools: builtinTools, flags: new Set(['experimental.batch_tool']) },
  );
  await session.prompt('Go');
  await session.rested();
  const last = [{ id: '1', content: 'a', status: 'completed', priority: 'high' }];
  expect(session.state.todos).toEqual(last);
  const events = await store.events(session.id, 0);
  const first = events.findIndex((event) => event.type === 'call.ended' && event.callID === 'c2');
  expect(
    reduce(events.slice(0, first + 1), emptyState(session.id)).todos.map(({ content }) => content),
  ).toEqual(['a', 'b']);
  await sessions.close(session.id);
  const [record] = await sessions.list();
  expect(record?.state.todos).toEqual(last);
  expect((await sessions.open(session.id)).state.todos).toEqual(last);
});

test.each([[{}], [{ todos: 'a' }], [{ todos: [{ content: 'a' }] }], [{ todos: [null] }]])(
  'no list of tasks: %j',
  (metadata) => expect(todosOf(metadata)).toBeUndefined(),
);

test('a list is open while something is left to be done', () => {
  const list = (...statuses: ('completed' | 'cancelled' | 'pending')[]) =>
    statuses.map((status, n) => ({ id: `${n}`, content: 'x', status, priority: 'low' as const }));
  expect(isOpen([])).toBe(false);
  expect(isOpen(list('completed', 'cancelled'))).toBe(false);
  expect(isOpen(list('completed', 'pending'))).toBe(true);
});
