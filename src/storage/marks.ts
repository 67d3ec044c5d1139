import type { SessionMarks, SessionRecord } from '../session/log/store.ts';

/** The record with these marks in place of its own, which may be older than what is stored. */
export function withMarks(
  { marks: _older, ...record }: SessionRecord,
  marks: SessionMarks | undefined,
): SessionRecord {
  return marks ? { ...record, marks } : record;
}

export function sameMarks(a: SessionMarks = {}, b: SessionMarks = {}): boolean {
  return MARKS.every((mark) => (a[mark] ?? false) === (b[mark] ?? false));
}

const MARKS = ['pinned', 'archived', 'unseen'] as const;
