import { expect, test } from 'vitest';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness } from '../../../test/support/session-harness.ts';
import { callDetailOf } from './call-detail.ts';
import { eventsOf } from './timeline-items.ts';
import { Timeline } from './timeline.ts';

test('arguments as typed, as said and as the tool got them, and the result', async () => {
  const { session, store } = await harness([
    [...call('c1', 'echo', {}), ...call('c2', 'nonsense', { a: 1 }), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  await session.prompt('Say it');
  await session.rested();
  await session.close();
  const events = await store.events(session.id, 0);
  const timeline = new Timeline();
  timeline.take(events);
  const [echo, nonsense] = timeline.stepsOf(timeline.turns[0]!).flatMap((step) => timeline.callsOf(step));
  const detail = callDetailOf(eventsOf(events, echo!));
  expect(detail.typed.map(({ value }) => value).join('')).toBe('{}');
  expect(detail.typed.map(({ time }) => time)).toEqual(detail.typed.map(({ time }) => time).sort());
  expect(detail).toMatchObject({ said: {}, parsed: { text: 'nothing' }, result: { output: 'nothing' } });
  const other = callDetailOf(eventsOf(events, nonsense!));
  expect(other.parsed).toBeUndefined();
  expect(other.result?.outcome).toBe('invalid');
});
