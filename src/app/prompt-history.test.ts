import { expect, test } from 'vitest';
import { memoryStorage } from '../storage/memory/storage.ts';
import { openPromptHistory } from './prompt-history.ts';

async function setup() {
  const storage = memoryStorage();
  await storage.workspaces.create({
    id: 'w',
    name: 'W',
    kind: 'embedded',
    created: 0,
    updated: 0,
    deleted: null,
    touched: false,
  });
  return { storage, history: await openPromptHistory(storage) };
}

test('messages are kept in their order, for each workspace', async () => {
  const { storage, history } = await setup();
  await Promise.all([history.add('w', 'one'), history.add('other', 'else'), history.add('w', 'two')]);
  await history.add('w', 'two');
  expect(await history.load('w')).toEqual(['one', 'two']);
  expect(await history.load('nowhere')).toEqual([]);
  // Another page forgets what belongs to workspaces that are gone.
  const again = await openPromptHistory(storage);
  expect(await again.load('w')).toEqual(['one', 'two']);
  expect(await again.load('other')).toEqual([]);
});

test('it does not grow without end', async () => {
  const { history } = await setup();
  for (let n = 0; n < 105; n++) await history.add('w', `message ${n}`);
  await history.add('w', 'x'.repeat(20_001));
  const kept = await history.load('w');
  expect(kept).toHaveLength(100);
  expect(kept.at(-1)).toBe('message 104');
});

test('what another version stored is no obstacle', async () => {
  const { storage, history } = await setup();
  await storage.settings.set('prompts.history', 'something else');
  expect(await history.load('w')).toEqual([]);
  await history.add('w', 'one');
  expect(await history.load('w')).toEqual(['one']);
});
