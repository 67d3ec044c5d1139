import { expect, test } from './test.ts';
import { openApp, prompt, script, useScript } from './app.ts';
import type { Page } from '@playwright/test';

/**
 * The dialog of the browser cannot be driven by a test. It is answered with a folder of the browser's private file
 * system, whose handles are the same.
 */
async function answerDialog(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(window, {
      showDirectoryPicker: async () =>
        (await navigator.storage.getDirectory()).getDirectoryHandle('my-project', { create: true }),
    });
  });
}

function toDisk(page: Page, name: string, text: string): Promise<void> {
  return page.evaluate(
    async (file) => {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('my-project', { create: true });
      const stream = await (await folder.getFileHandle(file.name, { create: true })).createWritable();
      await stream.write(file.text);
      await stream.close();
    },
    { name, text },
  );
}

function onDisk(page: Page, name: string): Promise<string> {
  return page.evaluate(async (path) => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('my-project');
    return (await (await folder.getFileHandle(path)).getFile()).text();
  }, name);
}

test('the agent works on a folder of the disk, and what it changed is written back when the person says so', async ({
  page,
}) => {
  await answerDialog(page);
  await openApp(page);
  await toDisk(page, 'notes.txt', 'one\ntwo\n');
  const given = {
    ...script(),
    turns: [
      {
        steps: [
          { tools: [{ tool: 'read', input: { filePath: 'notes.txt' } }] },
          {
            tools: [
              { tool: 'edit', input: { filePath: 'notes.txt', oldString: 'two', newString: 'second' } },
            ],
          },
          { text: 'Done.' },
        ],
      },
    ],
    files: {},
  };
  await useScript(page, given, 'allow');
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('button', { name: 'Connect a folder of your disk' }).click();
  await expect(page.getByText('Brought 1 file into the workspace.')).toBeVisible();
  await prompt(page, 'Change something');
  const region = page.getByRole('region', { name: 'Folder my-project of your disk' });
  await expect(region.getByText('1 file of the workspace has changed since.')).toBeVisible();
  expect(await onDisk(page, 'notes.txt')).toBe('one\ntwo\n');

  // The folder stays connected.
  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await expect(region.getByText('1 file of the workspace has changed since.')).toBeVisible();
  await region.getByRole('button', { name: 'Compare' }).click();
  await region.getByRole('button', { name: 'Copy 1 file' }).click();
  await expect(page.getByText('Wrote 1 file to your disk.')).toBeVisible();
  expect(await onDisk(page, 'notes.txt')).toBe('one\nsecond\n');
});
