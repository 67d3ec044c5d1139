import { expect, test } from 'vitest';
import { blockFormula, inlineFormula } from './math-rules.ts';

test.each([
  ['$x$', 'x'],
  ['$2n$ times', '2n'],
  ['$x^2 + y^2 = r^2$.', 'x^2 + y^2 = r^2'],
  ['$O(n \\log n)$', 'O(n \\log n)'],
  ['$\\text{rate of change} = k$', '\\text{rate of change} = k'],
  ['$x_{max}$', 'x_{max}'],
  ['$\\$5 + x$', '\\$5 + x'],
  ['\\( a^2 \\)', 'a^2'],
  ['\\(n\\)', 'n'],
])('%s is a formula', (text, tex) => expect(inlineFormula(text, ' ')).toMatchObject({ tex, display: false }));

test.each([
  '$5 and $10',
  '$5–$10',
  '$5-10$ each',
  '$5k/month and $6k',
  '$HOME/$USER',
  '$HOME and $PATH',
  '${a}/${b}',
  '$A=$B',
  '$i<$n;',
  '$name$',
  '$$ and $$',
  '$ x $',
  '$a\n+b$',
  '\\( and \\)',
  `$${'x+'.repeat(300)}x$`,
])('%s stays text', (text) => expect(inlineFormula(text, ' ')).toBeNull());

test('a dollar after a letter or a digit begins no formula', () => {
  expect(inlineFormula('$x$', 'S')).toBeNull();
  expect(inlineFormula('$x$', '(')).not.toBeNull();
});

test('a formula stands alone between double dollars or square brackets', () => {
  expect(blockFormula('$$\n\\int_0^1 x\n$$\n\nText')).toEqual({
    tex: '\\int_0^1 x',
    length: 18,
    display: true,
  });
  expect(blockFormula('\\[ E = mc^2 \\]')?.tex).toBe('E = mc^2');
  expect(blockFormula('$$ a $$ and more')).toBeNull();
  expect(blockFormula('$$\na\n\nb\n$$')).toBeNull();
  expect(blockFormula('$$\n$$')).toBeNull();
});

test('many dollars cost little', () => {
  const text = '$a '.repeat(100_000);
  const start = performance.now();
  for (let at = 0; at < 1_000; at++) inlineFormula(text.slice(at), ' ');
  blockFormula('$$' + text);
  expect(performance.now() - start).toBeLessThan(500);
});
