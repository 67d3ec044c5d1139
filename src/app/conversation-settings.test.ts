import { expect, test } from 'vitest';
import { memoryStorage } from '../storage/memory/storage.ts';
import { ConversationSettings } from './conversation-settings.ts';

test('both settings are on by default, can be switched separately, and are stored', async () => {
  const { settings } = memoryStorage();
  const first = new ConversationSettings(settings);
  await first.load();
  expect(first.current()).toEqual({ titles: true, summaries: true });
  await first.set({ titles: false });
  const again = new ConversationSettings(settings);
  await again.load();
  expect(again.current()).toEqual({ titles: false, summaries: true });
});

test('settings of another version leave both on', async () => {
  const { settings } = memoryStorage();
  await settings.set('conversations', { titles: 'never' });
  const conversations = new ConversationSettings(settings);
  await conversations.load();
  expect(conversations.current()).toEqual({ titles: true, summaries: true });
});
