import { expect, test } from 'vitest';
import { agentName, textOfResult } from './results.ts';

test.each([
  ['add_to_cart', '', 'add_to_cart'],
  ['cart.add', 'shop_', 'shop_cart_add'],
  ['2nd', '', 'tool_2nd'],
  ['x'.repeat(128), '', 'x'.repeat(64)],
])('%s with the prefix "%s" is called %s', (name, prefix, called) => {
  expect(agentName(name, prefix)).toBe(called);
});

test.each([
  ['"text"', 'text'],
  ['text that is no JSON', 'text that is no JSON'],
  ['{"sum":2}', '{"sum":2}'],
  ['undefined', '(no result)'],
  [undefined, '(no result)'],
  ['null', '(no result)'],
  ['{"content":[{"type":"text","text":"a"},{"type":"image","data":"x"}]}', 'a\n[image]'],
  [{ content: [{ type: 'text', text: 'b' }] }, 'b'],
])('%j is read as %s', (result, text) => {
  expect(textOfResult(result)).toBe(text);
});

test('a result that says it is an error is thrown', () => {
  const result = { content: [{ type: 'text', text: 'Sold out' }], isError: true };
  expect(() => textOfResult(JSON.stringify(result))).toThrow('Sold out');
});
