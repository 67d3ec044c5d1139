import { expect, test } from 'vitest';
import type { Activity } from '../../state/live-sessions.svelte.ts';
import { noticesBetween } from './notices.ts';

const map = (entries: Readonly<Record<string, Activity>>) => new Map(Object.entries(entries));

test('a session that begins to wait, and one whose turn ends, are told once', () => {
  expect(noticesBetween(map({ a: 'working', b: 'working' }), map({ a: 'waiting' }))).toEqual([
    { id: 'a', kind: 'waits' },
    { id: 'b', kind: 'done' },
  ]);
  expect(noticesBetween(map({ a: 'waiting' }), map({ a: 'waiting' }))).toEqual([]);
  expect(noticesBetween(map({}), map({ a: 'waiting' }))).toEqual([{ id: 'a', kind: 'waits' }]);
});

test('work that begins, an answer, and a pause by the person are not told', () => {
  expect(noticesBetween(map({}), map({ a: 'working' }))).toEqual([]);
  expect(noticesBetween(map({ a: 'waiting' }), map({ a: 'working' }))).toEqual([]);
  expect(noticesBetween(map({ a: 'paused' }), map({}))).toEqual([]);
});
