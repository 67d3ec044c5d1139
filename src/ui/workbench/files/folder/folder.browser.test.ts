import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { MemoryWorkspace } from '../../../../../test/support/memory-workspace.ts';
import { DiskFolder } from '../../../../workspace/folder/disk-folder.ts';
import type { FolderRecord } from '../../../../workspace/folder/store.ts';
import FolderBar from './FolderBar.svelte';
import { FolderState } from './folder-state.svelte.ts';

/** The browser's private file system has the same handles as folders of the disk. */
const NAME = 'my-project';
const bytes = (text: string) => new TextEncoder().encode(text);

afterEach(async () => {
  const root = await navigator.storage.getDirectory();
  await root.removeEntry(NAME, { recursive: true }).catch(() => {});
});

async function shown(disk: Readonly<Record<string, string>>, files: Record<string, string> = {}) {
  const root = await navigator.storage.getDirectory();
  const handle = await root.getDirectoryHandle(NAME, { create: true });
  const folder = new DiskFolder(handle);
  for (const [path, text] of Object.entries(disk)) await folder.write(path, bytes(text));
  const workspace = new MemoryWorkspace({ files });
  const records = new Map<string, FolderRecord>();
  const store = async () => ({
    get: async (id: string) => records.get(id),
    put: async (id: string, record: FolderRecord) => void records.set(id, record),
    remove: async (id: string) => void records.delete(id),
  });
  const state = new FolderState(workspace, store, async () => handle);
  await render(FolderBar, { folder: state });
  const onDisk = async (path: string) => {
    const content = await folder.read(path);
    return content && new TextDecoder().decode(content);
  };
  return { state, workspace, folder, onDisk, records };
}

const button = (name: string) => page.getByRole('button', { name, exact: true });

test('a folder comes into an empty workspace, and what the agent changed is written back when asked for', async () => {
  const { state, workspace, onDisk } = await shown({ 'src/a.ts': 'a', 'b.txt': 'b' });
  await state.connect();
  await expect.element(page.getByText('Brought 2 files into the workspace.')).toBeVisible();
  await expect.element(page.getByText('No file of the workspace differs from it.')).toBeVisible();
  expect(workspace.files.text('src/a.ts')).toBe('a');

  await workspace.files.write('src/a.ts', bytes('edited'));
  await workspace.files.remove('b.txt');
  await expect.element(page.getByText('2 files of the workspace have changed since.')).toBeVisible();
  expect(await onDisk('src/a.ts')).toBe('a');
  await button('Compare').click();
  await page.getByRole('checkbox', { name: 'b.txt deleted' }).click();
  await button('Copy 1 file').click();
  await expect.element(page.getByText('Wrote 1 file to your disk.')).toBeVisible();
  expect(await onDisk('src/a.ts')).toBe('edited');
  expect(await onDisk('b.txt')).toBe('b');
  await expect.element(page.getByText('1 file of the workspace has changed since.')).toBeVisible();
});

test('with files on both sides nothing is copied before the person has decided', async () => {
  const { state, workspace, onDisk } = await shown(
    { 'a.txt': 'theirs', 'new.txt': 'new' },
    { 'a.txt': 'mine', 'own.txt': 'own' },
  );
  await state.connect();
  await expect.element(page.getByRole('form', { name: 'What differs' })).toBeVisible();
  expect(workspace.files.text('a.txt')).toBe('mine');
  expect(await onDisk('own.txt')).toBeNull();
  // A conflict stays until it is decided.
  await expect.element(button('Copy 2 files')).toBeVisible();
  await page
    .getByRole('combobox', { name: 'What to do with a.txt' })
    .selectOptions('Bring your disk’s into the workspace');
  await button('Copy 3 files').click();
  await expect.element(page.getByText('Wrote 1 file to your disk. Brought 2 files')).toBeVisible();
  expect(workspace.files.text('a.txt')).toBe('theirs');
  expect(workspace.files.text('new.txt')).toBe('new');
  expect(await onDisk('own.txt')).toBe('own');
});

test('a file that appears in the workspace while the folder is read is not written to the disk', async () => {
  const { state, workspace, onDisk } = await shown({ 'a.txt': 'a' });
  const list = workspace.files.list.bind(workspace.files);
  workspace.files.list = async (path, options) => {
    const entries = await list(path, options);
    await workspace.files.write('made.txt', bytes('made'));
    return entries;
  };
  await state.connect();
  await expect.element(page.getByText('Brought 1 file into the workspace.')).toBeVisible();
  expect(await onDisk('made.txt')).toBeNull();
  await expect.element(page.getByText('1 file of the workspace has changed since.')).toBeVisible();
});

test('a file that changes on the disk after the comparison is left, and named', async () => {
  const { state, workspace, folder, onDisk } = await shown({ 'a.txt': 'a' });
  await state.connect();
  await workspace.files.write('a.txt', bytes('mine'));
  await button('Compare').click();
  await expect.element(button('Copy 1 file')).toBeVisible();
  await folder.write('a.txt', bytes('newer'));
  await button('Copy 1 file').click();
  await expect.element(page.getByText('1 file was left as it was.')).toBeVisible();
  await expect.element(page.getByText('a.txt: It was changed again on your disk')).toBeVisible();
  expect(await onDisk('a.txt')).toBe('newer');
});

test('it is disconnected with an undo, and connected again after a reload', async () => {
  const { state, workspace, records } = await shown({ 'a.txt': 'a' });
  await state.connect();
  await button('Disconnect').click();
  expect(records.size).toBe(0);
  await button('Undo').click();
  await expect.element(page.getByRole('region', { name: 'Folder my-project of your disk' })).toBeVisible();
  const again = new FolderState(
    workspace,
    async () => ({
      get: async (id) => records.get(id),
      put: async () => {},
      remove: async () => {},
    }),
    async () => null,
  );
  await expect.poll(() => again.name).toBe(NAME);
  again.close();
});

test('a browser that cannot do it is told, with what helps instead', async () => {
  const workspace = new MemoryWorkspace();
  const state = new FolderState(
    workspace,
    async () => ({ get: async () => undefined, put: async () => {}, remove: async () => {} }),
    undefined,
  );
  await render(FolderBar, { folder: state });
  await state.connect();
  await expect.element(page.getByText('This browser does not let a page write')).toBeVisible();
});
