import { expect, test } from 'vitest';
import { commandOf } from './shell-code.ts';

test.each(['sh', 'bash', 'shell', 'console', 'Bash'])('%s is a command', (language) => {
  expect(commandOf('npm ci\nnpm test\n', language)).toBe('npm ci\nnpm test');
});

test.each([
  ['js', 'npm test'],
  ['', 'npm test'],
  ['bash', '  \n'],
  ['bash', '$ npm test\nok'],
  ['console', '# rm x'],
  ['console', 'me@host:~$ ls'],
  ['console', '> ls'],
  ['bash', 'ls \u202e hidden'],
  ['bash', 'ls\u001b[2K'],
])('%s with %j is none', (language, text) => {
  expect(commandOf(text, language)).toBeNull();
});

test('a comment is no prompt sign in a script', () => {
  expect(commandOf('# Installs\nnpm ci', 'bash')).toBe('# Installs\nnpm ci');
});
