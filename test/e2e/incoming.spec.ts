import type { Page } from '@playwright/test';
import { strToU8, zipSync } from 'fflate';
import { mkdirSync, writeFileSync } from 'node:fs';
import { calls, openApp, readFile, script, useScript, writeFile } from './app.ts';
import { expect, test } from './test.ts';

/** One pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const item = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: true });

async function addFolder(page: Page, folder: string): Promise<void> {
  const picking = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add folder' }).click();
  await (await picking).setFiles(folder);
}

test('a folder goes to the root, twice in a row too, and the place is named', async ({ page }, {
  outputDir,
}) => {
  for (const name of ['site', 'lib']) {
    mkdirSync(`${outputDir}/${name}/src`, { recursive: true });
    writeFileSync(`${outputDir}/${name}/src/${name}.js`, `// ${name}\n`);
  }
  await openApp(page);
  await page.evaluate(() => window.vitrine.sessions.create({}));
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(page.getByText('No files yet.')).toBeVisible();
  await addFolder(page, `${outputDir}/site`);
  await expect(page.getByText('Added 1 file to src. All of it was in the folder site')).toBeVisible();
  await addFolder(page, `${outputDir}/lib`);
  await expect(page.getByText('Added 1 file to lib.', { exact: true })).toBeVisible();
  await addFolder(page, `${outputDir}/site`);
  await expect(page.getByText('Added 1 file to site.')).toBeVisible();
  expect(await readFile(page, 'src/site.js')).toBe('// site\n');
  expect(await readFile(page, 'lib/src/lib.js')).toBe('// lib\n');
  expect(await readFile(page, 'site/src/site.js')).toBe('// site\n');
});

test('a zip offers to be unpacked', async ({ page }) => {
  await openApp(page);
  await page.evaluate(() => window.vitrine.sessions.create({ files: { 'a.txt': 'a' } }));
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(item(page, 'a.txt')).toBeVisible();
  const picking = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add files' }).click();
  const buffer = Buffer.from(zipSync({ 'site/index.html': strToU8('<p>Hello') }));
  await (await picking).setFiles([{ name: 'site.zip', mimeType: 'application/zip', buffer }]);
  await expect(page.getByText('site.zip is a zip. Unpack it here?')).toBeVisible();
  await page.getByRole('button', { name: 'Unpack' }).click();
  await expect(page.getByText('Added 1 file to site.')).toBeVisible();
  expect(await readFile(page, 'site/index.html')).toBe('<p>Hello');
});

test('what is dropped on the conversation is taken: images into the message, files into the workspace', async ({
  page,
}) => {
  await openApp(page);
  await useScript(page, script({ text: 'A pixel.' }));
  await page.evaluate(() => window.vitrine.sessions.create({}));
  const dropped = await page.evaluateHandle((png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
    transfer.items.add(new File(['note\n'], 'note.txt'));
    return transfer;
  }, PNG);
  const place = page.getByRole('main');
  await place.dispatchEvent('dragover', { dataTransfer: dropped });
  await expect(page.getByText('Drop pictures and PDFs to attach them')).toBeVisible();
  await place.dispatchEvent('drop', { dataTransfer: dropped });
  await expect(composer(page)).toHaveValue('@attachments/shot.png ');
  await expect.poll(() => readFile(page, 'note.txt')).toBe('note\n');

  await composer(page).evaluate((box, png) => {
    const clipboardData = new DataTransfer();
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    clipboardData.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, PNG);
  await expect(composer(page)).toHaveValue('@attachments/shot.png @attachments/shot-2.png ');
  const attached = page.getByRole('list', { name: 'Attached files' });
  await expect(attached.getByRole('listitem')).toHaveText(['shot.png', 'shot-2.png']);
  await expect
    .poll(() =>
      attached
        .locator('img')
        .first()
        .evaluate((shown: HTMLImageElement) => shown.naturalWidth),
    )
    .toBe(1);
  await attached.getByRole('button', { name: 'Remove shot-2.png from the message' }).press('Enter');
  await expect(composer(page)).toHaveValue('@attachments/shot.png ');

  const picking = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach' }).click();
  await page.getByRole('menuitem', { name: 'Choose files' }).click();
  const large = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(4000, 400);
    canvas.getContext('2d')?.fillRect(0, 0, 9, 9);
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
  });
  await (
    await picking
  ).setFiles([
    { name: 'large.png', mimeType: 'image/png', buffer: Buffer.from(large) },
    { name: 'todo.txt', mimeType: 'text/plain', buffer: Buffer.from('Buy milk.\n') },
  ]);
  await expect(composer(page)).toHaveValue(
    '@attachments/shot.png @attachments/large.png @attachments/todo.txt ',
  );
  await expect(composer(page)).toBeFocused();
  await expect
    .poll(() =>
      attached
        .locator('img')
        .last()
        .evaluate((shown: HTMLImageElement) => shown.naturalWidth),
    )
    .toBe(2000);
  await composer(page).press('End');
  await composer(page).pressSequentially('What is this?');
  await composer(page).press('Enter');
  await expect(attached).toBeHidden();
  await expect(calls(page, 'read')).toHaveCount(3);
  await expect(calls(page, 'read').first()).toHaveAttribute('data-outcome', 'ok');
  await expect(page.getByRole('article').last()).toContainText('A pixel.');

  const empty = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    Object.defineProperty(transfer, 'types', { value: ['Files'] });
    return transfer;
  });
  await place.dispatchEvent('drop', { dataTransfer: empty });
  await expect(page.getByText('No files were found in that.')).toBeVisible();
});

test('files that are dropped on the first page go into a new workspace, with a session for it', async ({
  page,
}) => {
  await openApp(page);
  await composer(page).fill('Look at this:');
  const dropped = await page.evaluateHandle((png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
    transfer.items.add(new File(['note\n'], 'note.txt'));
    return transfer;
  }, PNG);
  await page.getByRole('main').dispatchEvent('drop', { dataTransfer: dropped });
  await expect(composer(page)).toHaveValue('Look at this: @attachments/shot.png ');
  await expect(page.getByText("Added 1 file to the workspace's root.")).toBeVisible();
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(item(page, 'note.txt')).toBeVisible();
  expect(await page.evaluate(async () => (await window.vitrine.sessions.list()).length)).toBe(1);
});

test('what is ignored is grey in the tree and not offered after @ until its name is typed', async ({
  page,
}) => {
  await openApp(page);
  await page.evaluate(() =>
    window.vitrine.sessions.create({
      files: { '.gitignore': 'dist/\n', 'dist/app.js': '', 'src/app.js': '' },
    }),
  );
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(item(page, 'dist')).toHaveAccessibleDescription('Ignored');
  await expect(item(page, 'src')).not.toHaveAccessibleDescription('Ignored');
  const options = page.getByRole('listbox', { name: 'Files to attach' }).getByRole('option');
  await composer(page).pressSequentially('@app');
  await expect(options).toHaveCount(1);
  await composer(page).fill('');
  await composer(page).pressSequentially('@dist/a');
  await expect(options).toContainText('app.js');
  await writeFile(page, '.gitignore', '');
  await expect(item(page, 'dist')).not.toHaveAccessibleDescription('Ignored');
});
