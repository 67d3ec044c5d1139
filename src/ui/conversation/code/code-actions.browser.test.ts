import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { showComponent } from '../../../../test/support/stories/show-component.ts';
import { ROOT } from '../../../workspace/workspace.ts';
import { Finding } from '../../state/finding.svelte.ts';
import { Layout } from '../../state/layout.svelte.ts';
import { ShownWorkspace } from '../../state/shown-workspace.svelte.ts';
import { Toasts } from '../../state/toasts.svelte.ts';
import CodeActions from './CodeActions.svelte';

async function show(text: string, language: string, files: Record<string, string> = {}) {
  const app = new FakeApp();
  const shown = new ShownWorkspace(app);
  await shown.enter('w');
  const workspace = app.workspace('w');
  for (const [path, content] of Object.entries(files))
    await workspace.files.write(path, new TextEncoder().encode(content));
  const kept = new Map<string, string>();
  const layout = new Layout(
    { get: (name) => kept.get(name) ?? null, set: (name, value) => void kept.set(name, value) },
    () => false,
  );
  const finding = new Finding();
  const stores = { workspace: shown, layout, finding, toasts: new Toasts() };
  showComponent(CodeActions, { text, language }, stores);
  const read = async (path: string) => new TextDecoder().decode(await workspace.files.read(path));
  return { read, shownFile: () => finding.asked, asked: () => layout.asked };
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = page.getByRole('textbox', { name: 'Path of the file' });

test('code is saved under the proposed name, which is free, and then shown', async () => {
  const { read, shownFile } = await show('print(1)', 'python', { 'code.py': 'mine' });
  await button('Save as a file').click();
  await expect.element(field).toHaveValue('code-2.py');
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => shownFile()).toEqual({ path: `${ROOT}/code-2.py` });
  expect(await read('code-2.py')).toBe('print(1)\n');
  expect(await read('code.py')).toBe('mine');
});

test('a file that is there is replaced only when that is said', async () => {
  const { read, shownFile } = await show('a', 'ts', { 'src/a.ts': 'mine' });
  await button('Save as a file').click();
  await field.fill('src/a.ts');
  await button('Save').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('src/a.ts exists already.');
  await expect.element(button('Replace it')).toHaveFocus();
  expect(await read('src/a.ts')).toBe('mine');
  // Another path is another question.
  await field.fill('src');
  await button('Save').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('src is a folder.');
  await field.fill('../out');
  await button('Save').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('cannot be used');
  await field.fill('src/a.ts');
  await button('Save').click();
  await button('Replace it').click();
  await expect.poll(() => shownFile()).not.toBeNull();
  expect(await read('src/a.ts')).toBe('a\n');
});

test('a command is shown before it runs, and Escape leads back', async () => {
  const { asked } = await show('npm ci\nnpm test\n', 'bash');
  await button('Run in the terminal').click();
  await expect.element(page.getByLabelText('Command to run')).toHaveTextContent('npm ci npm test');
  await expect.element(button('Cancel')).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(button('Run in the terminal')).toHaveFocus();
  expect(asked()).toBeNull();
  await userEvent.keyboard('{Enter}');
  await button('Run').click();
  expect(asked()).toMatchObject({ line: 'npm ci\nnpm test' });
  await expect.element(page.getByLabelText('Command to run')).not.toBeInTheDocument();
});

test('only commands can be run', async () => {
  await show('let a = 1;', 'js');
  await expect.element(button('Save as a file')).toBeVisible();
  await expect.element(button('Run in the terminal')).not.toBeInTheDocument();
});
