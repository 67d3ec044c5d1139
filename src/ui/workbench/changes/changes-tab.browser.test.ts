import { page, userEvent } from 'vitest/browser';
import { expect, test, vi } from 'vitest';
import { MemoryWorkspace } from '../../../../test/support/memory-workspace.ts';
import { showComponent } from '../../../../test/support/stories/show-component.ts';
import { MemorySink } from '../../../workspace/contract/fixture.ts';
import { takeSnapshot } from '../../../workspace/snapshot.ts';
import { Draft } from '../../state/draft.svelte.ts';
import { Toasts } from '../../state/toasts.svelte.ts';
import ChangesTab from './ChangesTab.svelte';
import { openingFiles } from './opening-files.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const numbered = (edit: (line: number) => string = String) =>
  Array.from({ length: 30 }, (_, at) => `${edit(at + 1)}\n`).join('');

/** Never tells of changes, as if the person were faster than that. */
class SilentWorkspace extends MemoryWorkspace {
  override watch() {
    return () => undefined;
  }
}

async function opened(
  files: Record<string, string | Uint8Array>,
  edit: (workspace: MemoryWorkspace) => Promise<void>,
  { gone = false, silent = false } = {},
) {
  const workspace = new (silent ? SilentWorkspace : MemoryWorkspace)({ files });
  const sink = new MemorySink();
  const manifest = (await takeSnapshot(workspace, sink)) ?? '';
  await edit(workspace);
  const toasts = new Toasts();
  const content = async (hash: string) =>
    gone && hash !== manifest ? undefined : new Uint8Array(await sink.get(hash));
  const session = { startSnapshot: manifest, turnSnapshot: manifest, messages: [] };
  const draft = new Draft();
  showComponent(ChangesTab, { workspace, session, active: true }, { toasts, content, draft });
  const read = async (path: string) => new TextDecoder().decode(await workspace.files.read(path));
  return { workspace, toasts, read, draft };
}

const row = (name: RegExp) => page.getByRole('button', { name });

test('what changed is listed with its lines, and follows the workspace', async () => {
  const { workspace } = await opened(
    { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n', 'm.txt': 'moved\n' },
    async ({ files }) => {
      await files.write('a.txt', bytes('one\n2\nthree\n'));
      await files.remove('b.txt');
      await files.rename('m.txt', 'dir/m.txt');
    },
  );
  await expect.element(row(/^a\.txt changed 2 lines added, 1 removed$/)).toBeVisible();
  await expect.element(row(/^b\.txt deleted 0 lines added, 1 removed$/)).toBeVisible();
  await expect.element(row(/^m\.txt → dir\/m\.txt renamed$/)).toBeVisible();
  await expect.element(page.getByRole('status')).toHaveTextContent('3 files changed');
  await workspace.files.write('new.txt', bytes('new\n'));
  await expect.element(row(/^new\.txt added 1 line added, 0 removed$/)).toBeVisible();
  await workspace.files.write('a.txt', bytes('one\ntwo\n'));
  await expect.element(row(/^a\.txt/)).not.toBeInTheDocument();
});

test('before the first message, what changed since the files were opened is shown', async () => {
  const workspace = new MemoryWorkspace({ files: { 'a.txt': 'one\n' } });
  await openingFiles(workspace);
  await workspace.files.write('a.txt', bytes('two\n'));
  const session = { startSnapshot: null, turnSnapshot: null, messages: [] };
  const provided = { toasts: new Toasts(), content: async () => undefined, draft: new Draft() };
  showComponent(ChangesTab, { workspace, session, active: true }, provided);
  await expect.element(row(/^a\.txt changed/)).toBeVisible();
  const since = page.getByRole('combobox', { name: 'Changed since' });
  await expect.element(since).toHaveTextContent(/^the files were opened here$/);
  await row(/^a\.txt changed/).click();
  await page.getByRole('button', { name: 'Put back a.txt' }).click();
  await expect.element(page.getByText('Nothing has changed.')).toBeVisible();
  expect(workspace.files.text('a.txt')).toBe('one\n');
});

test('without a copy of the files, the tab says what else shows changes', async () => {
  const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`f${at}`, `${at}`]));
  const session = { startSnapshot: null, turnSnapshot: null, messages: [] };
  showComponent(
    ChangesTab,
    { workspace: new MemoryWorkspace({ files: many }), session, active: true },
    { toasts: new Toasts(), content: async () => undefined, draft: new Draft() },
  );
  await expect.element(page.getByText(/`git diff` in the terminal/)).toBeVisible();
});

test('a new file without content says so', async () => {
  await opened({ 'a.txt': 'a\n' }, async ({ files }) => files.write('empty.txt', bytes('')));
  await row(/^empty\.txt added/).click();
  await expect.element(page.getByText('This file is empty.')).toBeVisible();
});

test('a file is put back and that is undone; one that changed meanwhile is left alone', async () => {
  const { workspace, toasts, read } = await opened(
    { 'a.txt': 'old\n' },
    ({ files }) => files.write('a.txt', bytes('new\n')),
    { silent: true },
  );
  await page.getByRole('button', { name: 'Put back a.txt' }).click();
  await expect.element(page.getByText('Nothing has changed.')).toBeVisible();
  expect(await read('a.txt')).toBe('old\n');
  await vi.waitFor(() => expect(toasts.all).toHaveLength(1));
  toasts.all[0]?.undo?.();
  await expect.element(row(/^a\.txt changed/)).toBeVisible();
  expect(await read('a.txt')).toBe('new\n');

  // The button still stands for the version that is shown.
  await workspace.files.write('a.txt', bytes('newest\n'));
  await page.getByRole('button', { name: 'Put back a.txt' }).click();
  await vi.waitFor(() => expect(toasts.all.at(-1)?.failed).toBe(true));
  expect(toasts.all.at(-1)?.text).toContain('changed again meanwhile');
  expect(await read('a.txt')).toBe('newest\n');
});

test('one of several changes of a file is put back', async () => {
  const { toasts, read } = await opened({ 'a.txt': numbered() }, ({ files }) =>
    files.write('a.txt', bytes(numbered((line) => (line === 3 || line === 25 ? `line ${line}` : `${line}`)))),
  );
  await row(/^a\.txt changed/).click();
  await expect.element(page.getByText('line 25')).toBeVisible();
  await page.getByRole('button', { name: 'Put back change 1' }).click();
  await expect.element(page.getByText('line 3', { exact: true })).not.toBeInTheDocument();
  expect(await read('a.txt')).toBe(numbered((line) => (line === 25 ? `line ${line}` : `${line}`)));
  await vi.waitFor(() => expect(toasts.all).toHaveLength(1));
  toasts.all[0]?.undo?.();
  await expect.element(page.getByText('line 3', { exact: true })).toBeVisible();
});

test('the focus goes to the next file after one is put back or kept, and after the last one to the choice of the moment', async () => {
  await opened({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': numbered() }, async ({ files }) => {
    await files.write('a.txt', bytes('A\n'));
    await files.write('b.txt', bytes('B\n'));
    await files.write(
      'c.txt',
      bytes(numbered((line) => (line === 3 || line === 25 ? `line ${line}` : `${line}`))),
    );
  });
  const press = async (name: string) => {
    const button = page.getByRole('button', { name });
    await expect.element(button).toBeVisible();
    (button.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
  };
  await press('Put back a.txt');
  await expect.element(row(/^b\.txt changed/)).toHaveFocus();
  await press('Keep b.txt');
  await expect.element(row(/^c\.txt changed/)).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await press('Put back change 1');
  await expect.element(row(/^c\.txt changed/)).toHaveFocus();
  await press('Put back c.txt');
  await expect.element(page.getByRole('combobox', { name: 'Changed since' })).toHaveFocus();
});

test('what is not text is described, and content that is gone is said', async () => {
  await opened({ 'a.bin': Uint8Array.of(0, 1, 2) }, ({ files }) => files.write('a.bin', Uint8Array.of(0, 9)));
  await row(/^a\.bin changed/).click();
  await expect.element(page.getByText('This file is not text. Before: 3 B. Now: 2 B.')).toBeVisible();
});

test('a version that is no longer stored is told where it is looked at', async () => {
  await opened({ 'a.txt': 'old\n' }, ({ files }) => files.write('a.txt', bytes('new\n')), { gone: true });
  await row(/^a\.txt changed/).click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('no longer stored');
});

test('a comment on a line goes into the message, with its place', async () => {
  const { draft } = await opened({ 'a.txt': 'one\ntwo\n' }, ({ files }) =>
    files.write('a.txt', bytes('one\nsecond\n')),
  );
  draft.set('Please look:');
  await row(/^a\.txt changed/).click();
  await page.getByRole('button', { name: 'Comment on line 1' }).click();
  const box = page.getByRole('textbox', { name: 'Comment on a.txt, line 1' });
  await expect.element(box).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(box).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Comment on line 1' })).toHaveFocus();
  // The arrow keys lead from line to line.
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  await userEvent.keyboard('Spell it out.{Enter}');
  expect(draft.text).toBe('Please look:\na.txt, line 2 (`second`): Spell it out.');
  expect(document.activeElement?.closest('.file')).not.toBeNull();
});

test('both versions stand beside each other where there is room, and that is remembered', async () => {
  await page.viewport(900, 600);
  await opened({ 'a.txt': 'one\ntwo\n' }, ({ files }) => files.write('a.txt', bytes('one\nsecond\n')));
  await row(/^a\.txt changed/).click();
  const toggle = page.getByRole('button', { name: 'Side by side' });
  await toggle.click();
  await expect.element(toggle).toHaveAttribute('aria-pressed', 'true');
  expect(localStorage.getItem('vitrine.changes')).toBe('side-by-side');
  const before = page.getByText('two', { exact: true }).element().getBoundingClientRect();
  const after = page.getByText('second', { exact: true }).element().getBoundingClientRect();
  expect(after.top).toBe(before.top);
  expect(after.left).toBeGreaterThan(before.right - 1);
  await toggle.click();
  await page.viewport(414, 896);
  await expect.element(toggle).not.toBeInTheDocument();
});

test('what the person keeps leaves the list until it changes again', async () => {
  const { workspace } = await opened({ 'a.txt': 'one\n', 'b.txt': 'one\n' }, async ({ files }) => {
    await files.write('a.txt', bytes('two\n'));
    await files.write('b.txt', bytes('two\n'));
  });
  await page.getByRole('button', { name: 'Keep a.txt' }).click();
  await expect.element(row(/^a\.txt changed/)).not.toBeInTheDocument();
  await expect.element(row(/^b\.txt changed/)).toBeVisible();
  await expect.element(page.getByText('You keep the changes of 1 file.')).toBeVisible();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect
    .element(page.getByRole('button', { name: 'Keep a.txt' }))
    .toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  await workspace.files.write('a.txt', bytes('three\n'));
  await expect.element(row(/^a\.txt changed/)).toBeVisible();
});

test('a change of a file is kept by itself, and the file with its last one', async () => {
  const edited = (also: number) =>
    numbered((line) => (line === 3 || line === 25 || line === also ? `line ${line}` : `${line}`));
  const { workspace } = await opened({ 'a.txt': numbered() }, ({ files }) =>
    files.write('a.txt', bytes(edited(0))),
  );
  await row(/^a\.txt changed/).click();
  await expect.element(page.getByText('line 3', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Keep change 1' }).click();
  await expect.element(page.getByText('line 3', { exact: true })).not.toBeInTheDocument();
  await expect.element(page.getByText('You keep this change.')).toBeVisible();
  await expect.element(page.getByText('line 25', { exact: true })).toBeVisible();
  // Another change of the file leaves it kept.
  await workspace.files.write('a.txt', bytes(edited(14)));
  await expect.element(page.getByText('line 14', { exact: true })).toBeVisible();
  await expect.element(page.getByText('line 3', { exact: true })).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Keep change 2' }).click();
  await page.getByRole('button', { name: 'Keep change 3' }).click();
  await expect.element(row(/^a\.txt changed/)).not.toBeInTheDocument();
  await expect.element(page.getByText('You keep the changes of 1 file.')).toBeVisible();
});

test('a file that was moved and edited is one change, and is put back under its old name', async () => {
  const { read, workspace } = await opened({ 'a.txt': numbered() }, async ({ files }) => {
    await files.rename('a.txt', 'dir/b.txt');
    await files.write('dir/b.txt', bytes(numbered((line) => (line === 3 ? 'edited' : `${line}`))));
  });
  await expect.element(row(/^a\.txt → dir\/b\.txt renamed 1 line added, 1 removed$/)).toBeVisible();
  await page.getByRole('button', { name: 'Put back dir/b.txt' }).click();
  await expect.element(page.getByText('Nothing has changed.')).toBeVisible();
  expect(await read('a.txt')).toBe(numbered());
  expect(await workspace.files.stat('dir/b.txt')).toBeNull();
});
