import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { Listeners } from '../../../base/listeners.ts';
import { showComponent } from '../../../../test/support/stories/show-component.ts';
import type { AppConfigurations } from '../../app.ts';
import { Toasts } from '../../state/toasts.svelte.ts';
import OwnFiles from './OwnFiles.svelte';

test('own files are written, and taken away', async () => {
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
    onChange: (listener) => changed.add(listener),
  };
  showComponent(OwnFiles, {}, { app: { configurations }, toasts: new Toasts() });
  await page.getByRole('button', { name: 'New file of your own' }).click();
  await page.getByLabelText('Name of the new file').fill('AGENTS.md');
  await page.getByLabelText('Text', { exact: true }).fill('Be brief.');
  await page.getByRole('button', { name: 'Store file' }).click();
  expect([...files]).toEqual([['AGENTS.md', 'Be brief.']]);
  await page.getByRole('button', { name: 'Remove AGENTS.md' }).click();
  expect(files.size).toBe(0);
});
