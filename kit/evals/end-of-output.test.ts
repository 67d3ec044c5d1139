import { expect, test } from 'vitest';
import { endOfOutput } from './end-of-output.ts';

test('a short output is whole', () => {
  expect(endOfOutput(' one\ntwo\n\n')).toBe('one\ntwo');
});

test('a long one begins with a whole line, or with a whole word where it has no lines', () => {
  expect(endOfOutput("operator: '=='\n# tests 1\n# fail 1\n", 20)).toBe('…\n# tests 1\n# fail 1');
  expect(endOfOutput("operator: '=='\n# tests 1\n# fail 1\n", 18)).toBe('…\n# tests 1\n# fail 1');
  expect(endOfOutput('one two three four', 11)).toBe('…\nthree four');
  expect(endOfOutput('x'.repeat(30), 10)).toBe(`…\n${'x'.repeat(10)}`);
});
