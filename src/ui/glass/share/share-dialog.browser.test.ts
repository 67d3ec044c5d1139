import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { fakeView } from '../../../../test/support/stories/fake-view.ts';
import { showComponent } from '../../../../test/support/stories/show-component.ts';
import { FaultError } from '../../../base/fault.ts';
import { hashBytes } from '../../../base/hash.ts';
import { withResolvers } from '../../../base/with-resolvers.ts';
import type { Recording } from '../../../session/recording/recording.ts';
import type { AppRecordings } from '../../app.ts';
import { Dialogs, type Sharing } from '../../state/dialogs.svelte.ts';
import { Toasts } from '../../state/toasts.svelte.ts';
import ShareDialog from './ShareDialog.svelte';

const dialog = page.getByRole('dialog', { name: 'Share' });
const headings = () =>
  dialog
    .getByRole('heading', { level: 3 })
    .elements()
    .map((each) => each.textContent);
const refuse = () => Promise.reject(new Error('Not here.'));
const tooBig = new FaultError({ code: 'recording-too-big', what: 'Too big.' });
let recordings: AppRecordings;

function recordingOf(bytes: Uint8Array<ArrayBuffer>): Recording {
  const session = new FakeSession('ses_a', 'w', 'Recorded', Date.UTC(2026, 0, 1));
  session.user('m0', 'go');
  session.step('m1');
  session.text('m1', 'Done.');
  const hash = hashBytes(bytes);
  return {
    title: 'Recorded',
    started: Date.UTC(2026, 0, 1),
    files: [{ path: 'large.bin', type: 'file', hash, size: bytes.length, mode: 0o644, modified: 0 }],
    laterFiles: [],
    sessions: [{ id: session.id, events: session.events }],
    contents: new Map([[hash, bytes]]),
  };
}

function open(sharing: Sharing = { kind: 'session', sessionID: 'ses_a' }): { toasts: Toasts } {
  const stores = { dialogs: new Dialogs(), toasts: new Toasts(), view: fakeView() };
  showComponent(ShareDialog, { sharing }, { ...stores, app: { recordings: async () => recordings } });
  return stores;
}

beforeEach(() => {
  recordings = {
    record: refuse,
    import: refuse,
    fork: refuse,
    forkRecording: refuse,
    fetch: refuse,
    run: refuse,
  };
});

test('while it is prepared it says what is being done, below no heading', async () => {
  const { promise, resolve } = withResolvers<Recording>();
  recordings = { ...recordings, record: () => promise };
  open();
  await expect.element(dialog.getByRole('progressbar')).toBeVisible();
  await expect.element(dialog.getByText('Reading the session…')).toBeVisible();
  expect(headings()).toEqual([]);
  resolve(recordingOf(new Uint8Array(10)));
  await expect.element(dialog.getByRole('button', { name: 'Copy link', exact: true })).toBeVisible();
  await expect.element(dialog.getByRole('progressbar')).not.toBeInTheDocument();
  expect(headings()).toEqual(['What goes along', 'A link', 'A file', 'An address']);
  await expect
    .element(dialog)
    .toHaveTextContent(
      'It opens with “Open recording” in the menu “Workspace options”, beside “New workspace”',
    );
});

test('of a session that is too big for a recording, something can be left out', async () => {
  const large = recordingOf(new Uint8Array(20_000_001));
  const asked: (number | undefined)[] = [];
  const record = async (_id: string, most?: number) => {
    asked.push(most);
    if (most === undefined) throw tooBig;
    return large;
  };
  recordings = { ...recordings, record };
  open();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('over 20 MB');
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Leave out more above');
  expect(headings()).toEqual(['What goes along']);
  await dialog.getByRole('checkbox', { name: /^Files/ }).click();
  await expect.element(dialog.getByRole('button', { name: /^Save the file/ })).toBeVisible();
  await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument();
  expect(asked).toEqual([undefined, 100_000_000]);
});

test('where nothing can be left out, the conversation can still be saved', async () => {
  recordings = { ...recordings, record: () => Promise.reject(tooBig) };
  open();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('“Save as Markdown”');
  expect(headings()).toEqual([]);
});

test('whoever shares from an address that others do not reach is told', async () => {
  recordings = { ...recordings, record: async () => recordingOf(new Uint8Array(10)) };
  open();
  await expect
    .element(dialog.getByRole('note'))
    .toHaveTextContent(/this computer.*The file opens in every Vitrine/);
});

test('whoever saves a lesson for a platform from such an address is told beside the button', async () => {
  const lesson = { kind: 'lesson', title: 'Doors', summary: 'One.', language: 'en' } as const;
  open({ ...lesson, address: `${location.origin}/?lesson=doors` });
  const note = dialog.getByRole('note').filter({ hasText: 'learners elsewhere will not reach the lesson' });
  await expect.element(note).toHaveTextContent(`leads to ${location.host}, which is this computer`);
});

test('a link is said to hold a lesson only where it does', async () => {
  const lesson = { kind: 'lesson', title: 'Doors', summary: 'One.', language: 'en' } as const;
  open({ ...lesson, address: 'https://vitrine.example/?lesson=doors' });
  await expect.element(dialog).toHaveTextContent('The link names the lesson');
  await expect.element(dialog).not.toHaveTextContent('All of it is in the link itself');
});

test('a lesson of one’s own is in its link', async () => {
  const lesson = { kind: 'lesson', title: 'Doors', summary: 'One.', language: 'en' } as const;
  open({ ...lesson, address: 'https://vitrine.example/#lesson=abc' });
  await expect.element(dialog).toHaveTextContent('All of it is in the link itself');
});

test('that the link was copied is said in the dialog, above everything that covers it', async () => {
  recordings = { ...recordings, record: async () => recordingOf(new Uint8Array(10)) };
  const { toasts } = open();
  await expect.element(dialog.getByRole('button', { name: 'Copy link', exact: true })).toBeVisible();
  toasts.show('The link was copied.');
  const said = dialog.getByRole('region', { name: 'Notices' }).getByText('The link was copied.');
  await expect.element(said).toBeVisible();
  const { left, top, width, height } = said.element().getBoundingClientRect();
  expect(document.elementFromPoint(left + width / 2, top + height / 2)).toBe(said.element());
  await dialog.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(said).not.toBeInTheDocument();
  await expect.element(dialog).toBeVisible();
});
