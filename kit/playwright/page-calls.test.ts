import { expect, test } from 'vitest';
import { saidByPage } from './page-calls.ts';

test("a failure in the page is told in the page's words", () => {
  const message =
    'page.evaluate: Error: script-invalid: The script is not valid.\n  → at turns[0]\n    at W (http://localhost:1/a.js:1:2)\n    at async <anonymous>:381:23';
  expect(saidByPage(message)).toBe('script-invalid: The script is not valid.\n  → at turns[0]');
  expect(saidByPage('page.evaluate: Test ended.')).toBe('Test ended.');
});
