import { page, userEvent } from 'vitest/browser';
import { expect, onTestFinished, test } from 'vitest';
import { cleanup, render } from 'vitest-browser-svelte';
import { MemoryWorkspace } from '../../../../test/support/memory-workspace.ts';
import { MemorySink } from '../../../workspace/contract/fixture.ts';
import { takeSnapshot } from '../../../workspace/snapshot.ts';
import { ROOT } from '../../../workspace/workspace.ts';
import FilesTab from '../FilesTab.svelte';
import '../../styles/index.css';

const tree = page.getByRole('tree');
const item = (name: string) => page.getByRole('treeitem', { name, exact: true });
const bytes = (text: string) => new TextEncoder().encode(text);

async function open(files: Record<string, string>, agentActive = () => false) {
  const workspace = new MemoryWorkspace({ files, id: `wsp_${crypto.randomUUID()}` });
  const sink = new MemorySink();
  const since = (await takeSnapshot(workspace, sink)) ?? null;
  const content = async (hash: string) => new Uint8Array(await sink.get(hash));
  const shown = await render(FilesTab, {
    workspace,
    highlight: async () => null,
    since,
    content,
    agentActive,
  });
  shown.container.style.cssText = 'height: 600px; width: 400px';
  return workspace;
}

test('a file is cut and pasted by keys, and brought back', async () => {
  const workspace = await open({ 'a.txt': 'a', 'src/b.ts': 'b' });
  await item('a.txt').click();
  tree.element().focus();
  await userEvent.keyboard('{Control>}x{/Control}');
  await expect.element(page.getByText(/^Moving a\.txt\./)).toBeVisible();
  await userEvent.keyboard('{Home}{Control>}v{/Control}');
  await expect.element(page.getByText('Moved a.txt to src.')).toBeVisible();
  expect(workspace.files.text('src/a.txt')).toBe('a');
  // The open file continues under its new name.
  await expect.element(page.getByRole('textbox', { name: 'Text of src/a.txt' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(page.getByText('a.txt is back.')).toBeVisible();
  expect(workspace.files.text('a.txt')).toBe('a');
});

test('Ctrl+Z in the tree undoes what the notice offers to undo, and never reaches the page', async () => {
  const workspace = await open({ 'a.txt': 'a', 'b.txt': 'b' });
  const reached: boolean[] = [];
  const listener = (event: KeyboardEvent) => {
    if (event.key === 'z') reached.push(!event.defaultPrevented);
  };
  window.addEventListener('keydown', listener);
  onTestFinished(() => window.removeEventListener('keydown', listener));
  await item('a.txt').click();
  tree.element().focus();
  await userEvent.keyboard('{Delete}');
  await expect.element(page.getByText('Deleted a.txt.')).toBeVisible();
  expect(workspace.files.nodes.has(`${ROOT}/a.txt`)).toBe(false);
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(page.getByText('a.txt is back.')).toBeVisible();
  expect(workspace.files.text('a.txt')).toBe('a');
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(workspace.files.text('a.txt')).toBe('a');
  expect(reached).toEqual([false, false]);
});

test('a folder is moved with the buttons, and nothing is replaced', async () => {
  const workspace = await open({ 'lib/src/x.ts': '1', 'src/y.ts': '2', 'lib/z.ts': '3' });
  await item('src').click();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await item('lib').click();
  await page.getByRole('button', { name: 'Move here' }).click();
  await expect
    .element(page.getByText('That did not work: lib/src already exists, so nothing was moved.'))
    .toBeVisible();
  await item('z.ts').click();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByRole('button', { name: 'Move to project' }).click();
  await expect.poll(() => workspace.files.nodes.has(`${ROOT}/z.ts`)).toBe(true);
  await item('lib').click();
  tree.element().focus();
  await userEvent.keyboard('{Control>}x{/Control}{Escape}');
  await expect.element(page.getByText(/^Moving lib/)).not.toBeInTheDocument();
});

test('a row is dragged into a folder', async () => {
  const workspace = await open({ 'a.txt': 'a', 'src/b.ts': 'b' });
  await expect.element(item('src')).toBeVisible();
  await userEvent.dragAndDrop(item('a.txt'), item('src'));
  await expect.element(page.getByText('Moved a.txt to src.')).toBeVisible();
  expect(workspace.files.text('src/a.txt')).toBe('a');
});

test('what the person moves while the agent works is not called the agent’s', async () => {
  await open({ 'a.txt': 'a', 'src/b.ts': 'b' }, () => true);
  await userEvent.dragAndDrop(item('a.txt'), item('src'));
  await expect.element(item('a.txt')).toHaveAccessibleDescription('Renamed since the last turn began');
});

test('what changed since the turn has a letter, and words for who cannot see it', async () => {
  const workspace = await open({ 'a.txt': 'one', 'b.txt': 'two' });
  await expect.element(item('a.txt')).toBeVisible();
  await workspace.files.write('a.txt', bytes('1'));
  await workspace.files.write('new.txt', bytes('new'));
  await expect.element(item('a.txt')).toHaveAccessibleDescription('Changed since the last turn began');
  await expect.element(item('new.txt')).toHaveAccessibleDescription('New since the last turn began');
  await expect.element(item('a.txt')).toHaveTextContent(/^a\.txt ?M$/);
  await expect.element(item('b.txt')).not.toHaveAccessibleDescription();
  await workspace.files.write('a.txt', bytes('one'));
  await expect.element(item('a.txt')).not.toHaveAccessibleDescription();
});

/** How long the quickest of some presses of a key takes until the next frame, in milliseconds: others may wait for the machine. */
async function pressTime(): Promise<number> {
  const PRESSES = 20;
  tree.element().focus();
  let quickest = Infinity;
  for (let press = 0; press < PRESSES; press++) {
    const began = performance.now();
    const event = new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true, cancelable: true });
    tree.element().dispatchEvent(event);
    await new Promise(requestAnimationFrame);
    quickest = Math.min(quickest, performance.now() - began);
  }
  return quickest;
}

test('twenty thousand entries are drawn in few rows, and a key is not slowed by them', async () => {
  const named = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}.txt`, '']));
  await open(named(500));
  await expect.element(item('f0.txt')).toBeVisible();
  const few = await pressTime();
  await cleanup();
  await open(named(20_000));
  await expect.element(item('f0.txt')).toBeVisible();
  expect(page.getByRole('treeitem').elements().length).toBeLessThan(80);
  const many = await pressTime();
  expect(many).toBeLessThan(few + 30);
});
