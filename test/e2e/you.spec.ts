import type { Page } from '@playwright/test';
import { calls, configure, openApp, prompt, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

const you = (page: Page) => page.getByRole('dialog', { name: 'You are the model' });

test('whoever has never seen a tool call makes one in at most four clicks', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => {
    const counted = Object.assign(window, { clicks: 0, keys: 0 });
    addEventListener('pointerdown', (event) => event.isTrusted && counted.clicks++, true);
    addEventListener('keydown', (event) => event.isTrusted && counted.keys++, true);
  });
  await page.getByRole('button', { name: 'Be the model yourself' }).click();
  const answer = you(page);
  await expect(answer.getByText('Which files are here, and what does note.txt say?')).toBeVisible();
  await answer.getByRole('button', { name: 'list', exact: true }).click();
  await expect(answer.getByText('The arguments match the schema.')).toBeVisible();
  await answer.getByRole('button', { name: 'Send with 1 call' }).click();
  await expect(calls(page, 'list')).toHaveAttribute('data-outcome', 'ok');
  // All that a hand did from the first screen on: nothing typed, and no page in between that would count anew.
  const clicks = await page.evaluate(() => [Reflect.get(window, 'clicks'), Reflect.get(window, 'keys')]);
  expect(clicks).toEqual([3, 0]);

  // It is asked again, and sees what the call came to.
  await expect(answer.getByRole('listitem').filter({ hasText: 'list says' })).toContainText('note.txt');
  await answer.getByRole('textbox', { name: 'Text' }).fill('Two files.');
  await answer.getByRole('button', { name: 'Send the answer' }).click();
  await expect(answer).toBeHidden();
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('Two files.');
});

test('with a model of one’s own, who was the model is asked again, until another is chosen', async ({
  page,
}) => {
  await openApp(page);
  await useScript(page, script({ text: 'From the script.' }));
  await page.getByRole('button', { name: 'Be the model yourself' }).click();
  await you(page).getByRole('textbox', { name: 'Text' }).fill('From me.');
  await you(page).getByRole('button', { name: 'Send the answer' }).click();
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('From me.');
  await page.getByRole('textbox', { name: 'Message' }).fill('And again?');
  await page.keyboard.press('Enter');
  await expect(you(page)).toBeVisible();
  await you(page).getByRole('textbox', { name: 'Text' }).fill('From me again.');
  await you(page).getByRole('button', { name: 'Send the answer' }).click();
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('From me again.');

  // Also after a reload.
  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await expect(page.getByRole('button', { name: /Model:? you/ })).toBeVisible();
});

test('what does not fit is told before, and sent all the same: the model gets the error', async ({
  page,
}) => {
  await openApp(page);
  await configure(page, { provider: 'you' });
  await send(page, 'Read it');
  const answer = you(page);
  await answer.getByRole('button', { name: 'read', exact: true }).click();
  const call = answer.getByRole('region', { name: 'Call of read' });
  await expect(call.getByRole('status')).toContainText('filePath');
  await answer.getByRole('button', { name: 'Send with 1 call' }).click();
  await expect(calls(page, 'read')).toHaveAttribute('data-outcome', 'invalid');
  await expect(answer.getByText('The read tool was called with invalid arguments')).toBeVisible();

  // Broken JSON as well, and two calls in one answer.
  await answer.getByRole('button', { name: 'read', exact: true }).click();
  await call.getByRole('button', { name: 'Write the JSON' }).click();
  await call.getByRole('textbox').fill('{"filePath": ');
  await expect(call.getByRole('status')).toContainText('are not JSON');
  await answer.getByText('Call a tool', { exact: true }).click();
  await answer.getByRole('button', { name: 'glob', exact: true }).click();
  await answer.getByRole('textbox', { name: 'pattern' }).fill('**/*');
  await answer.getByRole('button', { name: 'Send with 2 calls' }).click();
  await expect(calls(page, 'glob')).toHaveAttribute('data-outcome', 'ok');
  await expect(calls(page, 'read').nth(1)).toHaveAttribute('data-outcome', 'invalid');
});

test('stop withdraws the request; a reload keeps the answer that was being written', async ({ page }) => {
  await openApp(page);
  await configure(page, { provider: 'you', model: 'you' });
  const first = prompt(page, 'One');
  const answer = you(page);
  await expect(answer).toBeVisible();
  await expect(page).toHaveTitle(/Waiting for you/);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  expect((await first).status).toBe('aborted');
  await expect(answer).toBeHidden();

  await send(page, 'Two');
  await answer.getByRole('button', { name: 'bash', exact: true }).click();
  // What does not fit is told above the field that is typed in, which stays in sight.
  await expect(answer.getByText('It was given: {}')).toBeVisible();
  const inSight = (field: Element) => {
    const { left, top, height } = field.getBoundingClientRect();
    return document.elementFromPoint(left + 9, top + height / 2) === field;
  };
  const command = answer.getByRole('textbox', { name: 'command' });
  await expect.poll(() => command.evaluate(inSight)).toBe(true);
  await command.fill('ls -la');
  await page.reload();
  await expect(page.getByText('This turn was interrupted.')).toBeVisible();
  // Settings made by automation are kept as any other's.
  await send(page, 'Two again');
  await expect(answer.getByRole('textbox', { name: 'command' })).toHaveValue('ls -la');
});

test('a sub-agent asks the same person, and says for whom', async ({ page }) => {
  await openApp(page);
  await configure(page, { provider: 'you', model: 'you', permission: 'allow' });
  await send(page, 'Delegate');
  const answer = you(page);
  await answer.getByRole('button', { name: 'task', exact: true }).click();
  const call = answer.getByRole('region', { name: 'Call of task' });
  await call.getByRole('button', { name: 'Write the JSON' }).click();
  await call
    .getByRole('textbox')
    .fill('{"agent":"explore","description":"Look around","prompt":"What is here?"}');
  // Until then an error stands above the button, which moves up when the error goes away.
  await expect(call.getByText('The arguments match the schema.')).toBeVisible();
  await answer.getByRole('button', { name: 'Send with 1 call' }).click();
  await expect(answer.getByText('for Look around')).toBeVisible();
  await answer.getByRole('textbox', { name: 'Text' }).fill('Nothing is here.');
  await answer.getByRole('textbox', { name: 'Text' }).press('Control+Enter');
  await expect(answer.getByText('task says')).toBeVisible();
});
