import { describe, expect, test } from 'vitest';
import type { JournalChange } from '../protocol/journal.ts';
import { LAYER_BYTES, layersOf, mergeLayers, netChanges, settle } from './layers.ts';

const put = (path: string, size = 1): JournalChange => ({
  op: 'put',
  node: { path, type: 'file', mode: 0o644, modified: 0 },
  bytes: new Uint8Array(size),
});
const remove = (path: string): JournalChange => ({ op: 'remove', path });
const paths = (layers: ReturnType<typeof layersOf>) =>
  settle(layers).packs.flatMap(({ entries }) => entries.map(({ path }) => path));

describe('layers of changes', () => {
  test('no changes make no layers', () => {
    expect(layersOf([])).toEqual([]);
  });

  test('only the last put of a path is kept', () => {
    const [layer] = layersOf([put('a', 1), put('a', 2)]);
    expect(layer).toMatchObject({ entries: [{ path: 'a', length: 2 }], removed: [] });
    expect(layer?.bytes.length).toBe(2);
  });

  test('a big change is split; the oldest part carries the removals', () => {
    const layers = layersOf([remove('x'), put('a', LAYER_BYTES), put('b', 10), put('c', LAYER_BYTES * 2)]);
    expect(layers.map(({ entries, removed }) => [entries.map(({ path }) => path), removed])).toEqual([
      [['a'], ['x']],
      [['b'], []],
      [['c'], []],
    ]);
  });

  test('the root can be removed', () => {
    expect(paths([...layersOf([put('a'), put('a/b')]), ...layersOf([remove(''), put('c')])])).toEqual(['c']);
  });

  test('a removal affects older layers, not the entries of its own layer', () => {
    expect(paths([...layersOf([put('d/x')]), ...layersOf([remove('d'), put('d/y')])])).toEqual(['d/y']);
  });
});

test('merged layers keep their removals unless nothing lies below', () => {
  const layers = [...layersOf([remove('old')]), ...layersOf([put('new')])];
  expect(mergeLayers(layers, false)).toMatchObject([{ removed: ['old'], entries: [{ path: 'new' }] }]);
  expect(mergeLayers(layers, true)).toMatchObject([{ removed: [], entries: [{ path: 'new' }] }]);
  expect(mergeLayers(layersOf([remove('old')]), true)).toEqual([]);
});

test('net changes have the same effect as all changes', () => {
  const changes = [put('a'), put('d/x'), remove('d'), put('a', 2), put('d/y')];
  expect(netChanges(changes)).toEqual([remove('d'), put('a', 2), put('d/y')]);
});
