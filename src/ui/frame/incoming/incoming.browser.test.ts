import { strToU8, zipSync } from 'fflate';
import { beforeEach, expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';
import type { MemoryWorkspace } from '../../../../test/support/memory-workspace.ts';
import { recordingText } from '../../../session/recording/record.ts';
import { ROOT } from '../../../workspace/workspace.ts';
import type { Stores } from '../../state/stores.ts';
import '../Later.svelte';

let workspace: MemoryWorkspace;
let stores: Stores;

beforeEach(async () => {
  const app = new FakeApp();
  app.space('w', 'space');
  workspace = app.workspace('w') as MemoryWorkspace;
  workspace.files.put('mine.txt', strToU8('mine'));
  app.add(new FakeSession('ses_a', 'w', 'A'));
  stores = await openPage(app, 'ses_a');
});

/** Drops a file on a part of the page, once a hint says what would become of it. */
async function drop(file: File, place: Locator, hint: string): Promise<void> {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(file);
  const drop = { dataTransfer, bubbles: true, cancelable: true };
  // The code that takes drops is loaded after the first paint.
  await expect
    .poll(
      () => {
        place.element().dispatchEvent(new DragEvent('dragover', drop));
        return page.getByText(hint).elements();
      },
      { timeout: 10_000 },
    )
    .toHaveLength(1);
  place.element().dispatchEvent(new DragEvent('drop', drop));
}

/** Drops a zip on the conversation and unpacks it. */
async function unpack(content: Record<string, string>): Promise<void> {
  const files = Object.fromEntries(Object.entries(content).map(([name, text]) => [name, strToU8(text)]));
  await drop(new File([zipSync(files)], 'site.zip'), page.getByRole('main'), 'other files to add them');
  await page.getByRole('button', { name: 'Unpack site.zip' }).click();
}

async function names(): Promise<readonly string[]> {
  return (await workspace.files.list(ROOT)).map(({ name }) => name);
}

async function recorded(): Promise<string> {
  const session = new FakeSession('ses_b', 'w', 'Recorded', Date.UTC(2026, 0, 1));
  session.user('m0', 'What was said');
  return recordingText({
    title: 'Recorded',
    started: Date.UTC(2026, 0, 1),
    files: null,
    laterFiles: [],
    sessions: [{ id: session.id, events: session.events }],
    contents: new Map(),
  });
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

test('a recording that is dropped is opened, whatever its name and the order of its parts', async () => {
  const { format, ...rest } = JSON.parse(await recorded()) as { format: string };
  const text = JSON.stringify({ ...rest, format }, null, 2);
  await drop(new File([text], 'from-a-friend.txt'), page.getByRole('main'), 'other files to add them');
  await expect.element(page.getByRole('group', { name: 'Recording' })).toBeVisible();
  expect(stores.view.player?.recording.title).toBe('Recorded');
  expect(await names()).toEqual(['mine.txt']);
});

test('a recording that is dropped on the tab Files is opened, too', async () => {
  await page.getByRole('tab', { name: 'Files' }).click();
  const file = new File([await recorded()], 'a.vitrine.json');
  await drop(file, page.getByRole('treeitem', { name: 'mine.txt' }), 'Drop to add to');
  await expect.element(page.getByRole('group', { name: 'Recording' })).toBeVisible();
  expect(await names()).toEqual(['mine.txt']);
});

test('a recording that was cut off is refused, and not added', async () => {
  const file = new File([(await recorded()).slice(0, 200)], 'a.vitrine.json');
  await drop(file, page.getByRole('main'), 'other files to add them');
  await expect.element(page.getByText('The recording is damaged').first()).toBeVisible();
  expect(await names()).toEqual(['mine.txt']);
});

test('a recording that is dropped on the message box is attached', async () => {
  const box = page.getByRole('textbox', { name: 'Message' });
  await drop(new File([await recorded()], 'a.vitrine.json'), box, 'Drop to attach to the message');
  await expect.element(box).toHaveValue('@attachments/a.vitrine.json ');
  expect(stores.view.player).toBeNull();
});

test('a file is no recording for its name', async () => {
  const file = new File(['{"format": "other"}'], 'a.vitrine.json');
  await drop(file, page.getByRole('main'), 'other files to add them');
  await expect.element(page.getByText('Added 1 file to the workspace')).toBeVisible();
  expect(stores.view.player).toBeNull();
});

test('while a recording is shown, another one opens, and other files are told that they cannot be added', async () => {
  const file = new File([await recorded()], 'a.vitrine.json');
  await drop(file, page.getByRole('main'), 'other files to add them');
  await expect.element(page.getByRole('group', { name: 'Recording' })).toBeVisible();
  const first = stores.view.player;
  await drop(new File(['a'], 'a.txt'), page.getByRole('main'), 'Drop a recording to open it');
  await expect.element(page.getByText('Files cannot be added to a recording.')).toBeVisible();
  expect(stores.view.player).toBe(first);
  await drop(file, page.getByRole('main'), 'Drop a recording to open it');
  await expect.poll(() => stores.view.player !== first).toBe(true);
});

test('the notice of what was attached goes with the message, which it would cover', async () => {
  const file = new File(['%PDF-1.4'], 'plan.pdf', { type: 'application/pdf' });
  await drop(file, page.getByRole('main'), 'Drop pictures and PDFs to attach them');
  const notice = page.getByText(/^Attached, and kept as /);
  await expect.element(notice).toBeVisible();
  stores.draft.set(`See ${stores.draft.text}`);
  await expect.element(notice).toBeVisible();
  stores.draft.set('');
  await expect.element(notice).not.toBeInTheDocument();
});
