import { expect, test } from 'vitest';
import { memoryStorage } from '../storage/memory/storage.ts';
import { ConversationSettings } from './conversation-settings.ts';

test('both are on until switched off, each by itself, and that is kept', async () => {
  const { settings } = memoryStorage();
  const first = new ConversationSettings(settings);
  await first.load();
  expect(first.current()).toEqual({ titles: true, summaries: true });
  await first.set({ titles: false });
  const again = new ConversationSettings(settings);
  await again.load();
  expect(again.current()).toEqual({ titles: false, summaries: true });
});

test('what was kept by another version leaves them on', async () => {
  const { settings } = memoryStorage();
  await settings.set('conversations', { titles: 'never' });
  const conversations = new ConversationSettings(settings);
  await conversations.load();
  expect(conversations.current()).toEqual({ titles: true, summaries: true });
});
