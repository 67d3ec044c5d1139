import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { ManualTimer } from '../../../../test/support/manual-timer.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { fakeView } from '../../../../test/support/stories/fake-view.ts';
import { showComponent } from '../../../../test/support/stories/show-component.ts';
import { hashText } from '../../../base/hash.ts';
import { Inspection } from '../../../session/inspect/inspection.ts';
import type { Recording, Withheld } from '../../../session/recording/recording.ts';
import { Player } from '../recording/player.svelte.ts';
import { InspectorState } from './inspector-state.svelte.ts';
import StepRequest from './StepRequest.svelte';

/** Shows a step of a recording that holds nothing of its request. */
async function show(withheld?: Withheld): Promise<void> {
  const session = new FakeSession('ses_a', 'w', 'Recorded', Date.UTC(2026, 0, 1));
  session.user('m0', 'go');
  session.step('m1');
  session.text('m1', 'Done.');
  const recording: Recording = {
    title: 'Recorded',
    started: Date.UTC(2026, 0, 1),
    files: null,
    laterFiles: [],
    sessions: [{ id: session.id, events: session.events }],
    contents: new Map(),
    ...(withheld && { withheld }),
  };
  const player = new Player(recording, null, { request: () => 0, cancel: () => undefined });
  const inspection = new Inspection({
    sessionID: session.id,
    recorded: true,
    timer: new ManualTimer(),
    read: async (from) => session.events.slice(from),
    live: null,
    blob: async () => undefined,
    keptBody: () => undefined,
    rehearse: async () => null,
    digest: async (text) => hashText(text),
    mask: (text) => text,
  });
  await new Promise<void>((resolve) => inspection.onChange(resolve));
  const [step] = inspection.timeline.turns.flatMap((turn) => inspection.timeline.stepsOf(turn));
  if (!step) throw new Error('There is no step.');
  const view = fakeView({ player });
  showComponent(StepRequest, { inspector: new InspectorState(inspection), step }, { view });
}

test('requests that the person left out are said to be left out', async () => {
  await show({ requests: 1 });
  await expect.element(page.getByText(/shared this recording left out what was sent/)).toBeVisible();
  await expect.element(page.getByText(/older version/)).not.toBeInTheDocument();
});

test('where attachments were left out, a request may be missing because it tells of one', async () => {
  await show({ pictures: 1 });
  await expect.element(page.getByText(/tells of an attachment that was left out/)).toBeVisible();
});

test('other recordings are older or had no room', async () => {
  await show();
  await expect.element(page.getByText(/older version, or had no room/)).toBeVisible();
});
