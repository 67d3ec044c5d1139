import { expect, test } from 'vitest';
import { tabDrafts } from './drafts.ts';

function storage(): Storage {
  const held = new Map<string, string>();
  return {
    length: 0,
    key: () => null,
    clear: () => held.clear(),
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => void held.set(key, value),
    removeItem: (key) => void held.delete(key),
  };
}

test('a draft outlives a reload, by session; what was sent does not come back', () => {
  const tab = storage();
  const before = tabDrafts(() => tab);
  before.set('', 'A new thing');
  before.set('ses_a', 'Half a sentence');
  before.set('ses_b', 'Sent');
  before.set('ses_b', '');
  const after = tabDrafts(() => tab);
  expect(['', 'ses_a', 'ses_b', 'ses_c'].map((id) => after.get(id))).toEqual([
    'A new thing',
    'Half a sentence',
    '',
    '',
  ]);
});

test('where storage is refused, a draft lasts as long as the page', () => {
  const drafts = tabDrafts(() => {
    throw new Error('Refused.');
  });
  drafts.set('ses_a', 'x');
  expect(drafts.get('ses_a')).toBe('x');
});
