import { expect, test } from 'vitest';
import { TouchKeys } from './touch-keys.svelte.ts';

function pressed(isApplicationMode = false) {
  const sent: string[] = [];
  return {
    sent,
    keys: new TouchKeys(
      (data) => void sent.push(data),
      () => isApplicationMode,
    ),
  };
}

test('Ctrl holds for the next key alone, and a second press takes it back', () => {
  const { keys } = pressed();
  keys.press('ctrl');
  expect([keys.typed('r'), keys.typed('r')]).toEqual(['\x12', 'r']);
  keys.press('ctrl');
  expect([keys.typed('Z'), keys.ctrl]).toEqual(['\x1a', false]);
  keys.press('ctrl');
  keys.press('ctrl');
  expect(keys.typed('c')).toBe('c');
});

test('an answer of the terminal itself is left alone, and so is a word at once', () => {
  const { keys } = pressed();
  keys.press('ctrl');
  expect([keys.typed('\x1b[1;1R'), keys.ctrl]).toEqual(['\x1b[1;1R', true]);
  expect([keys.typed('cat'), keys.ctrl]).toEqual(['cat', false]);
});

test('arrow keys take the form that the program asked for, and Ctrl moves by words', () => {
  const { keys, sent } = pressed();
  keys.press('up');
  keys.press('ctrl');
  keys.press('left');
  keys.press('left');
  expect(sent).toEqual(['\x1b[A', '\x1b[1;5D', '\x1b[D']);
  const program = pressed(true);
  program.keys.press('down');
  expect(program.sent).toEqual(['\x1bOB']);
});
