import { calls, openApp, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

const list = (...statuses: string[]) => ({
  tool: 'todowrite',
  input: { todos: statuses.map((status, n) => ({ content: `Task ${n + 1}`, status, priority: 'medium' })) },
});

test('the list of tasks stands above the message box, folds and survives a reload', async ({ page }) => {
  await openApp(page);
  await useScript(
    page,
    script({ tools: [list('completed', 'in_progress', 'pending')] }, { text: 'One down.' }),
  );
  await send(page, 'Plan');
  const dock = page.locator('main').getByRole('region', { name: 'Tasks' });
  await expect(dock).toContainText('1 of 3 done');
  await expect(dock.getByRole('listitem')).toHaveCount(3);
  await expect(dock.getByRole('listitem').nth(1)).toContainText('in progress');
  await dock.getByRole('button', { name: /Tasks/ }).click();
  await expect(dock.getByRole('listitem')).toHaveCount(0);
  await expect(dock).toContainText('Task 2');

  await page.reload();
  await expect(dock).toContainText('1 of 3 done');
  await expect(dock.getByRole('listitem')).toHaveCount(3);
  await calls(page, 'todowrite').getByRole('button').first().click();
  await expect(calls(page, 'todowrite').getByRole('list', { name: 'Tasks' })).toContainText('Task 3');
});

test('it goes as soon as nothing is left to do', async ({ page }) => {
  await openApp(page);
  const ask = { tool: 'question', input: { question: 'Go on?', options: ['Yes'] } };
  await useScript(
    page,
    script(
      { tools: [list('in_progress')] },
      { tools: [ask] },
      { tools: [list('completed')] },
      { text: 'Fine.' },
    ),
  );
  await send(page, 'Plan');
  const dock = page.locator('main').getByRole('region', { name: 'Tasks' });
  await expect(dock).toContainText('0 of 1 done');
  const dialog = page.getByRole('dialog', { name: 'Question' });
  await dialog.getByRole('radio', { name: 'Yes' }).check();
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('article').last()).toContainText('Fine.');
  await expect(dock).toHaveCount(0);
});
