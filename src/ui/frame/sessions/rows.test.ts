import { expect, test } from 'vitest';
import { emptyState } from '../../../session/log/reduce.ts';
import type { SessionMarks, SessionRecord } from '../../../session/log/store.ts';
import type { WorkspaceSummary } from '../../app.ts';
import { mostUrgent, rowState } from './row-state.ts';
import { rowsOf, type ListParts } from './rows.ts';

function record(id: string, workspaceID: string, marks?: SessionMarks): SessionRecord {
  const { messages: _m, parts: _p, pending: _q, questions: _r, ...state } = emptyState(id);
  return { id, state: { ...state, workspaceID }, foldedTo: 0, deleted: null, ...(marks && { marks }) };
}

const workspace = (id: string): WorkspaceSummary => ({ id, name: `${id}'s`, kind: 'embedded', updated: 0 });

const parts: ListParts = {
  workspaces: [workspace('w1'), workspace('w2')],
  sessions: [
    record('a', 'w1'),
    record('b', 'w1', { pinned: true }),
    record('c', 'w2', { archived: true }),
    record('d', 'w2', { archived: true, pinned: true }),
    record('e', 'w1'),
  ],
  childrenOf: (id) => (id === 'a' ? [record('a1', 'w1'), record('a2', 'w1')] : []),
  archived: false,
  folded: new Set(),
  shownID: undefined,
};
const paths = (changed: Partial<ListParts> = {}) => rowsOf({ ...parts, ...changed }).map(({ path }) => path);

test('what is pinned comes first, what is archived is not listed, and an empty workspace keeps its head', () => {
  expect(paths()).toEqual(['group pinned', 'b', 'group w1', 'a', 'e', 'group w2']);
});

test('the filter lists what is archived alone, by workspace', () => {
  expect(paths({ archived: true })).toEqual(['group w2', 'c', 'd']);
});

test('a folded group keeps its head and knows its sessions', () => {
  const rows = rowsOf({ ...parts, folded: new Set(['w1', 'pinned']) });
  expect(rows.map(({ path }) => path)).toEqual(['group pinned', 'group w1', 'group w2']);
  expect(rows[1]).toMatchObject({ expanded: false, level: 1, position: 2, siblings: 3 });
  expect(rows[1]?.group.sessions.map(({ id }) => id)).toEqual(['a', 'e']);
});

test.each(['a', 'a2'])('the sessions of sub-agents are listed while %s of the family is shown', (shownID) => {
  const rows = rowsOf({ ...parts, shownID });
  expect(rows.map(({ path }) => path)).toEqual([
    'group pinned',
    'b',
    'group w1',
    'a',
    'a1',
    'a2',
    'e',
    'group w2',
  ]);
  expect(rows[5]).toMatchObject({ level: 3, position: 2, siblings: 2 });
});

test('a running session shows what it does, another how its last turn ended, or that it has something new', () => {
  const unseen = record('a', 'w', { unseen: true });
  const failed = { ...unseen, state: { ...unseen.state, lastTurn: { status: 'error' as const } } };
  expect(rowState(failed, 'waiting', undefined)).toBe('waiting');
  expect(rowState(failed, undefined, undefined)).toBe('failed');
  // The record is older than what this tab knows.
  expect(rowState(failed, undefined, 'idle')).toBe('unseen');
  expect(rowState(unseen, undefined, 'interrupted')).toBe('interrupted');
  expect(rowState(record('a', 'w'), undefined, 'aborted')).toBeNull();
  expect(mostUrgent(['unseen', null, 'working', 'waiting'])).toBe('waiting');
  expect(mostUrgent([null])).toBeNull();
});
