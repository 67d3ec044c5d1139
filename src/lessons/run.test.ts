import { expect, test } from 'vitest';
import type { Event, EventBody } from '../session/events.ts';
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

test('a step is done when all of its checks are met, and what comes later counts for the next', () => {
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

test('taken up again it knows what was done before, and counts from where it was', () => {
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
])('an answer %s is told from others', (reply, event, met) => {
  const run = new LessonRun(lesson([{ permission: 'bash', reply }]), start, async () => null);
  run.feed(log(asked, event));
  expect(run.finished).toBe(met);
});

test('files are looked at when the rest is met, and what happens meanwhile counts for the next step', async () => {
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

test('an answer counts in whatever capitals, and stays given', () => {
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

test('a step without checks is left by hand, any other is not', () => {
  const run = new LessonRun(lesson([], [{ prompt: '*' }]), start, async () => null);
  run.goOn();
  run.goOn();
  expect(run.step).toBe(1);
});

const began: EventBody = { type: 'turn.started', promptID: 'm' };
const over: EventBody = { type: 'turn.ended', status: 'idle' };
const stalls = (run: LessonRun, ...bodies: EventBody[]) => {
  run.feed(log(...bodies));
  return run.stalled;
};

test('a turn that ended without what a step looks at is told; one that was not asked for yet is not', () => {
  const asks = lesson([{ call: 'read' }]);
  const steps = asks.steps.map((step) => ({ ...step, prompts: ['go'] }));
  const fresh = () => new LessonRun({ ...asks, steps }, start, async () => null);
  expect(stalls(fresh())).toBe(false);
  expect(stalls(fresh(), prompt('x'), began)).toBe(false);
  expect(stalls(fresh(), prompt('x'), began, over)).toBe(true);
  expect(stalls(fresh(), prompt('x'), began, over, prompt('x'), began)).toBe(false);
});

test('a step that is met within the turn of an earlier one is stalled when that turn is over', () => {
  const fresh = (...checks: object[]) =>
    new LessonRun(lesson([{ call: 'read' }], checks), start, async () => null);
  const first = [prompt('x'), began, called('c', 'read'), ended('c', 'ok')];
  expect(stalls(fresh({ call: 'edit' }), ...first)).toBe(false);
  expect(stalls(fresh({ call: 'edit' }), ...first, over)).toBe(true);
  expect(stalls(fresh({ ask: 'What?', accept: ['x'] }), ...first, over)).toBe(false);
  expect(stalls(fresh({ prompt: '*' }, { call: 'edit' }), ...first, over)).toBe(false);
});
