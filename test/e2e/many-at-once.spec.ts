import type { Page } from '@playwright/test';
import { axeFindings } from './accessible.ts';
import { answer, dialog, openApp, prompt, script, send, useScript, writeFile } from './app.ts';
import { expect, test } from './test.ts';

const until = (path: string) => ({
  tool: 'bash',
  input: { command: `echo begun >> log; while [ ! -e ${path} ]; do sleep 0.1; done`, description: 'Wait' },
});

const list = (page: Page) => page.getByRole('navigation', { name: 'Sessions' });
const row = (page: Page, title: string) => list(page).getByRole('listitem').filter({ hasText: title });
const article = (page: Page) => page.getByRole('article').last();

async function menu(page: Page, title: string, item: string): Promise<void> {
  await row(page, title).hover();
  await row(page, title).getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

test('sessions run side by side, and the page says which of them works, waits and has something new', async ({
  page,
}) => {
  await openApp(page);
  await useScript(
    page,
    {
      ...script(),
      turns: [
        {
          steps: [
            { tools: [until('go')] },
            { tools: [{ tool: 'glob', input: { pattern: '*' } }] },
            { text: 'Done.' },
          ],
        },
        { steps: [{ tools: [until('more')] }, { text: 'Again.' }] },
      ],
    },
    { bash: 'allow', glob: 'ask' },
  );
  await send(page, 'First');
  await expect(row(page, 'First')).toContainText('Working');
  await page.getByRole('button', { name: 'New session' }).click();
  await expect(page.getByRole('article')).toHaveCount(0);
  await send(page, 'Second');
  await expect(row(page, 'Second')).toContainText('Working');
  await page.getByRole('button', { name: 'New workspace' }).click();
  await expect(page.getByRole('article')).toHaveCount(0);
  await send(page, 'Third');
  for (const title of ['First', 'Second', 'Third']) await expect(row(page, title)).toContainText('Working');

  // Two turns in one workspace, one in another.
  await row(page, 'Second').getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'Second', level: 1 })).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => window.vitrine.workspace.readFile('log')))
    .toBe('begun\nbegun\n');
  await writeFile(page, 'go', '');
  await expect(dialog(page)).toBeVisible();
  await expect(page.getByText('“First” waits for your answer.')).toBeVisible();
  for (const title of ['First', 'Second']) await expect(row(page, title)).toContainText('Waiting for you');
  await expect(row(page, 'Third')).toContainText('Working');
  expect(await axeFindings(page)).toEqual([]);

  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'First', level: 1 })).toBeVisible();
  // Now the other one waits out of sight.
  await expect(page.getByText('“Second” waits for your answer.')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Shift+k');
  await expect(page.getByRole('heading', { name: 'Second', level: 1 })).toBeVisible();
  await answer(page, 'Allow once');
  await expect(article(page)).toContainText('Done.');
  await page.keyboard.press('ControlOrMeta+Shift+k');
  await expect(page.getByRole('heading', { name: 'First', level: 1 })).toBeVisible();
  await answer(page, 'Allow once');
  await expect(article(page)).toContainText('Done.');
  await expect(page.getByText('waits for your answer.')).toHaveCount(0);

  await send(page, 'More');
  await expect(row(page, 'First')).toContainText('Working');
  await row(page, 'Second').getByRole('link').click();
  await writeFile(page, 'more', '');
  await expect(row(page, 'First')).toContainText('New');
  await page.reload();
  await expect(row(page, 'First')).toContainText('New');
  await row(page, 'First').getByRole('link').click();
  await expect(article(page)).toContainText('Again.');
  await expect(row(page, 'First')).not.toContainText('New');
});

test('sessions are pinned, archived and folded, in every tab, and all by keyboard', async ({ context }) => {
  const page = await context.newPage();
  await openApp(page);
  await useScript(page, script({ text: 'The pelican answers.' }));
  for (const text of ['One', 'Two', 'Three']) {
    await page.getByRole('button', { name: 'New session' }).click();
    await expect(page.getByRole('article')).toHaveCount(0);
    await send(page, text);
    await expect(article(page)).toContainText('The pelican answers.');
  }
  const links = list(page).getByRole('link');
  await expect(links).toHaveText([/Three/, /Two/, /One/]);
  const other = await context.newPage();
  await other.goto('/');
  await expect(list(other).getByRole('link')).toHaveCount(3);

  await menu(page, 'One', 'Pin');
  for (const each of [page, other])
    await expect(list(each).getByRole('region', { name: 'Pinned' }).getByRole('link')).toHaveText(/One/);
  await expect(links).toHaveText([/One/, /Three/, /Two/]);
  // It needs no right to write: this tab only follows.
  await menu(other, 'Two', 'Archive');
  for (const each of [page, other]) await expect(row(each, 'Two')).toHaveCount(0);
  await list(page).getByRole('searchbox').fill('pelican');
  await expect(row(page, 'Two')).toContainText('archived');
  await list(page).getByRole('searchbox').fill('');
  const filter = list(page).getByRole('button', { name: 'Archived (1)' });
  await filter.click();
  await expect(links).toHaveText([/Two/]);
  await menu(page, 'Two', 'Put back into the list');
  await expect(filter).toHaveCount(0);
  await expect(links).toHaveText([/One/, /Three/, /Two/]);

  await list(page).getByRole('searchbox').press('ArrowDown');
  await expect(list(page).getByRole('button', { name: 'Pinned', exact: true })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(links.first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(links.last()).toBeFocused();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
  await page.keyboard.press('Escape');
  const last = row(page, 'Two').getByRole('link');
  await last.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  const workspace = list(page).getByRole('button', { name: /^Workspace 1/ });
  await expect(workspace).toHaveAttribute('aria-expanded', 'false');
  await expect(workspace).toContainText('2 sessions');
  await expect(links).toHaveText([/One/]);
  await page.reload();
  await expect(workspace).toHaveAttribute('aria-expanded', 'false');
  await expect(links).toHaveText([/One/]);
  expect(await axeFindings(page)).toEqual([]);
});

test('a prompt brings an archived session back into the list', async ({ page }) => {
  await openApp(page);
  await useScript(page, {
    ...script(),
    turns: [{ steps: [{ text: 'One.' }] }, { steps: [{ text: 'Two.' }] }],
  });
  await prompt(page, 'Hello');
  await menu(page, 'Hello', 'Archive');
  await expect(row(page, 'Hello')).toHaveCount(0);
  await send(page, 'Again');
  await expect(row(page, 'Hello')).toHaveCount(1);
});
