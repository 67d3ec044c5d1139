import { strToU8, zipSync } from 'fflate';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';
import type { MemoryWorkspace } from '../../../../test/support/memory-workspace.ts';
import '../Later.svelte';

let workspace: MemoryWorkspace;

beforeEach(async () => {
  const app = new FakeApp();
  app.space('w', 'space');
  workspace = app.workspace('w') as MemoryWorkspace;
  workspace.files.put('mine.txt', strToU8('mine'));
  app.add(new FakeSession('ses_a', 'w', 'A'));
  await openPage(app, 'ses_a');
});

/** Drops a zip on the conversation and unpacks it. */
async function unpack(content: Record<string, string>): Promise<void> {
  const files = Object.fromEntries(Object.entries(content).map(([name, text]) => [name, strToU8(text)]));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([zipSync(files)], 'site.zip'));
  const place = page.getByRole('main').element();
  const drop = { dataTransfer, bubbles: true, cancelable: true };
  // The code that takes drops is loaded after the first paint.
  await expect
    .poll(
      () => {
        place.dispatchEvent(new DragEvent('dragover', drop));
        return page.getByText('other files to add them to the workspace').elements();
      },
      { timeout: 10_000 },
    )
    .toHaveLength(1);
  place.dispatchEvent(new DragEvent('drop', drop));
  await page.getByRole('button', { name: 'Unpack site.zip' }).click();
}

test('all that is left out of a zip is named, or counted where it is much', async () => {
  await unpack({ 'good.txt': 'good', '../a.txt': '', '../b.txt': '', '../c.txt': '', '../d.txt': '' });
  const notice = page.getByText('Added 1 file to the workspace');
  await expect.element(notice).toHaveTextContent('../a.txt was left out: Its name cannot be used.');
  await expect.element(notice).toHaveTextContent('../c.txt was left out');
  await expect.element(notice).toHaveTextContent('1 more was left out.');
  expect(workspace.files.text('good.txt')).toBe('good');
});

test('files that were there already stay, and are replaced when the person says so', async () => {
  await unpack({ 'mine.txt': 'from the zip', 'new.txt': 'new' });
  await expect.element(page.getByText('1 file already existed and was not replaced.')).toBeVisible();
  expect(workspace.files.text('mine.txt')).toBe('mine');
  await page.getByRole('button', { name: 'Replace them' }).click();
  await expect.poll(() => workspace.files.text('mine.txt')).toBe('from the zip');
});
