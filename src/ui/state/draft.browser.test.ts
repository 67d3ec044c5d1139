import { beforeEach, expect, test } from 'vitest';
import { Draft } from './draft.svelte.ts';
import { tabDrafts, type Drafts } from './drafts.ts';

let drafts: Drafts;
let draft: Draft;

beforeEach(() => {
  drafts = tabDrafts(() => {
    throw new Error('No storage.');
  });
  draft = new Draft(drafts);
});

test('each session has a text of its own', () => {
  draft.show('a');
  draft.set('for a');
  draft.show('b');
  expect(draft.text).toBe('');
  draft.show('a');
  expect(draft.text).toBe('for a');
});

test('text that is typed while a session opens goes along into it, and the old text stays', () => {
  draft.show('a');
  draft.set('for a');
  const opened = draft.opening();
  draft.set('for the new one');
  opened('new');
  expect(draft.text).toBe('for the new one');
  draft.show('a');
  expect(draft.text).toBe('for a');
});

test('text that was typed before goes nowhere', () => {
  draft.show('a');
  draft.set('for a');
  draft.opening()('b');
  expect(draft.text).toBe('');
  expect(drafts.get('a')).toBe('for a');
});

test('a session that opens with a text of its own keeps it', () => {
  drafts.set('b', 'for b');
  draft.show('a');
  const opened = draft.opening();
  draft.set('typed meanwhile');
  opened('b');
  expect(draft.text).toBe('for b');
  expect(drafts.get('a')).toBe('typed meanwhile');
});

test('a session that opens again keeps what is typed meanwhile', () => {
  draft.show('a');
  const opened = draft.opening();
  draft.set('typed meanwhile');
  opened('a');
  expect(draft.text).toBe('typed meanwhile');
});

test.each([
  { moment: 'before', text: 'typed before' },
  { moment: 'meanwhile', text: 'typed meanwhile' },
])('the first session gets the text from $moment', ({ moment, text }) => {
  if (moment === 'before') draft.set(text);
  const opened = draft.opening();
  if (moment === 'meanwhile') draft.set(text);
  opened('first');
  draft.handOver();
  expect(draft.text).toBe(text);
  expect(drafts.get('first')).toBe(text);
  expect(drafts.get('')).toBe('');
});
