import { expect, test } from 'vitest';
import { inspectionOf } from '../../../test/support/inspection-of.ts';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness } from '../../../test/support/session-harness.ts';
import { wanted, type ItemFilter } from './find.ts';
import type { Inspection } from './inspection.ts';

async function inspected(): Promise<Inspection> {
  const { session, store } = await harness([
    [...call('c1', 'echo', { text: 'a' }), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  await session.prompt('Look at the page');
  await session.rested();
  session.note({
    type: 'preview.noted',
    entries: [{ kind: 'error', text: 'Error: Cannot go', source: '/a.js:1:2', stack: '' }],
  });
  await session.stored();
  return inspectionOf(session, store, { digest: async () => '' });
}

test('a turn is found by its prompt, and by what the preview reported during it', async () => {
  const inspection = await inspected();
  const [turn] = inspection.timeline.turns;
  const finds = (query: string, filter: ItemFilter = 'all') =>
    turn &&
    wanted(query, filter, {
      state: () => inspection.whole(),
      reported: (of) => inspection.notedIn(of).map((record) => JSON.stringify(record)),
    })?.(turn);
  expect([finds('the PAGE'), finds('cannot go'), finds('cannot stop')]).toEqual([true, true, false]);
  expect(finds('cannot go', 'steps')).toBe(false);
});
