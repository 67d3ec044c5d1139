import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { wide } from '../../../../test/support/stories/open-page.ts';
import { fakeView } from '../../../../test/support/stories/fake-view.ts';
import { showComponent } from '../../../../test/support/stories/show-component.ts';
import type { Recording } from '../../../session/recording/recording.ts';
import type { AppRecordings, RecordingRun } from '../../app.ts';
import type { View } from '../../state/app-view.svelte.ts';
import { Dialogs } from '../../state/dialogs.svelte.ts';
import { Layout } from '../../state/layout.svelte.ts';
import { SessionView } from '../../state/session-view.svelte.ts';
import { Toasts } from '../../state/toasts.svelte.ts';
import { Player } from './player.svelte.ts';
import PlayerBar from './PlayerBar.svelte';
import { RecordingRuns } from './recording-runs.svelte.ts';

const bar = page.getByRole('group', { name: 'Recording' });
const recorded = new FakeSession('ses_a', 'w', 'Recorded', Date.UTC(2026, 0, 1));
recorded.user('m0', 'go');
recorded.wait(1_000);
recorded.step('m1');
recorded.text('m1', 'Done.');
const recording: Recording = {
  title: 'Recorded',
  started: Date.UTC(2026, 0, 1),
  files: null,
  leftOut: ['dist'],
  laterFiles: [],
  sessions: [{ id: recorded.id, events: recorded.events }],
  contents: new Map(),
};
const run: RecordingRun = {
  sessionID: 'ses_run',
  speed: 1,
  setSpeed: () => undefined,
  paused: false,
  setPaused: () => undefined,
  over: false,
  differences: () => [],
  onChange: () => () => undefined,
};
const fork = new SessionView(new FakeSession('ses_fork', 'w', 'Goes on'), {
  schedule: (paint) => paint(),
  cancel: () => undefined,
});
/** Shows the session that the address names, as the page does. */
const view: View = {
  ...fakeView(),
  get session() {
    return location.hash === '#/session/ses_fork' ? fork : null;
  },
};
const refuse = () => Promise.reject(new Error('Not here.'));
let recordings: AppRecordings;
let toasts: Toasts;
let runs: RecordingRuns;
let player: Player;
let dialogs: Dialogs;
let layout: Layout;
let fake: FakeApp;

beforeEach(async () => {
  fake = new FakeApp();
  await page.viewport(wide.width, wide.height);
  recordings = {
    record: refuse,
    import: refuse,
    fork: refuse,
    forkRecording: refuse,
    fetch: refuse,
    run: async () => run,
  };
  toasts = new Toasts();
  runs = new RecordingRuns();
  player = new Player(recording, null, { request: () => 0, cancel: () => undefined });
  const app = { models: fake.models, recordings: async () => recordings };
  dialogs = new Dialogs();
  layout = new Layout({ get: () => null, set: () => undefined }, () => false);
  showComponent(PlayerBar, { player }, { app, dialogs, layout, runs, toasts, view });
  const { hash } = location;
  onTestFinished(() => history.replaceState(null, '', hash || location.pathname));
});

const shown = () => toasts.all.map(({ text }) => text);

test('it plays, pauses and moves', async () => {
  await bar.getByRole('button', { name: 'Play' }).click();
  expect(player.playing).toBe(true);
  await bar.getByRole('button', { name: 'Pause' }).click();
  expect(player.playing).toBe(false);
  await bar.getByRole('slider', { name: 'Position' }).fill(String(player.duration));
  expect(player.atEnd).toBe(true);
});

test('what it is and what can be done with it stands there at the beginning and at the end', async () => {
  const about = page.getByRole('region', { name: 'About this recording' });
  await expect
    .element(about)
    .toHaveTextContent('A recorded session of an AI agent, shown by Vitrine. 1 step · 0 tool calls');
  await bar.getByRole('button', { name: 'Take it apart in the inspector' }).click();
  expect(layout.tab).toBe('inspector');
  await bar.getByRole('button', { name: 'Play' }).click();
  await expect.element(about).not.toBeInTheDocument();
  await expect.element(bar).toHaveTextContent(/Recorded · Recorded/);
  await bar.getByRole('slider', { name: 'Position' }).fill(String(player.duration));
  await expect.element(about).toBeVisible();
});

test('at the beginning Play comes first, and the ways to go on stand together after it', async () => {
  await page.viewport(360, 740);
  await expect.element(bar.getByRole('button', { name: 'Run for real' })).toBeVisible();
  const names = bar
    .getByRole('button')
    .elements()
    .map((each) => each.getAttribute('aria-label') ?? each.textContent?.trim());
  expect(names).toEqual([
    'Play',
    'Recording actions',
    'Take it apart in the inspector',
    'Go on with your own model',
    'Run for real',
  ]);
});

test('on a phone, at the end only the next thing to do stands there until more is asked for', async () => {
  await page.viewport(360, 740);
  const about = page.getByRole('region', { name: 'About this recording' });
  await expect.element(about).toBeVisible();
  await bar.getByRole('slider', { name: 'Position' }).fill(String(player.duration));
  await expect.element(about).not.toBeInTheDocument();
  expect(bar.element().clientHeight).toBeLessThan(740 / 4);
  await bar.getByRole('button', { name: 'Take it apart in the inspector' }).click();
  expect(layout.pane).toBe('inspector');
  const more = bar.getByRole('button', { name: 'More about this recording' });
  await expect.element(more).toHaveTextContent('More');
  await more.click();
  await expect.element(about).toBeVisible();
  await expect.element(bar.getByRole('button', { name: 'Run for real' })).toBeVisible();
});

test('nothing sticks out of it where the pane is narrow and the page is wide', async () => {
  const actions = bar.getByRole('button', { name: 'Recording actions' });
  const card = bar.element();
  for (const width of [300, 360, 420, 480, 560, 640]) {
    if (card.parentElement) card.parentElement.style.width = `${width}px`;
    const inner = card.getBoundingClientRect();
    expect(inner.width, 'the card').toBeLessThanOrEqual(width);
    for (const control of [actions, bar.getByRole('combobox', { name: 'Speed' })])
      expect(control.element().getBoundingClientRect().right, String(width)).toBeLessThan(inner.right);
  }
});

test('it is shared as it was opened', async () => {
  await bar.getByRole('button', { name: 'Recording actions' }).click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  expect(dialogs.sharing).toEqual({ kind: 'recording', recording, address: null });
});

test('run for real, its run is known by its session, and what the recording left out is told', async () => {
  await bar.getByRole('button', { name: 'Run for real' }).click();
  await expect.poll(() => runs.of('ses_run')).toBe(run);
  expect(location.hash).toBe('#/session/ses_run');
  expect(shown()).toEqual(['Not in the recording, because .gitignore or a fixed list leaves it out: dist.']);
});

test('where it cannot be run that is told, and it can be tried again', async () => {
  recordings = { ...recordings, run: () => Promise.reject(new Error('No room.')) };
  const button = bar.getByRole('button', { name: 'Run for real' });
  await button.click();
  await expect.poll(shown).toEqual(['No room.']);
  await expect.element(button).toBeEnabled();
  expect(runs.of('ses_run')).toBeUndefined();
});

test('what is not in it stands there before it plays, and what that means for a run', async () => {
  const about = page.getByRole('region', { name: 'About this recording' });
  await expect.element(about).toHaveTextContent(/Not in this recording: ?Files/);
  await expect.element(about).toHaveTextContent('What was sent to the model: 1 request');
  await expect
    .element(bar.getByRole('button', { name: 'Run for real' }))
    .toHaveAccessibleDescription(/not in this recording, so Run for real begins in an empty workspace/);
  await expect
    .element(bar.getByRole('button', { name: 'Go on with your own model' }))
    .toHaveAccessibleDescription(/so you go on in an empty workspace/);
});

test('going on is told what the files lack, and not that it has them', async () => {
  recordings = { ...recordings, forkRecording: async () => 'ses_fork' };
  await bar.getByRole('button', { name: 'Go on with your own model' }).click();
  await expect
    .poll(shown)
    .toEqual([
      'The files are not in this recording, so you go on in an empty workspace.',
      'Not in the recording, because .gitignore or a fixed list leaves it out: dist.',
    ]);
});

test('the notice that the new session goes on is gone while another session is shown', async () => {
  recordings = { ...recordings, forkRecording: async () => 'ses_fork' };
  await bar.getByRole('button', { name: 'Go on with your own model' }).click();
  const notice = 'The files are not in this recording, so you go on in an empty workspace.';
  await expect.poll(shown).toContain(notice);
  location.hash = '#/session/ses_other';
  expect(shown()).not.toContain(notice);
});

test('going on without a model leads to the choice of one', async () => {
  fake.modelChoice = null;
  recordings = { ...recordings, forkRecording: async () => 'ses_fork' };
  await bar.getByRole('button', { name: 'Go on with your own model' }).click();
  await expect.poll(() => toasts.all[0]?.action?.title).toBe('Choose a model');
  toasts.all[0]?.action?.run();
  expect([dialogs.settingsOpen, dialogs.settingsPage]).toEqual([true, 'models']);
});

test('going on from a recording without its attachments does not say that all files are there', async () => {
  recordings = { ...recordings, forkRecording: async () => 'ses_fork' };
  const whole: Recording = { ...recording, files: [], leftOut: [], withheld: { pictures: 1 } };
  const without = new Player(whole, null, { request: () => 0, cancel: () => undefined });
  const app = { models: fake.models, recordings: async () => recordings };
  showComponent(PlayerBar, { player: without }, { app, dialogs, layout, runs, toasts, view });
  await bar.last().getByRole('button', { name: 'Go on with your own model' }).click();
  await expect
    .poll(shown)
    .toEqual(['Pictures and attachments are not in this recording, so you go on with the other files.']);
});
