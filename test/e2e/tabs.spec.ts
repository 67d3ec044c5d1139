import type { Page } from '@playwright/test';
import { answer, calls, dialog, openApp, openSettings, prompt, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const bash = (command: string) => ({ tool: 'bash', input: { command, description: 'Run it' } });

test('a second tab shows all that happens and can change nothing; what was typed stays over a take over', async ({
  page,
  context,
}) => {
  await openApp(page);
  await useScript(page, script({ tools: [bash('echo hi > made.txt')] }, { text: 'Done.' }));
  await send(page, 'Make it');
  await expect(dialog(page)).toBeVisible();
  await message(page).fill('A draft in the first tab');

  const second = await context.newPage();
  await second.goto(page.url());
  await expect(second.getByText('This session is open in another tab.')).toBeVisible();
  await expect(message(second)).toHaveAttribute('readonly', '');
  await expect(second.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
  await expect(second.getByRole('button', { name: 'Stop' })).toHaveCount(0);
  // The question is shown, and answered where it is asked.
  await expect(dialog(second)).toContainText('made.txt');
  await expect(dialog(second).getByRole('button', { name: 'Allow once' })).toHaveCount(0);
  await expect(dialog(second)).toContainText('Answer this in the other tab.');
  await expect(second.getByRole('status', { name: 'Workspace' })).toContainText('In another tab');
  await expect(second.getByRole('status', { name: 'Workspace' })).not.toContainText('Failed');

  await answer(page, 'Allow once');
  await expect(second.getByRole('article').last()).toContainText('Done.');
  await expect(calls(second, 'bash')).toHaveAttribute('data-outcome', 'ok');

  await second.getByRole('button', { name: 'Take over' }).click();
  await expect(second.getByText('This session is open in another tab.')).toHaveCount(0);
  await expect(message(second)).not.toHaveAttribute('readonly', '');
  await expect(message(second)).toBeFocused();
  await expect(second.getByRole('status', { name: 'Workspace' })).toContainText('Embedded');
  await expect(second.getByRole('treeitem', { name: 'made.txt' })).toBeVisible();

  await expect(page.getByText('This session is open in another tab.')).toBeVisible();
  await expect(message(page)).toHaveValue('A draft in the first tab');
  await expect(message(page)).toHaveAttribute('readonly', '');
  await expect(page.getByRole('status', { name: 'Workspace' })).toContainText('In another tab');

  // And back again: nothing was lost on the way.
  await page.getByRole('button', { name: 'Take over' }).click();
  await expect(message(page)).not.toHaveAttribute('readonly', '');
  await expect(message(page)).toHaveValue('A draft in the first tab');
  await expect(page.getByRole('treeitem', { name: 'made.txt' })).toBeVisible();
});

test('a turn that runs when the workspace is taken over is stopped, and both tabs say so', async ({
  page,
  context,
}) => {
  await openApp(page);
  await useScript(page, script({ tools: [bash('echo begun; sleep 60')] }), 'allow');
  await send(page, 'Go');
  await expect(calls(page, 'bash')).toContainText('begun');
  const second = await context.newPage();
  await second.goto(page.url());
  await expect(calls(second, 'bash')).toContainText('begun');
  await second.getByRole('button', { name: 'Take over' }).click();
  for (const tab of [page, second]) {
    await expect(calls(tab, 'bash')).toHaveAttribute('data-status', 'error');
    await expect(calls(tab, 'bash')).toContainText('begun');
    await expect(tab.getByRole('button', { name: 'Stop' })).toHaveCount(0);
  }
});

test('a tab that is closed in the middle of a turn leaves an ended turn, and its follower goes on by itself', async ({
  context,
}) => {
  const first = await context.newPage();
  await openApp(first);
  await useScript(first, script({ tools: [bash('echo begun; sleep 60')] }), 'allow');
  await send(first, 'Go');
  await expect(calls(first, 'bash')).toContainText('begun');
  const second = await context.newPage();
  await openApp(second, first.url());
  await expect(second.getByText('This session is open in another tab.')).toBeVisible();
  await expect(calls(second, 'bash')).toContainText('begun');
  await first.close();
  await expect(second.getByText('This session is open in another tab.')).toHaveCount(0);
  await expect(calls(second, 'bash')).toHaveAttribute('data-outcome', 'interrupted');
  await expect(second.getByRole('button', { name: 'Stop' })).toHaveCount(0);
  const { turns, ...rest } = script({ text: 'Hello.' });
  await useScript(second, { ...rest, turns: [...turns, { steps: [{ text: 'Still here.' }] }] });
  await send(second, 'And now?');
  await expect(second.getByRole('article').last()).toContainText('Still here.');
});

test('lists are the same in every tab', async ({ page, context }) => {
  await openApp(page);
  const second = await context.newPage();
  await second.goto('/');
  await expect(second.getByText('No sessions yet.')).toBeVisible();
  await useScript(page, script({ text: 'Hello.' }));
  await prompt(page, 'From the first tab');
  const there = second.getByRole('navigation', { name: 'Sessions' }).getByRole('link');
  await expect(there).toContainText('From the first tab');
  await page.getByRole('listitem').hover();
  await page.getByRole('listitem').getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(there).toHaveCount(0);
});

test('what is denied in one tab is denied in all of them, at once', async ({ page, context }) => {
  await openApp(page);
  await openSettings(page, 'Permissions');
  const commands = (tab: Page) => tab.getByRole('group', { name: 'Run commands' });
  await expect(commands(page).getByRole('radio', { name: 'Ask' })).toBeChecked();
  const second = await context.newPage();
  await second.goto('/');
  await openSettings(second, 'Permissions');
  await commands(second).getByRole('radio', { name: 'Deny' }).check();
  await expect(commands(page).getByRole('radio', { name: 'Deny' })).toBeChecked();
  expect(await page.evaluate(() => window.vitrine.tools.ids())).not.toContain('bash');
});

test.describe('storage that fails is told plainly, and the work goes on', () => {
  test('a browser that lets the page store nothing', async ({ page }) => {
    await page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException('Storage is not allowed here.', 'SecurityError');
      };
      IDBFactory.prototype.open = refuse;
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, { get: refuse });
    });
    await openApp(page);
    const told = page.getByRole('group', { name: /does not let this page store anything/ });
    await expect(told).toContainText('Leave the private window');
    await useScript(
      page,
      script({ tools: [bash('echo hi > a.txt; cat a.txt')] }, { text: 'Done.' }),
      'allow',
    );
    expect((await prompt(page, 'Go')).status).toBe('idle');
    await expect(page.getByRole('article').last()).toContainText('Done.');
    // Work that goes well does not make it untrue.
    await expect(told).toBeVisible();
    await openSettings(page, 'Storage');
    await expect(page.getByRole('dialog')).toContainText('Nothing is stored');
  });
});
