import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';
import { countingIds, pageClock } from '../../../base/clock.ts';
import { SessionLog } from '../../../session/log/log.ts';
import { memoryStorage } from '../../../storage/memory/storage.ts';
import { emptyState } from '../../../session/log/reduce.ts';
import { addRecords, messageRecord, sessionRecord } from '../../../session/log/records.ts';
import { timeoutTimer } from '../../../base/timer.ts';
import { Stepper, type Edit } from '../../../session/stepping/stepper.ts';
import type { ReadyTool } from '../../../tools/tool.ts';

const bar = page.getByRole('region', { name: 'Stepping' });
let app: FakeApp;
let session: FakeSession;

/** A stepper whose pauses come from the test, and which records the page's acts. */
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

const CHANGE: ReadyTool = {
  ...{ id: 'change', description: 'Changes.', schema: {}, readOnly: false, asksFirst: false },
  parse: (input) => ({ ok: true, input }),
  run: () => Promise.reject(new Error('It does not run.')),
};

beforeEach(() => {
  app = new FakeApp();
  app.space('w', 'space');
  session = app.add(new FakeSession('ses_a', 'w', 'A')) as FakeSession;
  session.user('m0', 'go');
  session.step('m1');
});

test('breakpoints are added, said in words, refused and removed', async () => {
  await openPage(app, 'ses_a');
  await page.getByRole('button', { name: 'Step through' }).click();
  await bar.getByRole('button', { name: 'Breakpoints' }).click();
  await bar.getByLabelText('Pattern').fill('(');
  await bar.getByRole('button', { name: 'Add the breakpoint' }).click();
  await expect.element(bar.getByRole('alert')).toHaveTextContent('not a regular expression');
  await bar.getByLabelText('Pattern').fill('rm <b>');
  await bar.getByRole('textbox', { name: 'Tool' }).fill('bash');
  await bar.getByLabelText('Only on errors').click();
  await bar.getByRole('button', { name: 'Add the breakpoint' }).click();
  await expect.element(bar).toHaveTextContent('anywhere · bash · /rm <b>/ · Only on errors');
  expect(app.steppers.get('ses_a')?.breakpoints).toEqual([{ tool: 'bash', pattern: 'rm <b>', errors: true }]);
  await bar.getByRole('button', { name: /^Remove/ }).click();
  expect(app.steppers.get('ses_a')?.breakpoints).toEqual([]);
});

test('opening the bar arms it, and it says what is stopped; a first breakpoint stops there alone', async () => {
  app.all.length = 0;
  await openPage(app);
  await page.getByRole('button', { name: 'Step through' }).click();
  await expect.element(bar).toHaveTextContent('Armed: your next message pauses before its request goes out.');
  expect(app.steppers.get('')?.mode).toBe('step');
  await bar.getByRole('button', { name: 'Breakpoints' }).click();
  await bar.getByRole('textbox', { name: 'Tool' }).fill('bash');
  await bar.getByRole('button', { name: 'Add the breakpoint' }).click();
  await expect.element(bar).toHaveTextContent('Pauses at 1 breakpoint.');
  expect(app.steppers.get('')?.mode).toBe('run');
});

test('the keys step and continue; closing the bar lets everything go on', async () => {
  await openPage(app, 'ses_a');
  await userEvent.keyboard('{F10}');
  await expect.element(bar).toHaveTextContent('Armed:');
  const stepper = app.steppers.get('ses_a')!;
  await userEvent.keyboard('{F8}');
  expect(stepper.mode).toBe('run');
  await userEvent.keyboard('{F10}');
  expect(stepper.mode).toBe('step');
  await bar.getByRole('button', { name: 'Stop stepping' }).click();
  expect(stepper.mode).toBe('run');
  await expect.element(bar).not.toBeInTheDocument();
});

/** Opens the page with its step bar, at a point where something is about to happen. */
async function steppedPage() {
  const stepper = new HandStepper(countingIds());
  app.steppers.set('ses_a', stepper);
  stepper.step();
  await openPage(app, 'ses_a');
  await page.getByRole('button', { name: 'Step through' }).click();
  const state = emptyState('ses_a');
  const store = memoryStorage().sessions;
  const log = new SessionLog({ store, clock: pageClock, timer: timeoutTimer }, state, sessionRecord(state));
  return { stepper, log, place: { log, signal: new AbortController().signal } };
}

test('what cannot be taken is not lost by a key, and an edit can be undone', async () => {
  const { stepper, log, place } = await steppedPage();
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
  const going = stepper.request(place, 'm1', { content, rendered: [] }, () => {
    throw new Error('Nothing was edited.');
  });
  const json = bar.getByRole('textbox', { name: /Message 1, assistant/ });
  await json.fill('[');
  await expect.element(bar).toHaveTextContent('This cannot be used');
  const before = stepper.acts.length;
  await userEvent.keyboard('{F10}');
  expect(stepper.acts.length).toBe(before);
  await expect.element(bar.getByText('This is not JSON: line 1, character 2.')).toBeVisible();
  await bar.getByRole('button', { name: 'Step', exact: true }).click();
  expect(stepper.acts.length).toBe(before);
  await expect.element(json).toHaveFocus();
  await json.fill('[{ "type": "tool-call" }]');
  await expect.element(json).toHaveAccessibleDescription('Missing: [0].toolCallId');
  await bar.getByRole('button', { name: 'Undo the edit' }).click();
  await userEvent.keyboard('{F8}');
  expect(await going).toEqual({ content });
  await log.close();
});

test('arguments that are no JSON go to the model with their error', async () => {
  const { stepper, log, place } = await steppedPage();
  const going = stepper.call(place, { messageID: 'm1', callID: 'c1' }, CHANGE, { text: 'all' });
  await bar.getByRole('textbox', { name: /Arguments of change/ }).fill('{"text": ');
  await expect
    .element(bar)
    .toHaveTextContent(/the model gets: The arguments of the call to "?change"? are not JSON/);
  await expect.element(bar).toHaveTextContent('Edited: your next action uses this.');
  await userEvent.keyboard('{F10}');
  expect(await going).toEqual({ kind: 'raw', text: '{"text": ' });
  await log.close();
});

test('the system prompt is changed for this request, or from now on', async () => {
  const { stepper, log, place } = await steppedPage();
  const messages = [{ role: 'user' as const, content: 'go' }];
  const content = { system: 'Be exact.', messages, tools: [], settings: {} };
  const whole = () => ({
    ref: { base: null, append: [], system: '', tools: '', settings: {} },
    blobs: [],
  });
  const held = { content, rendered: [{ messageID: 'm0', rendered: messages }] };
  for (const lasts of [false, true]) {
    stepper.step();
    const going = stepper.request(place, 'm1', held, whole);
    await bar.getByText('System prompt').click();
    await expect.element(bar.getByRole('radio')).not.toBeInTheDocument();
    await bar.getByRole('textbox', { name: 'System prompt' }).fill('Be short.');
    await expect.element(bar.getByRole('radio', { name: 'for this request only' })).toBeChecked();
    if (lasts) {
      await bar.getByRole('radio', { name: 'from now on' }).click();
      await expect.element(bar).toHaveTextContent('The system prompt stays exactly as you write it');
    }
    await userEvent.keyboard('{F10}');
    const edited = { content: { ...content, system: 'Be short.' } };
    expect(await going).toEqual(lasts ? { ...edited, systemLasts: true } : edited);
  }
  await log.close();
});

test('a message is added to the request, and stays with the last one where it is told from now on', async () => {
  const { stepper, log, place } = await steppedPage();
  const messages = [{ role: 'user' as const, content: 'go' }];
  const content = { system: 'Be exact.', messages, tools: [], settings: {} };
  const held = { content, rendered: [{ messageID: 'm0', rendered: messages }] };
  const ref = { base: null, append: [], system: '', tools: '', settings: {} };
  stepper.step();
  const going = stepper.request(place, 'm1', held, () => ({ ref, blobs: [] }));
  await bar.getByRole('button', { name: 'Add a message' }).click();
  await expect.element(bar.getByRole('textbox', { name: 'Message 2, user' })).toHaveFocus();
  // An empty message does not count.
  await expect.element(bar.getByText('Edited: your next action')).not.toBeInTheDocument();
  await userEvent.keyboard('Use no tools.');
  await bar.getByRole('radio', { name: 'from now on' }).click();
  await userEvent.keyboard('{F8}');
  const added = { role: 'user', content: 'Use no tools.' };
  expect(await going).toEqual({
    content: { ...content, messages: [...messages, added] },
    lasting: [{ messageID: 'm0', rendered: [...messages, added] }],
  });
  await log.close();
});

test('what is told from now on is marked, in its message and at its step, and taken back there', async () => {
  const model = { provider: 'test', model: 'parts' };
  session.append(
    { type: 'message.retold', messageID: 'm0', model, told: 'a'.repeat(64) },
    { type: 'system.retold', messageID: 'm1', agent: 'build', told: 'b'.repeat(64) },
  );
  session.text('m1', 'Gone.');
  await openPage(app, 'ses_a');
  const messages = page.getByRole('article');
  await expect.element(messages.first()).toHaveTextContent('models see your text in place of this');
  await expect.element(messages.last()).toHaveTextContent('the agent Build uses the system prompt that you');
  await messages.first().getByRole('button', { name: 'Use the original again' }).click();
  await messages.last().getByRole('button', { name: 'Use its own prompt again' }).click();
  expect(session.calls.slice(-2)).toEqual([
    ['tellAsItIs', 'm0'],
    ['tellOwnSystem', 'build'],
  ]);
  session.append(
    { type: 'message.retold', messageID: 'm0', model, told: null },
    { type: 'system.retold', messageID: 'm1', agent: 'build', told: null },
  );
  await expect.element(page.getByText('From here on')).not.toBeInTheDocument();
});

test('a message that was not loaded when it was retold is marked once it is', async () => {
  const earlier = new FakeSession('ses_a', 'w', 'A');
  earlier.user('old', 'Long ago');
  const model = { provider: 'test', model: 'parts' };
  session.append({ type: 'message.retold', messageID: 'old', model, told: 'a'.repeat(64) });
  session.oldestLoaded = false;
  session.older = () => {
    const message = earlier.state.messages.get('old')!;
    addRecords(session.state, [messageRecord(earlier.state, { ...message, seq: -1 })]);
    session.oldestLoaded = true;
    return Promise.resolve(true);
  };
  await openPage(app, 'ses_a');
  const first = page.getByRole('article').first();
  await expect.element(first).toHaveTextContent('Long ago');
  await expect.element(first).toHaveTextContent('models see your text in place of this');
});

test('where what begins fails before its first message, the bar is on the first page again, as it was set', async () => {
  app.all.length = 0;
  await openPage(app);
  await page.getByRole('button', { name: 'Step through' }).click();
  await bar.getByRole('button', { name: 'Step', exact: true }).click();
  const add = app.add.bind(app);
  app.add = (begun) => {
    begun.prompt = () => Promise.reject(new Error('There is no room left.'));
    return add(begun);
  };
  await page.getByRole('button', { name: 'Watch a demo' }).click();
  await expect.element(page.getByText('There is no room left.')).toBeVisible();
  await expect.element(bar).toHaveTextContent('Armed:');
  expect(app.steppers.get('')?.mode).toBe('step');
  expect(app.steppers.get('ses_demo')?.mode).toBe('run');
});

for (const [name, id] of [
  ['Watch a demo', 'ses_demo'],
  ['Be the model yourself', 'ses_you'],
] as const)
  test(`opened on the first page, the bar steps what “${name}” begins`, async () => {
    app.all.length = 0;
    await openPage(app);
    await page.getByRole('button', { name: 'Step through' }).click();
    await bar.getByRole('button', { name: 'Step', exact: true }).click();
    // Records the mode at the time of the first message.
    const found: string[] = [];
    const add = app.add.bind(app);
    app.add = (begun) => {
      const prompt = begun.prompt.bind(begun);
      begun.prompt = (text, options) => {
        found.push(app.steppers.get(begun.id)?.mode ?? 'none');
        return prompt(text, options);
      };
      return add(begun);
    };
    await page.getByRole('button', { name }).click();
    await expect.poll(() => location.hash).toBe(`#/session/${id}`);
    await expect.element(bar).toHaveTextContent('Armed:');
    expect(found).toEqual(['step']);
  });
