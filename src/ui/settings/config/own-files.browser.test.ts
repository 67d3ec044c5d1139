import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { Listeners } from '../../../base/listeners.ts';
import { showComponent } from '../../../../test/support/stories/show-component.ts';
import type { AppConfigurations, OwnFileCheck } from '../../app.ts';
import { Toasts } from '../../state/toasts.svelte.ts';
import OwnFiles from './OwnFiles.svelte';

const name = page.getByLabelText('Name of the new file');
const text = page.getByLabelText('Text', { exact: true });
const store = page.getByRole('button', { name: 'Store file' });

function show(check: OwnFileCheck = { isUsed: true, problems: [] }) {
  const changed = new Listeners<void>();
  const files = new Map<string, string>();
  const configurations: AppConfigurations = {
    of: () => null,
    refresh: async () => undefined,
    isAnswered: () => true,
    answer: async () => undefined,
    ownFiles: () => Object.fromEntries(files),
    setOwnFile: async (path, text) => {
      if (text === null) files.delete(path);
      else files.set(path, text);
      changed.emit();
    },
    checkOwnFile: async () => check,
    onChange: (listener) => changed.add(listener),
  };
  const toasts = new Toasts();
  showComponent(OwnFiles, {}, { app: { configurations }, toasts });
  return { files, toasts };
}

async function storeNew(path: string, content: string): Promise<void> {
  await page.getByRole('button', { name: 'New file of your own' }).click();
  await name.fill(path);
  await text.fill(content);
  await store.click();
}

test('own files are written, and taken away until that is undone', async () => {
  const { files, toasts } = show();
  await storeNew('AGENTS.md', 'Be brief.');
  expect([...files]).toEqual([['AGENTS.md', 'Be brief.']]);
  await page.getByRole('button', { name: 'Remove AGENTS.md' }).click();
  await expect.poll(() => files.size).toBe(0);
  await expect.element(page.getByRole('button', { name: 'New file of your own' })).toHaveFocus();
  toasts.all[0]?.undo?.();
  await expect.poll(() => [...files]).toEqual([['AGENTS.md', 'Be brief.']]);
});

test('a file is renamed, and no other one is written over', async () => {
  const { files } = show();
  await storeNew('AGENTS.md', 'Be brief.');
  await page.getByRole('button', { name: 'Done' }).click();
  await storeNew('b.md', 'b');
  await page.getByRole('button', { name: 'Edit AGENTS.md' }).click();
  const edited = page.getByLabelText('Name of the file');
  await edited.fill('b.md');
  await expect.element(page.getByRole('alert')).toHaveTextContent('b.md already exists');
  await expect.element(store).toBeDisabled();
  await edited.fill('CLAUDE.md');
  await store.click();
  await expect.poll(() => [...files.keys()].sort()).toEqual(['CLAUDE.md', 'b.md']);
});

test('nothing is stored without a text, or after Cancel', async () => {
  const { files } = show();
  await page.getByRole('button', { name: 'New file of your own' }).click();
  await expect.element(store).toBeDisabled();
  await text.fill('x');
  await expect.element(store).toBeEnabled();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(text).not.toBeInTheDocument();
  expect(files.size).toBe(0);
});

test('what is wrong with a file is said when it is stored', async () => {
  show({
    isUsed: false,
    problems: [{ file: 'opencode.json', line: 2, what: 'It is not JSON.', next: 'Mend it.' }],
  });
  await storeNew('opencode.jsn', '{');
  const said = page.getByRole('status');
  await expect.element(said).toHaveTextContent('no file of this name is used by itself');
  await expect.element(said).toHaveTextContent('opencode.json:2: It is not JSON. Mend it.');
});
