import { expect, test } from 'vitest';
import { LessonDrafts } from './lesson-drafts.ts';

const source = { markdown: '# A', script: '{' };

function storage() {
  const held = new Map<string, string>();
  return {
    held,
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
  };
}

test('what was typed is there for the next page, each for its own lesson, until it is saved', () => {
  const kept = storage();
  new LessonDrafts(() => kept).keep('a', source);
  const next = new LessonDrafts(() => kept);
  expect(next.get('a')).toEqual(source);
  expect(next.get('b')).toBeUndefined();
  next.keep('a', null);
  expect(next.get('a')).toBeUndefined();
  expect(kept.held.size).toBe(0);
});

test('a browser that stores nothing has it for the page, and what is damaged is none', () => {
  const none = new LessonDrafts(() => {
    throw new Error('refused');
  });
  expect(none.get('a')).toBeUndefined();
  none.keep('a', source);
  expect(none.get('a')).toEqual(source);

  const kept = storage();
  for (const damaged of ['{', '[]', '{"markdown": 1}']) {
    kept.setItem('vitrine.lesson-draft.a', damaged);
    expect(new LessonDrafts(() => kept).get('a')).toBeUndefined();
  }
});
