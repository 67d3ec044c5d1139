import { expect, test } from 'vitest';
import { showName, showText } from './show-name.ts';

test.each([
  ['plain.txt', 'plain.txt'],
  ['漢字 é 👩‍👩‍👧.txt', '漢字 é 👩‍👩‍👧.txt'],
  ['cod\u202egpj.exe', 'cod\\u202egpj.exe'],
  ['a\nb\x1b[31m', 'a\\u000ab\\u001b[31m'],
  ['zero\u200bwidth', 'zero\\u200bwidth'],
])('%j is shown as %s', (name, shown) => expect(showName(name)).toBe(shown));

test('a text keeps its lines, and hides nothing else', () => {
  expect(showText('rm\t-rf\n\u202e/ #\u2066 safe\r')).toBe('rm\t-rf\n\\u202e/ #\\u2066 safe\\u000d');
});
