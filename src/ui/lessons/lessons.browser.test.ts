import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApp } from '../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../test/support/stories/fake-session.ts';
import { openPage, phone } from '../../../test/support/stories/open-page.ts';
import { FaultError } from '../../base/fault.ts';
import { lessonOf } from '../../lessons/parsed.ts';
import { LessonRun, type LessonProgress } from '../../lessons/run.ts';
import type { AppLessons } from '../app.ts';

// On a narrow page it stands alone, as the main part of it.
const panel = page
  .getByRole('complementary', { name: 'Lessons' })
  .or(page.getByRole('main', { name: 'Lessons' }));
const source = {
  markdown: `---
title: Doors
summary: What stands in a file.
---
An intro.

## Look
Think of a door.

\`\`\`hint
The **first** hint.
\`\`\`
\`\`\`hint
The second hint.
\`\`\`
\`\`\`check
{"ask": "Which colour?", "accept": ["green"]}
\`\`\`

## Go on
Nothing to do.

\`\`\`small-model
https://recordings.example/small.json
\`\`\`

## Ask
\`\`\`prompt
What stands in notes.txt?
\`\`\`
The file is open now.
\`\`\`check
{"call": "read", "outcome": "ok"}
\`\`\`
`,
  script: JSON.stringify({ version: 1, turns: [{ steps: [{ text: 'Hello' }] }] }),
};
/** The check of the last step. */
const CALL = '{"call": "read", "outcome": "ok"}';
const lesson = lessonOf(source, 'doors');
/** The lesson that is opened. */
let taken = lesson;
let app: FakeApp;
let session: FakeSession;
let kept: LessonProgress | null;
/** The fault that opening a lesson rejects with, if any. */
let refused: FaultError | null;

function lessons(): AppLessons {
  const open = async () => {
    if (refused) throw refused;
    kept ??= { sessionID: session.id, step: 0, from: 0, answered: [] };
    const run = new LessonRun(taken, kept, async () => null);
    run.onChange(() => (kept = run.progress));
    session.onEvents((events) => run.feed(events));
    return { id: 'doors', run, session, model: { provider: 'scripted', model: 'lesson/doors' }, close() {} };
  };
  const { title, summary, minutes, model, steps } = lesson;
  const entry = { id: 'doors', title, summary, minutes, model, steps: steps.length, own: false };
  return {
    list: () => [{ ...entry, step: kept?.step ?? null }],
    load: async () => lesson,
    source: async () => source,
    save: async () => 'doors',
    remove: async () => undefined,
    open,
    restart: open,
    modelOf: async () => null,
    onChange: () => () => undefined,
  };
}

beforeEach(() => {
  localStorage.clear();
  kept = refused = null;
  taken = lesson;
  app = new FakeApp();
  app.space('w', 'Lesson: Doors');
  session = app.add(new FakeSession('ses_doors', 'w', 'Doors'));
  app.lessonsOf = lessons();
});

test('by the keyboard alone: the list, hints one after another, an answer, a step without checks', async () => {
  await openPage(app);
  page.getByRole('button', { name: 'Take a lesson' }).element().focus();
  await userEvent.keyboard('{Enter}');
  const entry = panel.getByRole('button', { name: /^Doors What stands in a file\. .*Not started/ });
  await expect.element(entry).toBeVisible();
  entry.element().focus();
  await userEvent.keyboard('{Enter}');
  // The element with the focus is gone, so the head of the lesson has it now.
  await expect.element(panel.getByRole('heading', { name: 'Doors' })).toHaveFocus();

  await expect.element(panel.getByRole('progressbar', { name: '0 of 3 steps' })).toBeVisible();
  await expect.element(panel.getByRole('list', { name: 'Steps' }).getByText('Later: Ask')).toBeVisible();
  const hints = panel.getByRole('log', { name: 'Hints' });
  panel.getByRole('button', { name: 'Show a hint' }).element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(hints).toHaveTextContent(/^The first hint\.$/);
  await userEvent.keyboard('{Enter}');
  await expect.element(hints).toHaveTextContent(/The first hint\.\s*The second hint\./);
  await expect.element(panel.getByRole('button', { name: /hint/ })).not.toBeInTheDocument();
  await expect.element(hints).toHaveFocus();

  const form = panel.getByRole('form', { name: 'Which colour?' });
  form.getByRole('textbox', { name: 'Your answer' }).element().focus();
  await userEvent.keyboard('red{Enter}');
  await expect.element(form.getByRole('status')).toHaveTextContent('Not quite. Look again, or take a hint.');
  await userEvent.keyboard('{Control>}a{/Control}Green{Enter}');
  await expect.element(panel.getByRole('heading', { name: 'Go on' })).toHaveFocus();
  await expect.element(page.getByText('Step 1 done. Step 2 of 3: Go on')).toBeInTheDocument();
  panel.getByRole('button', { name: 'Next step' }).element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(panel.getByRole('heading', { name: 'Ask' })).toHaveFocus();
  panel.getByRole('button', { name: 'Use this message' }).element().focus();
  await userEvent.keyboard('{Enter}');
  const box = page.getByRole('textbox', { name: 'Message' });
  await expect.element(box).toHaveFocus();
  await expect.element(box).toHaveValue('What stands in notes.txt?');
});

test('the list names the language of a lesson that is in another one than the page', async () => {
  const { list, ...rest } = lessons();
  app.lessonsOf = {
    ...rest,
    list: () => list().map((each) => ({ ...each, title: 'Portes', language: 'fr' })),
  };
  await openPage(app);
  await page.getByRole('button', { name: 'Take a lesson' }).click();
  const entry = panel.getByRole('button', { name: /^Portes/ });
  await expect.element(entry).toHaveTextContent('Not started · French');
  await expect.element(entry.getByText('Portes')).toHaveAttribute('lang', 'fr');
});

test('what a step says of the answer is shown once its message was sent', async () => {
  kept = { sessionID: session.id, step: 2, from: 0, answered: [] };
  const stores = await openPage(app);
  stores.lessonsPanel.open({ kind: 'lesson', id: 'doors' });
  await expect.element(panel.getByText('What stands in notes.txt?')).toBeVisible();
  await expect.element(panel.getByText('The file is open now.')).not.toBeInTheDocument();
  session.user('m0', 'What stands in notes.txt?');
  await expect.element(panel.getByText('The file is open now.')).toBeVisible();
});

/** Opens the lesson at a step that ends when the learner is asked for a permission. */
async function openStepThatAsks(): Promise<void> {
  taken = lessonOf({ ...source, markdown: source.markdown.replace(CALL, '{"asked": "edit"}') }, 'doors');
  kept = { sessionID: session.id, step: 2, from: 0, answered: [] };
  const stores = await openPage(app);
  stores.lessonsPanel.open({ kind: 'lesson', id: 'doors' });
  await expect.element(panel.getByRole('region', { name: 'Ask' })).toBeVisible();
}

test('a step that a rule keeps from asking says so, and the learner can go on', async () => {
  await openStepThatAsks();
  session.user('m0', 'What stands in notes.txt?');
  session.step('m1');
  session.call('m1', 'c', 'edit', { filePath: 'notes.txt' });
  session.append({
    type: 'permission.decided',
    messageID: 'm1',
    callID: 'c',
    permission: 'edit',
    action: 'allow',
    decisions: [],
  });
  session.turnEnd();
  await expect.element(panel.getByText(/^A rule allowed this/).first()).toBeVisible();
  await expect.element(panel.getByText(/^The turn has ended/)).not.toBeInTheDocument();
  await panel.getByRole('button', { name: 'Next step' }).click();
  await expect.element(panel.getByText('Lesson complete.')).toBeVisible();
});

test('a step that the mode keeps from asking names the mode', async () => {
  await openStepThatAsks();
  session.append({ type: 'mode.set', mode: 'bypass' });
  session.user('m0', 'What stands in notes.txt?');
  session.append({
    type: 'permission.decided',
    messageID: 'm1',
    callID: 'c',
    permission: 'edit',
    action: 'allow',
    decisions: [{ pattern: 'notes.txt', action: 'allow', source: 'mode' }],
  });
  session.turnEnd();
  await expect.element(panel.getByText(/^The mode is “Bypass”, so you were not asked/).first()).toBeVisible();
  await expect.element(panel.getByRole('button', { name: 'Next step' })).toBeVisible();
});

test('a model that is whole in this browser can answer, and goes on doing so until the script is wanted', async () => {
  kept = { sessionID: session.id, step: 1, from: 0, answered: [] };
  app.keptTabModels = [
    { id: 'lab/tiny', name: 'Tiny', bytes: 1, isWhole: true },
    { id: 'lab/half', name: 'Half', bytes: 1, isWhole: false },
  ];
  const stores = await openPage(app);
  stores.lessonsPanel.open({ kind: 'lesson', id: 'doors' });
  await panel.getByRole('button', { name: 'Let it answer: Tiny' }).click();
  await expect.element(panel.getByText('This model answers your messages now: Tiny')).toBeVisible();
  const model = () => stores.model.choice;
  expect(model()).toEqual({ provider: 'browser', model: 'lab/tiny' });
  await expect.element(panel.getByRole('button', { name: /Half/ })).not.toBeInTheDocument();
  await panel.getByRole('button', { name: 'Back to the script' }).click();
  await expect.element(panel.getByRole('button', { name: 'Let it answer: Tiny' })).toBeVisible();
  expect(model()).toEqual({ provider: 'scripted', model: 'lesson/doors' });
});

test('where the models of this browser cannot be listed, the recording is offered', async () => {
  kept = { sessionID: session.id, step: 1, from: 0, answered: [] };
  app.browserModel = () => Promise.reject(new FaultError({ code: 'lost', what: 'It could not be fetched.' }));
  const stores = await openPage(app);
  stores.lessonsPanel.open({ kind: 'lesson', id: 'doors' });
  await expect.element(panel.getByRole('button', { name: 'Watch a recording' })).toBeVisible();
  await panel.getByRole('button', { name: 'Get one in Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expect.element(settings.getByText('It could not be fetched.').first()).toBeVisible();
});

test('a lesson that is opened on the first page is stepped where the bar for it was open there', async () => {
  const stores = await openPage(app);
  await page.getByRole('button', { name: 'Step through' }).click();
  const bar = page.getByRole('region', { name: 'Stepping' });
  await bar.getByRole('button', { name: 'Step', exact: true }).click();
  stores.lessonsPanel.open({ kind: 'lesson', id: 'doors' });
  await expect.element(panel.getByRole('heading', { name: 'Doors' })).toBeVisible();
  await expect.poll(() => app.steppers.get(session.id)?.mode).toBe('step');
  await expect.element(bar).toHaveTextContent('Armed:');
});

test('a key pressed right after a message was taken goes into the message box, however late the next frame', async () => {
  kept = { sessionID: session.id, step: 2, from: 0, answered: [] };
  const stores = await openPage(app, undefined, { size: phone });
  stores.lessonsPanel.open({ kind: 'lesson', id: 'doors' });
  const take = panel.getByRole('button', { name: 'Use this message' });
  await expect.element(take).toBeVisible();
  // The lesson has its session from the start, so there is no wait.
  expect(stores.view.session?.id).toBe(session.id);
  vi.stubGlobal('requestAnimationFrame', () => 0);
  onTestFinished(() => void vi.unstubAllGlobals());
  (take.element() as HTMLElement).click();
  // The next key would arrive at this moment.
  await new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
  const box = page.getByRole('textbox', { name: 'Message' });
  expect(document.activeElement).toBe(box.element());
  expect(box.element()).toHaveValue('What stands in notes.txt?');
});

test('on a phone, after a message was taken Send is named, and what is left to do is one press away', async () => {
  kept = { sessionID: session.id, step: 2, from: 0, answered: [] };
  const stores = await openPage(app, undefined, { size: phone });
  stores.lessonsPanel.open({ kind: 'lesson', id: 'doors' });
  const toChat = panel.getByRole('button', { name: 'Go to the chat' });
  await panel.getByRole('button', { name: 'Use this message' }).click();
  const hint = page.getByRole('group', { name: 'The lesson’s message is in the box. Press Send.' });
  await expect.element(hint).toBeVisible();
  stores.draft.set('');
  await expect.element(hint).not.toBeInTheDocument();

  session.user('m0', 'What stands in notes.txt?');
  session.step('m1');
  session.call('m1', 'c1', 'bash', { command: 'npm test' });
  session.ask('m1', 'c1', 'r1');
  const request = page.getByRole('alertdialog', { name: 'Permission required' });
  await expect.element(request).toBeVisible();
  await page.getByRole('tab', { name: /^Lesson/ }).click();
  await toChat.click();
  await expect.element(request).toHaveFocus();
});

test('while a request is open, the news of the lesson stands back', async () => {
  kept = { sessionID: session.id, step: 2, from: 0, answered: [] };
  const stores = await openPage(app, undefined, { size: phone });
  stores.lessonsPanel.open({ kind: 'lesson', id: 'doors' });
  await expect.element(panel.getByRole('region', { name: 'Ask' })).toBeVisible();
  stores.layout.show('chat');
  session.user('m0', 'What stands in notes.txt?');
  session.step('m1');
  session.call('m1', 'c', 'read', { filePath: 'notes.txt' });
  session.ended('m1', 'c', 'green');
  const back = page.getByRole('button', { name: 'Back to the lesson' });
  await expect.element(back).toHaveClass('primary');
  session.call('m1', 'c1', 'bash', { command: 'npm test' });
  session.ask('m1', 'c1', 'r1');
  await expect.element(page.getByText(/The lesson says more about this request/)).toBeVisible();
  await expect.element(back).not.toHaveClass('primary');
});

test('how far one came is there after a reload, and what happened meanwhile counts', async () => {
  kept = { sessionID: session.id, step: 2, from: 0, answered: [] };
  const stores = await openPage(app);
  stores.lessonsPanel.open({ kind: 'lesson', id: 'doors' });
  await expect.element(panel.getByRole('region', { name: 'Ask' })).toBeVisible();
  await expect.element(panel.getByText('Done: Look')).toBeVisible();
  session.user('m0', 'Something else');
  session.step('m1');
  session.stepEnd('m1');
  session.turnEnd();
  await expect.element(panel.getByText(/^The turn has ended/).first()).toBeVisible();
  session.user('m2', 'What stands in notes.txt?');
  session.step('m3');
  session.call('m3', 'c', 'read', { filePath: 'notes.txt' });
  session.ended('m3', 'c', 'green');
  await expect.element(panel.getByText('Lesson complete.')).toBeVisible();
  // The step was over before anybody could read what it says at its end.
  await expect.element(panel.getByText('The file is open now.')).toBeVisible();
  await expect.element(panel.getByText(/^The turn has ended/)).not.toBeInTheDocument();
});

test('where no workspace can be made it is told, and tried again', async () => {
  refused = new FaultError({
    code: 'storage-full',
    what: 'There is no room left.',
    next: 'Delete something.',
  });
  const stores = await openPage(app, undefined, { size: phone });
  stores.lessonsPanel.open({ kind: 'lesson', id: 'doors' });
  await expect
    .element(panel.getByRole('alert'))
    .toHaveTextContent('There is no room left. Delete something.');
  refused = null;
  await panel.getByRole('button', { name: 'Try again' }).click();
  await expect.element(panel.getByRole('region', { name: 'Look' })).toBeVisible();
  await expect.element(panel.getByRole('heading', { name: 'Doors' })).toBeInViewport();
});

test('a lesson that does not exist leads to the list', async () => {
  refused = new FaultError({
    code: 'lesson-unknown',
    what: 'There is no lesson "nonsense".',
    next: 'Choose one from the list.',
  });
  const stores = await openPage(app);
  stores.lessonsPanel.open({ kind: 'lesson', id: 'nonsense' });
  await expect
    .element(panel.getByRole('alert'))
    .toHaveTextContent('There is no lesson "nonsense". Choose one from the list.');
  await expect.element(panel.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  refused = null;
  await panel.getByRole('button', { name: /^Doors/ }).click();
  await expect.element(panel.getByRole('heading', { name: 'Doors' })).toBeVisible();
  await expect.element(panel.getByRole('alert')).not.toBeInTheDocument();
});

test('the four ways in stand in two columns between both panes, in one on a phone', async () => {
  await openPage(app, undefined, { size: { width: 1440, height: 900 } });
  const top = (name: string) => page.getByRole('button', { name }).element().getBoundingClientRect().top;
  await expect
    .element(page.getByRole('button', { name: 'Watch a demo' }))
    .toHaveAccessibleDescription(/No key/);
  expect(top('Watch a demo')).toBe(top('Take a lesson'));
  expect(top('Be the model yourself')).toBe(top('Use your own model'));
  await page.viewport(phone.width, phone.height);
  expect(top('Take a lesson')).toBeGreaterThan(top('Watch a demo'));
});

test('the top bar names a lesson once', async () => {
  const stores = await openPage(app, undefined, { size: { width: 1280, height: 800 } });
  stores.lessonsPanel.open({ kind: 'lesson', id: 'doors' });
  const bar = page.getByRole('banner');
  await expect.element(bar.getByRole('heading', { name: 'Doors' })).toBeVisible();
  await expect.element(bar.getByText('Lesson: Doors')).not.toBeInTheDocument();
});
