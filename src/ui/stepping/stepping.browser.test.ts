import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApp } from '../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../test/support/stories/open-page.ts';
import { countingIds, realClock } from '../../base/clock.ts';
import { SessionLog } from '../../session/log.ts';
import { memoryStorage } from '../../storage/memory/storage.ts';
import { emptyState } from '../../session/reduce.ts';
import { sessionRecord } from '../../session/records.ts';
import { timeoutTimer } from '../../base/timer.ts';
import { Stepper, type Edit } from '../../session/stepping/stepper.ts';

const bar = page.getByRole('region', { name: 'Stepping' });
let app: FakeApp;
let session: FakeSession;

/** Its pauses come from the test, what the page does to them is kept. */
class HandStepper extends Stepper {
  readonly acts: [string, Edit | undefined][] = [];
  override step(edit?: Edit): void {
    this.acts.push(['step', edit]);
    super.step(edit);
  }
  override continue(edit?: Edit): void {
    this.acts.push(['continue', edit]);
    super.continue(edit);
  }
}

beforeEach(() => {
  app = new FakeApp();
  app.space('w', 'space');
  session = app.add(new FakeSession('ses_a', 'w', 'A')) as FakeSession;
  session.user('m0', 'go');
  session.step('m1');
});

test('breakpoints are added, said in words, refused and removed', async () => {
  await openPage(app, 'ses_a');
  await page.getByRole('button', { name: 'Step through what happens' }).click();
  await bar.getByRole('button', { name: 'Breakpoints' }).click();
  await bar.getByLabelText('Pattern').fill('(');
  await bar.getByRole('button', { name: 'Add the breakpoint' }).click();
  await expect.element(bar.getByRole('alert')).toHaveTextContent('no regular expression');
  await bar.getByLabelText('Pattern').fill('rm <b>');
  await bar.getByRole('textbox', { name: 'Tool' }).fill('bash');
  await bar.getByLabelText('Only on errors').click();
  await bar.getByRole('button', { name: 'Add the breakpoint' }).click();
  await expect.element(bar).toHaveTextContent('anywhere · bash · /rm <b>/ · Only on errors');
  expect(app.steppers.get('ses_a')?.breakpoints).toEqual([{ tool: 'bash', pattern: 'rm <b>', errors: true }]);
  await bar.getByRole('button', { name: /^Remove/ }).click();
  expect(app.steppers.get('ses_a')?.breakpoints).toEqual([]);
});

test('the keys step and continue; closing the bar lets everything go on', async () => {
  await openPage(app, 'ses_a');
  await userEvent.keyboard('{F10}');
  await expect.element(bar).toHaveTextContent('Everything is held');
  const stepper = app.steppers.get('ses_a')!;
  await userEvent.keyboard('{F8}');
  expect(stepper.mode).toBe('run');
  await userEvent.keyboard('{F10}');
  expect(stepper.mode).toBe('step');
  await bar.getByRole('button', { name: 'Stop stepping' }).click();
  expect(stepper.mode).toBe('run');
  await expect.element(bar).not.toBeInTheDocument();
});

test('what cannot be taken is not lost by a key, and an edit can be undone', async () => {
  const stepper = new HandStepper(countingIds());
  app.steppers.set('ses_a', stepper);
  stepper.step();
  await openPage(app, 'ses_a');
  await page.getByRole('button', { name: 'Step through what happens' }).click();
  const state = emptyState('ses_a');
  const store = memoryStorage().sessions;
  const log = new SessionLog({ store, clock: realClock, timer: timeoutTimer }, state, sessionRecord(state));
  const content = {
    system: 'Be exact.',
    messages: [
      {
        role: 'assistant' as const,
        content: [
          { type: 'text' as const, text: 'a' },
          { type: 'text' as const, text: 'b' },
        ],
      },
    ],
    tools: [],
    settings: {},
  };
  const place = { log, signal: new AbortController().signal };
  const going = stepper.request(place, 'm1', { content, told: [] }, () => {
    throw new Error('Nothing was edited.');
  });
  const json = bar.getByRole('textbox', { name: /Message 1, assistant/ });
  await json.fill('[');
  await expect.element(bar).toHaveTextContent('This cannot be taken');
  const before = stepper.acts.length;
  await userEvent.keyboard('{F10}');
  expect(stepper.acts.length).toBe(before);
  await bar.getByRole('button', { name: 'Undo the edit' }).click();
  await userEvent.keyboard('{F8}');
  expect(await going).toEqual({ content });
  await log.close();
});
