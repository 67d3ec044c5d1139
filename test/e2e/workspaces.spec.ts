import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { unzipSync, strFromU8 } from 'fflate';
import type { Page } from '@playwright/test';
import { openApp, prompt, readFile, script, send, useScript, writeFile } from './app.ts';
import { expect, test } from './test.ts';

const list = (page: Page) => page.getByRole('navigation', { name: 'Sessions' });
const group = (page: Page, name: string) => list(page).getByRole('region', { name });

/** Opens the menu of a row, which is fetched with the first click, and takes one of its items. */
async function act(page: Page, row: ReturnType<Page['locator']>, item: string): Promise<void> {
  await row.hover();
  await row.getByRole('button', { name: 'Actions' }).first().click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

test('workspaces: beside each other, renamed, removed with their sessions and brought back with their files', async ({
  page,
}) => {
  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }));
  await page.evaluate(() => window.vitrine.sessions.create({ files: { 'a.txt': 'first\n' } }));
  await expect(group(page, 'Workspace 1').getByRole('link')).toHaveCount(1);

  // "New session" stays in the workspace, "New workspace" is beside it.
  await page.getByRole('button', { name: 'New session' }).click();
  await expect(group(page, 'Workspace 1').getByRole('link')).toHaveCount(2);
  expect(await readFile(page, 'a.txt')).toBe('first\n');
  await page.getByRole('button', { name: 'New workspace' }).click();
  await expect(group(page, 'Workspace 2').getByRole('link')).toHaveCount(1);
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
  expect(await page.evaluate(() => window.vitrine.workspace.list())).toEqual([]);

  await act(page, group(page, 'Workspace 1').locator('header'), 'Rename');
  await page.getByRole('textbox', { name: 'New name' }).fill('Cabinet <b>');
  await page.keyboard.press('Enter');
  await expect(group(page, 'Cabinet <b>').getByRole('heading')).toBeVisible();

  await group(page, 'Cabinet <b>').getByRole('link').first().click();
  await act(page, group(page, 'Cabinet <b>').locator('header'), 'Remove');
  await expect(group(page, 'Cabinet <b>')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Watch a demo' })).toBeVisible();
  await expect(page.getByRole('group').filter({ hasText: 'Removed “Cabinet <b>”.' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(group(page, 'Cabinet <b>').getByRole('link')).toHaveCount(2);
  await group(page, 'Cabinet <b>').getByRole('link').first().click();
  await expect(page.getByRole('status', { name: 'Workspace' })).toContainText('Embedded');
  expect(await readFile(page, 'a.txt')).toBe('first\n');

  await page.reload();
  await expect(group(page, 'Cabinet <b>').getByRole('link')).toHaveCount(2);
});

test('the workbench leaves a workspace that is removed, and no way leads back before Undo', async ({
  page,
}) => {
  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }));
  await page.evaluate(() => window.vitrine.sessions.create({ files: { 'index.html': '<h1>Old</h1>' } }));
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(page.getByRole('treeitem', { name: 'index.html' })).toBeVisible();
  const address = page.url();

  await act(page, group(page, 'Workspace 1').locator('header'), 'Remove');
  for (const name of ['Terminal', 'Changes', 'Files']) {
    await page.getByRole('tab', { name, exact: true }).click();
    await expect(page.getByRole('tabpanel', { name })).toContainText('Open a session to see its workspace.');
  }
  await expect(page.getByRole('tab', { name: 'Preview' })).toHaveCount(0);

  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(page.getByText('There is no such workspace on this device.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Watch a demo' })).toBeVisible();
  await expect(page.getByRole('tabpanel', { name: 'Files' })).toContainText('Open a session');

  await page.getByRole('button', { name: 'Undo' }).click();
  await group(page, 'Workspace 1').getByRole('link').click();
  await expect(page.getByRole('treeitem', { name: 'index.html' })).toBeVisible();
});

test('a session is renamed, here and in the title; the first words of a prompt are its name until then', async ({
  page,
}) => {
  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }));
  await send(page, 'Count the birds\nand the fish');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Count the birds');
  await act(page, list(page).getByRole('listitem'), 'Rename');
  const field = page.getByRole('textbox', { name: 'New name' });
  await expect(field).toHaveValue('Count the birds');
  await field.fill('Nothing of it');
  await page.keyboard.press('Escape');
  await expect(list(page).getByRole('link')).toContainText('Count the birds');
  await act(page, list(page).getByRole('listitem'), 'Rename');
  await field.fill('Birds');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Birds');
  await expect(page).toHaveTitle('Birds · Vitrine');
  await page.reload();
  await expect(list(page).getByRole('link')).toContainText('Birds');
});

test('search finds words of every message and shows them in their surroundings', async ({ page }) => {
  await openApp(page);
  await useScript(page, {
    ...script({ text: 'x' }),
    turns: [
      {
        when: 'birds',
        steps: [
          { text: `${'Before it. '.repeat(20)}The Pelikán <i>eats</i> fish. ${'After it. '.repeat(20)}` },
        ],
      },
      { when: 'stones', steps: [{ text: 'Other words.' }] },
    ],
  });
  await prompt(page, 'Tell me of birds');
  await page.evaluate(() => window.vitrine.sessions.create());
  await prompt(page, 'Tell me of stones');
  const search = list(page).getByRole('searchbox');
  await search.fill('pelikan fis');
  await expect(list(page).getByRole('link')).toHaveCount(1);
  await expect(list(page).getByRole('link')).toContainText('Tell me of birds');
  await expect(list(page).getByRole('link')).toContainText('…');
  await expect(list(page).getByRole('link')).toContainText('The Pelikán <i>eats</i> fish.');
  await list(page).getByRole('link').click();
  await expect(page.getByRole('article').last()).toContainText('Pelikán');
  await search.fill('stones pelikan');
  await expect(list(page)).toContainText('Nothing found.');
});

test('a hit of the search opens its session on a phone, also where it is the one that is open', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openApp(page);
  await useScript(page, script({ text: 'The pelican answers.' }));
  await prompt(page, 'Go');
  await page.getByRole('tab', { name: 'Sessions' }).click();
  await list(page).getByRole('searchbox').fill('pelican');
  await list(page).getByRole('link').click();
  await expect(page.getByRole('article').last()).toBeVisible();
});

test('Keep is switched on and off, and lasts', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }));
  const { sessionID } = await prompt(page, 'Go');
  const row = list(page).getByRole('listitem');
  for (const { item, keep } of [
    { item: 'Keep long outputs', keep: true },
    { item: 'Stop keeping long outputs', keep: false },
  ]) {
    await act(page, row, item);
    const stored = () => page.evaluate((id) => window.vitrine.sessions.events(id), sessionID);
    await expect
      .poll(async () => (await stored()) as object[])
      .toContainEqual(expect.objectContaining({ type: 'session.kept', keep }));
    await page.reload();
    await page.evaluate(() => window.vitrine.ready);
    await expect(row.getByText(/^kept · /)).toHaveCount(keep ? 1 : 0);
  }
});

test('files and folders are dropped in, and go out as a zip that holds what is there', async ({ page }) => {
  await openApp(page);
  await page.evaluate(() => window.vitrine.sessions.create({ files: { 'old.txt': 'old\n' } }));
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(page.getByRole('treeitem', { name: 'old.txt' })).toBeVisible();
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['new\n'], 'new.txt'));
    transfer.items.add(new File(['other\n'], 'old.txt'));
    transfer.items.add(new File([new Uint8Array([0, 255, 128])], 'bytes.bin'));
    return transfer;
  });
  const tree = page.getByRole('tree');
  await tree.dispatchEvent('dragover', { dataTransfer: dropped });
  await expect(page.getByText(/Drop to add to/)).toBeVisible();
  await tree.dispatchEvent('drop', { dataTransfer: dropped });
  await expect(page.getByRole('treeitem', { name: 'new.txt' })).toBeVisible();
  // Nothing is overwritten unless the person says so.
  await expect(page.getByText('1 file already existed and was not replaced.')).toBeVisible();
  expect(await readFile(page, 'old.txt')).toBe('old\n');
  await page.getByRole('button', { name: 'Replace them' }).click();
  await expect.poll(() => readFile(page, 'old.txt')).toBe('other\n');

  await writeFile(page, 'deep/er/ä.txt', 'ä\n');
  await expect(page.getByRole('treeitem', { name: 'deep' })).toBeVisible();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download all as zip' }).click();
  const zip = unzipSync(readFileSync((await (await saving).path())!));
  const files = Object.entries(zip).filter(([name]) => !name.endsWith('/'));
  expect(
    Object.fromEntries(files.map(([name, bytes]) => [name, strFromU8(bytes, name.endsWith('bin'))])),
  ).toEqual({
    'bytes.bin': '\0\u00ff\u0080',
    'deep/er/ä.txt': 'ä\n',
    'new.txt': 'new\n',
    'old.txt': 'other\n',
  });
});

test('a repository with links comes in as `zip -y` made it, and goes out as native git knows it', async ({
  page,
}, { outputDir }) => {
  const [tree, packed, back] = [`${outputDir}/tree`, `${outputDir}/tree.zip`, `${outputDir}/back`];
  const run = (folder: string, program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8' });
  mkdirSync(path.join(tree, 'deep/er'), { recursive: true });
  writeFileSync(path.join(tree, 'a.txt'), 'a\n');
  writeFileSync(path.join(tree, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  symlinkSync('../../a.txt', path.join(tree, 'deep/er/to-file'));
  symlinkSync('deep', path.join(tree, 'to-folder'));
  symlinkSync('nothing', path.join(tree, 'to-nothing'));
  run(tree, 'git', 'init', '-q', '-b', 'main');
  run(tree, 'git', 'add', '.');
  const ada = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  run(tree, 'git', ...ada, 'commit', '-qm', 'Links');
  symlinkSync('/etc/passwd', path.join(tree, 'out'));
  run(tree, 'zip', '-qry', packed, '.');

  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }));
  await page.evaluate(() => window.vitrine.sessions.create({}));
  await page.getByRole('tab', { name: 'Files' }).click();
  const picking = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add files' }).click();
  await (await picking).setFiles(packed);
  await page.getByRole('button', { name: 'Unpack' }).click();
  await expect(page.getByText('out: It is a link that leads out of the workspace.')).toBeVisible();
  const { output } = await page.evaluate(() =>
    window.vitrine.workspace.exec('git status --porcelain; readlink to-folder; cat deep/er/to-file'),
  );
  expect(output).toBe('deep\na\n');

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download all as zip' }).click();
  mkdirSync(back);
  run(back, 'unzip', '-q', (await (await saving).path())!);
  expect(run(back, 'git', 'status', '--porcelain')).toBe('');
  expect(readlinkSync(path.join(back, 'deep/er/to-file'))).toBe('../../a.txt');
});

test('workspaces that nobody looks at give back their frames, and have everything when they are opened again', async ({
  page,
}) => {
  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }));
  const create = (number: number) =>
    page.evaluate(async (given) => {
      const { sessionID } = await window.vitrine.sessions.create({ files: { 'n.txt': `${given}` } });
      return sessionID;
    }, number);
  const frames = page.locator('iframe[title="Workspace"]');
  const first = await create(0);
  await writeFile(page, 'late.txt', 'written last\n');
  const second = await create(1);
  // Something runs in it, and goes on.
  await page.evaluate(() => {
    void window.vitrine.workspace.exec(
      'echo begun > begun.txt; until [ -e go ]; do sleep 0.1; done; echo over > over.txt',
    );
  });
  await expect.poll(() => page.evaluate(() => window.vitrine.workspace.list())).toContain('begun.txt');
  for (let number = 2; number < 8; number++) await create(number);
  // The one that is seen is among the three that were used last; besides them, the one that works.
  await expect(frames).toHaveCount(4);

  const open = (id: string) => page.evaluate((given) => window.vitrine.sessions.open(given), id);
  await open(second);
  await writeFile(page, 'go', '');
  await expect.poll(() => page.evaluate(() => window.vitrine.workspace.list())).toContain('over.txt');
  await open(first);
  expect(await readFile(page, 'n.txt')).toBe('0');
  expect(await readFile(page, 'late.txt')).toBe('written last\n');
  await expect(page.getByRole('status', { name: 'Workspace' })).toContainText('Embedded');
  await expect(frames).toHaveCount(3);
  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  expect(await readFile(page, 'late.txt')).toBe('written last\n');
});
