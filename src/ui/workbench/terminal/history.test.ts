import { expect, test } from 'vitest';
import { CommandHistory } from './history.ts';

function historyOf(...commands: string[]): CommandHistory {
  const history = new CommandHistory();
  for (const command of commands) history.add(command);
  return history;
}

test('walks to older commands and back to what was being typed', () => {
  const history = historyOf('one', 'two');
  expect([history.older('dra'), history.older('two'), history.older('one')]).toEqual([
    'two',
    'one',
    undefined,
  ]);
  expect([history.newer(), history.newer(), history.newer()]).toEqual(['two', 'dra', undefined]);
});

test('leaves out blank lines, repeats and what begins with a space', () => {
  expect(historyOf('ls', 'ls', '  ', ' secret', 'pwd').commands).toEqual(['ls', 'pwd']);
});

test('what was stored comes first, also while the person is looking back', () => {
  const history = historyOf('new');
  expect(history.older('')).toBe('new');
  history.prepend(['old']);
  expect(history.older('new')).toBe('old');
  expect(history.commands).toEqual(['old', 'new']);
});

test('keeps the newest five hundred', () => {
  const history = historyOf(...Array.from({ length: 501 }, (_, at) => `c${at}`));
  expect(history.commands).toHaveLength(500);
  expect(history.commands[0]).toBe('c1');
});
