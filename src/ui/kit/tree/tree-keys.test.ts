import { expect, test } from 'vitest';
import type { Row } from '../../workbench/files/file-tree.svelte.ts';
import { treeKey, typeAhead } from './tree-keys.ts';

function row(path: string, expanded?: boolean): Row {
  const level = path.split('/').length;
  const about = {
    path,
    name: path.slice(path.lastIndexOf('/') + 1),
    level,
    position: 1,
    siblings: 1,
    ignored: false,
  };
  return expanded === undefined ? { ...about, type: 'file' } : { ...about, type: 'directory', expanded };
}

const rows = [
  row('open', true),
  row('open/a'),
  row('open/beta'),
  row('shut', false),
  row('void', true),
  row('berry'),
];

test.each([
  ['ArrowDown', 'open', { do: 'activate', path: 'open/a' }],
  ['ArrowDown', 'berry', { do: 'activate', path: 'berry' }],
  ['ArrowUp', 'open', { do: 'activate', path: 'open' }],
  ['Home', 'shut', { do: 'activate', path: 'open' }],
  ['End', 'open', { do: 'activate', path: 'berry' }],
  ['ArrowRight', 'shut', { do: 'expand', path: 'shut' }],
  ['ArrowRight', 'open', { do: 'activate', path: 'open/a' }],
  ['ArrowRight', 'void', { do: 'nothing' }],
  ['ArrowRight', 'berry', { do: 'nothing' }],
  ['ArrowLeft', 'open', { do: 'collapse', path: 'open' }],
  ['ArrowLeft', 'open/beta', { do: 'activate', path: 'open' }],
  ['ArrowLeft', 'berry', { do: 'nothing' }],
  ['Enter', 'berry', { do: 'open', path: 'berry' }],
  ['Enter', 'shut', { do: 'expand', path: 'shut' }],
  [' ', 'open', { do: 'collapse', path: 'open' }],
  ['F2', 'berry', { do: 'rename', path: 'berry' }],
  ['Delete', 'berry', { do: 'delete', path: 'berry' }],
  ['Tab', 'berry', null],
])('%s on %s', (key, active, expected) => expect(treeKey(key, rows, active)).toEqual(expected));

test('an empty tree has no keys', () => expect(treeKey('Home', [], null)).toBeNull());

test.each([
  ['b', 'open', 'open/beta'],
  ['b', 'open/beta', 'berry'],
  ['b', 'berry', 'open/beta'],
  ['bb', 'open/beta', 'berry'],
  ['ber', 'open/beta', 'berry'],
  ['be', 'berry', 'berry'],
  ['BER', 'open', 'berry'],
  ['x', 'open', null],
])('typing %s on %s goes to %s', (typed, active, expected) =>
  expect(typeAhead(typed, rows, active)).toBe(expected),
);
