import { expect, test } from 'vitest';
import type { Command } from '../../commands.ts';
import { isUsable, ownerOf } from './change-keys.ts';

test.each(['mod+k', 'alt+1', 'ctrl+`', 'f5', 'shift+f10', 'mod+shift+p'])('%s can be a command', (keys) => {
  expect(isUsable(keys)).toBe(true);
});

test.each(['a', 'shift+a', 'enter', ' ', 'shift+?', 'alt+tab', 'escape'])('%s cannot', (keys) => {
  expect(isUsable(keys)).toBe(false);
});

test('keys that another command has are found, also if they are the person’s own', () => {
  const [one, two]: Command[] = [
    { id: 'files', title: 'Show files', keys: 'alt+1', run: () => {} },
    { id: 'stop', title: 'Stop', run: () => {} },
  ];
  if (!one || !two) throw new Error('Two commands are needed.');
  const keysOf = ({ id, keys = '' }: Command) => (id === 'stop' ? 'mod+j' : keys);
  expect(ownerOf('alt+1', two, [one, two], keysOf)).toBe(one);
  expect(ownerOf('mod+j', one, [one, two], keysOf)).toBe(two);
  expect(ownerOf('alt+1', one, [one, two], keysOf)).toBeUndefined();
  expect(ownerOf('', one, [one, two], keysOf)).toBeUndefined();
});
