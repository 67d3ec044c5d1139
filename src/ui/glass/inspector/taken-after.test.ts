import { expect, test } from 'vitest';
import { finished } from '../../../../test/support/recordings.ts';
import { takenAfter } from './taken-after.ts';

test('a list is named by the call before it, and by its turn once that has ended', async () => {
  const { events } = await finished();
  const taken = events.find((event) => event.type === 'snapshot.taken' && event.reason === 'call-end')?.seq;
  const endOfTurn = events.findIndex(({ type }) => type === 'turn.ended');
  const named = (count: number) => takenAfter(events.slice(0, count), taken ?? 0);
  expect(named(endOfTurn)).toEqual({ turns: 0, tool: 'edit' });
  expect(named(endOfTurn + 1)).toEqual({ turns: 1, tool: undefined });
});
