import { userEvent } from 'vitest/browser';
import { afterEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { MemoryWorkspace } from '../../../../../../test/support/memory-workspace.ts';
import { languageOf } from '../../../../../app/language-worker.ts';
import { timeoutTimer } from '../../../../../base/timer.ts';
import type { WorkerLanguage } from '../../../../../language/workspace-language.ts';
import FilesTab from '../../../FilesTab.svelte';
import '../../../../styles/index.css';

// The first start loads several megabytes, on a machine that may be shared.
const SLOW = { timeout: 30_000 };

const made: WorkerLanguage[] = [];
afterEach(() => {
  for (const language of made.splice(0)) language.stop();
});

const FILES = {
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "lib": ["es2022"] } }',
  'shapes.ts': '/** <b>Adds</b> one. */\nexport function next(n: number): number {\n  return n + 1;\n}\n',
  'main.ts': "import { next } from './shapes';\n\nexport const two: string = next(1);\n",
};

async function open(files: Record<string, string> = FILES, { failures = 0 } = {}) {
  const workspace = new MemoryWorkspace({ files, id: `wsp_${crypto.randomUUID()}` });
  let left = failures;
  const language = async (shown: ConstructorParameters<typeof WorkerLanguage>[0]) => {
    if (left-- > 0) throw new Error('It could not be loaded.');
    const started = languageOf(shown, timeoutTimer);
    made.push(started);
    return started;
  };
  const page = await render(FilesTab, { workspace, language, highlight: async () => null });
  page.container.style.cssText = 'height: 600px; width: 700px';
  const text = (path: string) => page.getByRole('textbox', { name: `Text of ${path}`, exact: true });
  const edit = async (name: string) => {
    await page.getByRole('treeitem', { name, exact: true }).click();
    await text(name).click();
    await userEvent.keyboard('{ControlOrMeta>}{End}{/ControlOrMeta}');
  };
  /** Puts the cursor into the word `two`, `lines` above the end, by the keyboard. */
  const up = (lines: number, right: number) =>
    userEvent.keyboard(`${'{ArrowUp}'.repeat(lines)}{Home}${'{ArrowRight}'.repeat(right)}`);
  const problems = (count: string) => page.getByRole('button', { name: count, exact: true });
  return { workspace, page, text, edit, up, problems };
}

test('problems are those of the text as it is typed, and go once they are mended', async () => {
  const { workspace, page, text, edit, up, problems } = await open();
  await edit('main.ts');
  await expect.element(problems('1 problem'), SLOW).toBeVisible();
  await expect.poll(() => text('main.ts').element().querySelector('.cm-lintRange-error')).not.toBeNull();
  await userEvent.keyboard('{Alt>}{F8}{/Alt}');
  await expect.element(page.getByText(/not assignable to type 'string'/).first()).toBeVisible();

  // It is not saved.
  await up(1, 24);
  await userEvent.keyboard('{Backspace>6/}number');
  await expect.element(problems('0 problems'), SLOW).toBeVisible();
  expect(workspace.files.text('main.ts')).toBe(FILES['main.ts']);
});

test('another file that changes changes the problems', async () => {
  const { workspace, edit, problems } = await open();
  await edit('main.ts');
  await expect.element(problems('1 problem'), SLOW).toBeVisible();
  workspace.files.put('shapes.ts', 'export const next = (n: number) => `${n}`;\n');
  await expect.element(problems('0 problems'), SLOW).toBeVisible();
});

test('a file that is deleted has no problems, and no failure of the service, and is checked again once it is back', async () => {
  const { workspace, page, edit, problems } = await open();
  const failure = page.getByText(/^The language service cannot answer/);
  await edit('main.ts');
  await expect.element(problems('1 problem'), SLOW).toBeVisible();
  await workspace.files.remove('main.ts');
  await expect.element(problems('0 problems'), SLOW).toBeVisible();
  await expect.element(failure).not.toBeInTheDocument();
  workspace.files.put('main.ts', FILES['main.ts']);
  await expect.element(problems('1 problem'), SLOW).toBeVisible();
  await expect.element(failure).not.toBeInTheDocument();
});

test('that the service cannot answer is said until it answers', async () => {
  const { page, edit, problems } = await open(FILES, { failures: 1 });
  const failure = page.getByText('The language service cannot answer: It could not be loaded.');
  await edit('main.ts');
  await expect.element(failure).toBeVisible();
  await userEvent.keyboard(' ');
  await expect.element(problems('1 problem'), SLOW).toBeVisible();
  await expect.element(failure).not.toBeInTheDocument();
});

test('members are completed, and described as text', async () => {
  const { page, text, edit } = await open({ ...FILES, 'main.ts': "import * as s from './shapes';\n" });
  await edit('main.ts');
  await userEvent.keyboard('s.');
  await expect.element(page.getByRole('option', { name: 'next' }), SLOW).toBeVisible();
  const shown = performance.now();
  await expect.element(page.getByText('<b>Adds</b> one.'), SLOW).toBeVisible();
  // So that a list that has just opened takes no key by mistake, the editor gives it none for 75 ms.
  await expect.poll(() => performance.now() - shown).toBeGreaterThan(75);
  await userEvent.keyboard('{Enter}');
  await expect.element(text('main.ts')).toHaveTextContent("import * as s from './shapes';s.next");
});

test('a name is described by keyboard, until Escape', async () => {
  const { page, edit, up } = await open();
  await edit('main.ts');
  await up(1, 28);
  await userEvent.keyboard('{Shift>}{F1}{/Shift}');
  const tip = page.getByText('<b>Adds</b> one.', { exact: true });
  await expect.element(tip, SLOW).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(tip).not.toBeInTheDocument();
});

test('a definition is shown in its file, and one that comes with TypeScript is named', async () => {
  const { page, text, edit, up } = await open({ ...FILES, 'b.ts': 'export const m = Math.max(1);\n' });
  await edit('main.ts');
  await up(1, 28);
  await userEvent.keyboard('{F12}');
  await expect.element(text('shapes.ts'), SLOW).toBeVisible();
  await expect.poll(() => text('shapes.ts').element().matches(':focus')).toBe(true);
  await userEvent.keyboard('_');
  await expect.element(text('shapes.ts')).toHaveTextContent('export function _next(');
  await edit('b.ts');
  await up(1, 24);
  await userEvent.keyboard('{F12}');
  await expect
    .element(page.getByText(/^This is declared in lib\..*d\.ts, which comes with TypeScript/), SLOW)
    .toBeVisible();
});

test('a name is renamed in all files, once its places are shown', async () => {
  const { workspace, page, edit, up } = await open();
  await edit('main.ts');
  await up(1, 28);
  await userEvent.keyboard('{F2}');
  const field = page.getByRole('textbox', { name: 'New name for next' });
  await field.fill('successor');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('3 places in 2 files:'), SLOW).toBeVisible();
  await expect.element(page.getByText('main.ts (2)')).toBeVisible();
  expect(workspace.files.text('shapes.ts')).toBe(FILES['shapes.ts']);
  await page.getByRole('button', { name: 'Rename all' }).click();
  await expect.element(page.getByText('Renamed to successor in 3 places.')).toBeVisible();
  expect(workspace.files.text('shapes.ts')).toContain('function successor(');
  expect(workspace.files.text('main.ts')).toContain('= successor(1)');
});

test('a file that has unsaved edits or changed meanwhile is not renamed in', async () => {
  const { workspace, page, edit, up } = await open();
  await edit('shapes.ts');
  await userEvent.keyboard(' ');
  await edit('main.ts');
  await up(1, 28);
  await userEvent.keyboard('{F2}');
  const field = page.getByRole('textbox', { name: 'New name for next' });
  await field.fill('successor');
  await page.getByRole('button', { name: 'Show the places' }).click();
  const alert = page.getByRole('alert');
  await expect.element(alert, SLOW).toHaveTextContent('shapes.ts has unsaved edits.');

  await edit('shapes.ts');
  await userEvent.keyboard('{ControlOrMeta>}s{/ControlOrMeta}');
  await page.getByRole('tab', { name: 'main.ts' }).click();
  await field.fill('successor');
  await page.getByRole('button', { name: 'Show the places' }).click();
  await expect.element(page.getByText('3 places in 2 files:'), SLOW).toBeVisible();
  workspace.files.put('shapes.ts', 'export const next = (n: number) => n;\n');
  await page.getByRole('button', { name: 'Rename all' }).click();
  await expect.element(alert).toHaveTextContent('shapes.ts changed meanwhile. Nothing was renamed.');
  expect(workspace.files.text('main.ts')).toBe(FILES['main.ts']);
});
