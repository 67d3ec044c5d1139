import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import type { CheckOf } from '../../lessons/checks.ts';
import LessonQuestion from './LessonQuestion.svelte';

test.each([
  [true, 'Not quite. Look again, or take a hint.'],
  [false, 'Not quite. Look again.'],
])('a wrong answer points to the hints only where there are some: %s', async (hasHints, text) => {
  const check: CheckOf<'ask'> = {
    kind: 'ask',
    ask: 'Which colour?',
    choices: ['red', 'green'],
    accept: ['green'],
  };
  const page = await render(LessonQuestion, {
    check,
    lang: undefined,
    met: false,
    hasHints,
    onanswer: () => false,
  });
  await page.getByRole('radio', { name: 'red' }).click();
  await page.getByRole('button', { name: 'Check' }).click();
  const status = page.getByRole('status');
  await expect.element(status).not.toBeEmptyDOMElement();
  expect(status.element().textContent).toBe(text);
});
