import { expect, test } from 'vitest';
import type { Event, EventBody } from '../session/log/events.ts';
import { parseLesson } from './lesson.ts';
import { LessonRun, type LessonProgress } from './run.ts';

const script = JSON.stringify({ version: 1, turns: [{ steps: [{ text: 'Hello' }] }] });
const start: LessonProgress = { sessionID: 'ses', step: 0, from: 0, answered: [] };

/** One step for each list of checks. */
function lesson(...steps: object[][]) {
  const blocks = steps.map(
    (checks, index) =>
      `## Step ${index}\n${checks.length > 0 ? `\`\`\`check\n${checks.map((check) => JSON.stringify(check)).join('\n')}\n\`\`\`` : ''}`,
  );
  const parsed = parseLesson({
    markdown: `---\ntitle: T\nsummary: S\n---\n${blocks.join('\n')}`,
    script,
  });
  if (!parsed.ok) throw new Error(parsed.problems.join(' '));
  return parsed.lesson;
}

function log(...bodies: EventBody[]): Event[] {
  return bodies.map((body, seq) => ({ ...body, v: 1, sessionID: 'ses', seq, time: seq }));
}

const prompt = (text: string): EventBody => ({
  type: 'prompt.accepted',
  messageID: 'm',
  parentID: null,
  text,
  agent: 'build',
  model: { provider: 'scripted', model: 'x' },
});
const called = (callID: string, tool: string, input: { readonly [key: string]: string } = {}): EventBody => ({
  type: 'step.part',
  messageID: 'm',
  part: { type: 'tool-call', callID, tool, input },
});
const ended = (callID: string, outcome: 'ok' | 'failed'): EventBody => ({
  type: 'call.ended',
  messageID: 'm',
  callID,
  outcome,
  output: 'some output',
  title: '',
  metadata: {},
  attachments: [],
});
const asked: EventBody = {
  type: 'permission.asked',
  messageID: 'm',
  callID: 'c',
  requestID: 'r',
  tool: 'bash',
  permission: 'bash',
  patterns: [],
  always: [],
  subject: { kind: 'command', command: 'ls' },
  decisions: [],
};
const answered = (reply: 'once' | 'reject', message?: string, by: 'person' | 'cancelled' = 'person') =>
  ({
    type: 'permission.answered',
    messageID: 'm',
    callID: 'c',
    requestID: 'r',
    reply: reply === 'once' ? { reply } : { reply, ...(message && { message }) },
    by,
  }) satisfies EventBody;

const began: EventBody = { type: 'turn.started', promptID: 'm' };
const over: EventBody = { type: 'turn.ended', status: 'idle' };
const compacted: EventBody = {
  type: 'context.compacted',
  messageID: 's',
  tail: null,
  reason: 'person',
  before: 2,
  after: 1,
};

test('a step is done when all of its checks are met, and later events count for the next', () => {
  const run = new LessonRun(
    lesson([{ prompt: '*hello*' }, { call: 'read', outcome: 'ok' }], [{ call: 'read', times: 2 }]),
    start,
    async () => null,
  );
  const events = log(
    prompt('Well, Hello there'),
    called('a', 'read'),
    ended('a', 'failed'),
    called('b', 'read'),
    ended('b', 'ok'),
    called('c', 'read'),
    ended('c', 'ok'),
    called('d', 'read'),
    ended('d', 'failed'),
  );
  run.feed(events.slice(0, 4));
  expect(run.met).toEqual([true, false]);
  run.feed(events.slice(0, 7));
  expect([run.step, run.progress.from]).toEqual([1, 5]);
  expect(run.met).toEqual([false]);
  run.feed(events);
  expect(run.finished).toBe(true);
});

test('a resumed run knows earlier calls, and counts from its position', () => {
  const events = log(called('a', 'bash', { command: 'ls -l' }), prompt('go'), ended('a', 'ok'), prompt('go'));
  const checks = lesson([{ prompt: 'go' }], [{ call: 'bash', with: '*ls -l*' }, { prompt: 'go' }]);
  const run = new LessonRun(checks, { ...start, step: 1, from: 2 }, async () => null);
  run.feed(events.slice(0, 3));
  expect(run.met).toEqual([true, false]);
  run.feed(events);
  expect(run.finished).toBe(true);
});

test.each([
  ['once', answered('once'), true],
  ['reject', answered('reject'), true],
  ['reject', answered('reject', 'no'), false],
  ['feedback', answered('reject', 'no'), true],
  ['feedback', answered('once'), false],
  ['reject', answered('reject', undefined, 'cancelled'), false],
])('the reply %s is distinguished from others', (reply, event, met) => {
  const run = new LessonRun(lesson([{ permission: 'bash', reply }]), start, async () => null);
  run.feed(log(asked, event));
  expect(run.finished).toBe(met);
});

test('a permission request counts before it is answered', () => {
  const run = new LessonRun(lesson([{ asked: 'bash' }], [{ prompt: '*' }]), start, async () => null);
  run.feed(log(prompt('go')));
  expect(run.step).toBe(0);
  run.feed(log(prompt('go'), asked));
  expect(run.step).toBe(1);
});

test('a step has begun once its own message was sent, or the command to summarize', () => {
  const run = new LessonRun(
    lesson([{ call: 'read' }], [{ compacted: true }, { prompt: '*' }]),
    start,
    async () => null,
  );
  const events = log(prompt('x'), began, called('c', 'read'), ended('c', 'ok'), over, compacted);
  run.feed(events.slice(0, 1));
  expect(run.begun).toBe(true);
  run.feed(events.slice(0, 5));
  expect([run.step, run.begun]).toEqual([1, false]);
  run.feed(events);
  expect(run.begun).toBe(true);
});

test('a check that is met without a message begins no step', () => {
  const checks = [{ turn: 'idle' }, { ask: 'How many?', accept: ['3'] }, { prompt: '*' }];
  const run = new LessonRun(lesson([{ call: 'read' }], checks), start, async () => null);
  const events = log(prompt('x'), began, called('c', 'read'), ended('c', 'ok'), over, prompt('x'));
  run.feed(events.slice(0, 5));
  run.answer(1, '3');
  expect([run.met, run.begun]).toEqual([[true, true, false], false]);
});

test('a file that is not to be there begins no step', async () => {
  const run = new LessonRun(
    lesson([{ file: 'report.txt', gone: true }, { prompt: '*' }]),
    start,
    async () => null,
  );
  run.filesChanged();
  await expect.poll(() => run.met).toEqual([true, false]);
  expect(run.begun).toBe(false);
});

test('a learner who is to answer differently goes back first, and only what was asked for counts', () => {
  const run = new LessonRun(lesson([{ restored: 'undo' }, { prompt: '*better*' }]), start, async () => null);
  const back = (kind: 'undo' | 'redo', fault?: { code: string; what: string }): EventBody[] => [
    { type: 'restore.began', kind, head: null },
    { type: 'restore.ended', ...(fault && { fault }) },
  ];
  const failed = back('undo', { code: 'not-restored', what: 'It failed.' });
  const events = log(prompt('First'), ...back('redo'), ...failed, ...back('undo'), prompt('A better one'));
  run.feed(events.slice(0, 6));
  expect(run.met).toEqual([false, false]);
  run.feed(events.slice(0, 7));
  expect(run.met).toEqual([true, false]);
  run.feed(events);
  expect(run.finished).toBe(true);
});

test('files are checked when the rest is met, and later events count for the next step', async () => {
  let text: string | null = null;
  const run = new LessonRun(
    lesson([{ prompt: '*' }, { file: 'a.txt', matches: '*HELLO*' }], [{ prompt: 'second' }]),
    start,
    async () => text,
  );
  const finished = new Promise<void>((resolve) => run.onChange(() => run.finished && resolve()));
  run.feed(log(prompt('first'), prompt('second')));
  text = 'hello there';
  run.filesChanged();
  await finished;
});

test('an answer is accepted in any case, and is kept', () => {
  const run = new LessonRun(
    lesson([{ ask: 'Who?', accept: ['Ada', 'Ada *'] }, { prompt: '*' }]),
    start,
    async () => null,
  );
  expect(run.answer(0, 'Ben')).toBe(false);
  expect(run.answer(1, 'Ada')).toBe(false);
  expect(run.answer(0, ' ada lovelace ')).toBe(true);
  expect(new LessonRun(run.lesson, run.progress, async () => null).met).toEqual([true, false]);
});

test('the learner can leave a step without checks, and no other', () => {
  const run = new LessonRun(lesson([], [{ prompt: '*' }]), start, async () => null);
  run.goOn();
  run.goOn();
  expect(run.step).toBe(1);
});

const stalls = (run: LessonRun, ...bodies: EventBody[]) => {
  run.feed(log(...bodies));
  return run.stalled;
};

test('a file that stays as it was counts once the turn is over, and is nothing that is left to do', async () => {
  const checks = [
    { file: 'prices.csv', matches: '*lamp*' },
    { ask: 'What came of it?', accept: ['It was denied'] },
  ];
  const run = new LessonRun(lesson(checks, [{ says: '*' }]), start, async () => 'lamp,3');
  const checked = new Promise<void>((resolve) =>
    run.onChange(() => {
      if (run.met[0]) resolve();
    }),
  );
  run.feed(log(prompt('Tidy up.'), began, over));
  expect(run.stalled).toBe(false);
  await checked;
  expect(run.stalled).toBe(false);
});

test('a step is stalled when a turn ended without meeting it, and not before the first message', () => {
  const asks = lesson([{ call: 'read' }]);
  const steps = asks.steps.map((step) => ({ ...step, prompts: ['go'] }));
  const fresh = () => new LessonRun({ ...asks, steps }, start, async () => null);
  expect(stalls(fresh())).toBe(false);
  expect(stalls(fresh(), prompt('x'), began)).toBe(false);
  expect(stalls(fresh(), prompt('x'), began, over)).toBe(true);
  expect(stalls(fresh(), prompt('x'), began, over, prompt('x'), began)).toBe(false);
});

test('a step that begins with a request is stalled when the turn of that is over', () => {
  const fresh = (...checks: object[]) =>
    new LessonRun(lesson([{ asked: 'bash' }], checks), start, async () => null);
  const first = [prompt('x'), began, asked];
  const denied = [...first, answered('reject'), over];
  expect(stalls(fresh({ call: 'edit' }), ...first)).toBe(false);
  expect(stalls(fresh({ call: 'edit' }), ...denied)).toBe(true);
  expect(stalls(fresh({ ask: 'What?', accept: ['x'] }), ...denied)).toBe(false);
  expect(stalls(fresh({ prompt: '*' }, { call: 'edit' }), ...denied)).toBe(false);
  const resumed = new LessonRun(
    lesson([{ asked: 'bash' }], [{ call: 'edit' }]),
    { ...start, step: 1, from: 3 },
    async () => null,
  );
  expect(stalls(resumed, ...denied)).toBe(true);
});

test('the end of a turn that began in an earlier step is no reason to send anything again', () => {
  const fresh = (...checks: object[]) =>
    new LessonRun(lesson(checks, [{ call: 'edit' }]), start, async () => null);
  const first = [prompt('x'), began, called('c', 'read'), ended('c', 'ok'), over];
  expect(stalls(fresh({ call: 'read' }), ...first)).toBe(false);
  expect(stalls(fresh({ prompt: '*' }), ...first)).toBe(false);
  expect(stalls(fresh({ turn: 'idle' }), ...first)).toBe(false);
});

test('a step that a rule keeps from asking says so, and can be left', () => {
  const decided: EventBody = {
    type: 'permission.decided',
    messageID: 'm',
    callID: 'c',
    permission: 'bash',
    action: 'allow',
    decisions: [],
  };
  const checks = [{ permission: 'bash', reply: 'session' }];
  const first = [prompt('x'), began];
  const fresh = () => new LessonRun(lesson(checks, [{ prompt: '*' }]), start, async () => null);
  const asked = fresh();
  expect(stalls(asked, ...first, over)).toBe(true);
  asked.goOn();
  expect([asked.ruled, asked.step]).toEqual([false, 0]);
  const ruled = fresh();
  expect(stalls(ruled, ...first, decided)).toBe(false);
  ruled.goOn();
  expect(ruled.step).toBe(0);
  expect(stalls(ruled, ...first, decided, over)).toBe(true);
  expect(ruled.ruled).toBe(true);
  ruled.goOn();
  expect(ruled.step).toBe(1);
});

const allowed = (permission: string, source: 'settings' | 'mode'): EventBody => ({
  type: 'permission.decided',
  messageID: 'm',
  callID: 'c',
  permission,
  action: 'allow',
  decisions: [{ pattern: '*', action: 'allow', source }],
});

test('what a mode allowed is told apart from what a rule allowed', () => {
  const byMode = new LessonRun(lesson([{ asked: 'edit' }], [{ prompt: '*' }]), start, async () => null);
  byMode.feed(log({ type: 'mode.set', mode: 'bypass' }, prompt('x'), began, allowed('edit', 'mode'), over));
  expect([byMode.ruled, byMode.ruledByMode]).toEqual([true, 'bypass']);
  const byRule = new LessonRun(byMode.lesson, start, async () => null);
  byRule.feed(log(prompt('x'), began, allowed('edit', 'settings'), over));
  expect([byRule.ruled, byRule.ruledByMode]).toEqual([true, undefined]);
});

test('after a step that was left, the steps of the same turn say that it has ended, also when resumed', () => {
  const steps = lesson(
    [{ prompt: '*' }, { asked: 'edit' }],
    [{ permission: 'edit' }, { call: 'edit' }],
    [{ permission: 'bash' }],
    [{ turn: 'idle' }],
  );
  const turn = [prompt('x'), began, allowed('edit', 'mode'), asked, answered('once'), over];
  const events = log(...turn, prompt('x'), began, asked, answered('once'), over);
  const run = new LessonRun(steps, start, async () => null);
  run.feed(events.slice(0, 6));
  run.goOn();
  expect([run.step, run.stalled, run.ruled]).toEqual([1, true, true]);
  const resumed = new LessonRun(steps, run.progress, async () => null);
  resumed.feed(events.slice(0, 6));
  expect([resumed.stalled, resumed.ruled]).toEqual([true, true]);
  run.goOn();
  // Nothing but the mode kept the edit from asking; the command asks when the message is sent again.
  expect([run.step, run.stalled, run.ruled]).toEqual([2, true, false]);
  run.feed(events);
  expect([run.finished, run.progress.skipped]).toEqual([true, undefined]);
});

test('a step asks once its message was sent and only questions are open', () => {
  const run = new LessonRun(
    lesson([{ prompt: '*' }, { ask: 'How many?', accept: ['3'] }]),
    start,
    async () => null,
  );
  const events = log(prompt('Count.'), began, over);
  run.feed(events.slice(0, 2));
  expect(run.asks).toBe(false);
  run.feed(events);
  expect(run.asks).toBe(true);
  expect(run.answer(1, '3')).toBe(true);
  expect(run.asks).toBe(false);
});
