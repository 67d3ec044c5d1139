import { expect, test } from 'vitest';
import { maskSecrets } from '../../base/secrets.ts';
import { CallLog, KEPT_RECORDS } from './call-log.ts';
import { EVENT_VERSION, type Event, type EventBody } from './events.ts';

type BodyOf<T extends EventBody['type']> = Extract<EventBody, { type: T }>;

const CALL = { messageID: 'm1', callID: 'c1' };
const ENDED: Pick<BodyOf<'call.ended'>, 'type' | 'title' | 'metadata' | 'attachments'> = {
  ...{ type: 'call.ended', title: '' },
  metadata: {},
  attachments: [],
};
const ASKED: EventBody = {
  ...{ type: 'permission.asked', ...CALL, requestID: 'r1', tool: 'bash', permission: 'bash' },
  patterns: ['ls'],
  always: [],
  subject: { kind: 'command', command: 'ls' },
  decisions: [],
};
const STEP: EventBody = {
  ...{ type: 'step.started', messageID: 'm1', parentID: 'p1', step: 0, agent: 'plan' },
  model: { provider: 'openai', model: 'gpt-5' },
  request: { base: null, append: [], system: '', tools: '', settings: {} },
};

/** One event every ten milliseconds. */
const logOf = (...bodies: readonly EventBody[]): readonly Event[] =>
  bodies.map((body, seq) => ({ ...body, v: EVENT_VERSION, sessionID: 'ses_1', seq, time: 10 * seq }));

function reading(events: readonly Event[], page = Infinity): CallLog {
  return new CallLog({
    sessionID: 'ses_1',
    read: async (before, limit) => events.slice(0, before).slice(-Math.min(limit, page)),
    mask: maskSecrets,
  });
}

const said = (input: Record<string, string>, callID = 'c1'): EventBody => ({
  ...{ type: 'step.part', messageID: 'm1' },
  part: { type: 'tool-call', callID, tool: 'bash', input },
});
const running = (input: Record<string, string>): EventBody => ({
  ...{ type: 'call.running', ...CALL, tool: 'bash', input },
});

const whole = logOf(
  STEP,
  said({ command: 'PASSWORD=hunter2 ls' }),
  running({ command: 'PASSWORD=hunter2 ls' }),
  ASKED,
  { type: 'permission.answered', ...CALL, requestID: 'r1', reply: { reply: 'once' }, by: 'person' },
  running({ command: 'PASSWORD=hunter3 ls', content: 'x'.repeat(10_000) }),
  { type: 'pause.began', messageID: 'm1', call: 'c1', pauseID: 'pau_1', point: 'result' },
  { type: 'pause.ended', messageID: 'm1', call: 'c1', pauseID: 'pau_1', by: 'continue' },
  {
    ...ENDED,
    ...CALL,
    outcome: 'failed',
    output: `PASSWORD=hunter2 ${'x'.repeat(10_000)}`,
    faultCode: 'timeout',
  },
);

test('a call becomes a record without its secrets, texts cut, timed without what it waited for', async () => {
  const log = reading(whole);
  await log.more();
  expect(log.complete).toBe(true);
  const [record] = log.records();
  expect(record).toMatchObject({
    ...{ id: 8, service: 'tool.bash', event: 'call', time: 80, duration: 30, success: false },
    ...{ outcome: 'failed', timedOut: true, sessionID: 'ses_1', callID: 'c1', agent: 'plan' },
    args: { command: 'PASSWORD=[secret] ls', content: `${'x'.repeat(500)}… (10000 characters)` },
  });
  expect(record?.result).toMatch(/^PASSWORD=\[secret\] x+…$/);
  expect(record?.result?.length).toBe(2_001);
  expect(JSON.stringify(log.records())).not.toContain('hunter');
});

test('event by event, from its end or as it happens, it comes to the same', async () => {
  const all = reading(whole);
  await all.more();
  const back = reading(whole, 1);
  await back.more();
  expect(back.records()).toEqual(all.records());
  const early = reading(whole.slice(0, 3));
  await early.more();
  expect(early.records()).toEqual([]);
  expect(early.take(whole.slice(2, 5))).toBe(false);
  expect(early.take(whole.slice(4))).toBe(true);
  expect(early.take(whole)).toBe(false);
  expect(early.records()).toEqual(all.records());
});

test('what happened in the preview is there, too, without secrets, from the end or as it happens', async () => {
  const line = { kind: 'console', level: 'log', source: '' } as const;
  const events = logOf(
    STEP,
    {
      type: 'preview.noted',
      entries: [
        { kind: 'page', target: '/?token=PASSWORD=hunter2' },
        { ...line, text: 'PASSWORD=hunter2', times: 3 },
        { kind: 'error', text: 'PASSWORD=hunter2', source: '/a.js:1', stack: 'at PASSWORD=hunter2' },
      ],
    },
    {
      type: 'preview.noted',
      entries: [
        { kind: 'request', method: 'GET', target: '/', status: 500, problem: 'PASSWORD=hunter2', ms: 1 },
        { kind: 'blocked', url: 'https://me:hunter2@a.example/', directive: 'PASSWORD=hunter2' },
      ],
      leftOut: 7,
    },
  );
  const log = reading(events, 1);
  await log.more();
  expect(log.noted().map(({ id, time }) => [id, time])).toEqual([
    ['1.0', 10],
    ['1.1', 10],
    ['1.2', 10],
    ['2.0', 20],
    ['2.1', 20],
    ['2.left-out', 20],
  ]);
  expect(log.noted()[1]).toMatchObject({ entry: { text: 'PASSWORD=[secret]', times: 3 } });
  expect(log.noted()[5]).toMatchObject({ leftOut: 7 });
  expect(JSON.stringify(log.noted())).not.toContain('hunter');

  const live = reading(events.slice(0, 1));
  await live.more();
  expect(live.take(events.slice(1))).toBe(true);
  expect(live.noted()).toEqual(log.noted());
  expect(live.noted()).toBe(live.noted());
});

test('a long log is read as far as it is looked at', async () => {
  const ends = Array.from({ length: KEPT_RECORDS + 50 }, (_, at): readonly EventBody[] => [
    said({ command: `echo ${at}` }, `c${at}`),
    { ...ENDED, messageID: 'm1', callID: `c${at}`, outcome: 'ok', output: '' },
  ]).flat();
  const events = logOf(STEP, ...ends.flatMap((body, at) => (at % 100 === 0 ? [STEP, body] : [body])));
  let read = 0;
  const log = new CallLog({
    sessionID: 'ses_1',
    read: async (before, limit) => {
      const page = events.slice(0, before).slice(-limit);
      read += page.length;
      return page;
    },
    mask: (text) => text,
  });
  await log.more();
  expect(read).toBe(500);
  expect(log.complete).toBe(false);
  expect(log.records().at(-1)?.callID).toBe(`c${KEPT_RECORDS + 49}`);
  while (!log.complete) await log.more();
  expect(log.records()).toHaveLength(KEPT_RECORDS);
  expect(log.records()[0]?.callID).toBe('c50');
});

test('each read of a long log is told, and a second reader waits for the first', async () => {
  const events = logOf(STEP, ...Array.from({ length: 40 }, () => STEP), running({ command: 'ls' }), {
    ...{ ...ENDED, ...CALL, outcome: 'ok' },
    output: '',
  });
  const log = reading(events, 10);
  const found: number[] = [];
  await Promise.all([log.more(() => found.push(log.records().length)), log.more()]);
  expect(found).toEqual([1, 1, 1, 1, 1]);
  expect(log.records()).toHaveLength(1);
});
