import { expect, test } from 'vitest';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness, next } from '../../../test/support/session-harness.ts';
import type { Event } from '../log/events.ts';
import { lifeOf, stateOf } from './life.ts';
import { lengthOf, piecesOf, totalsOf } from './spans.ts';
import { eventsOf, type Call } from './timeline-items.ts';
import { Timeline } from './timeline.ts';

async function recorded(reply: 'once' | 'reject' = 'once') {
  const { session, store } = await harness([
    [...call('c1', 'change', { text: 'a' }), ...call('c2', 'echo', { text: 'b' }), finish('tool-calls')],
    [...call('c3', 'nonsense', {}), finish('tool-calls')],
    [...say('All done.'), finish()],
  ]);
  const asked = next(session, 'permission.asked');
  await session.prompt('Change it');
  session.answer((await asked).requestID, { reply }, 'person');
  await session.rested();
  await session.close();
  return store.events(session.id, 0);
}

function timelineOf(events: readonly Event[]): Timeline {
  const timeline = new Timeline();
  timeline.take(events);
  return timeline;
}

function callsIn(timeline: Timeline): readonly Call[] {
  return timeline.turns.flatMap((turn) => timeline.stepsOf(turn).flatMap((step) => timeline.callsOf(step)));
}

test('a log becomes turns, steps and calls, each with its times', async () => {
  const events = await recorded();
  const timeline = timelineOf(events);
  const [turn] = timeline.turns;
  expect(turn).toMatchObject({ prompt: 'Change it', status: 'idle' });
  const steps = timeline.stepsOf(turn!);
  expect(steps.map(({ step, reason, calls }) => ({ step, reason, calls: calls.length }))).toEqual([
    { step: 0, reason: 'tool-calls', calls: 2 },
    { step: 1, reason: 'tool-calls', calls: 1 },
    { step: 2, reason: 'stop', calls: 0 },
  ]);
  const [first] = steps;
  expect(first?.sent?.bodyHash).toMatch(/^[0-9a-f]{64}$/);
  const order = [first?.time, first?.first, first?.answered, first?.ended].map((time) => time ?? 0);
  expect(order).toEqual(order.toSorted((a, b) => a - b));

  const [change, echo] = timeline.callsOf(first!);
  expect(change).toMatchObject({ tool: 'change', outcome: 'ok', waits: [{ kind: 'permission' }] });
  expect(echo).toMatchObject({ tool: 'echo', outcome: 'ok', waits: [] });
  const end = timeline.last;
  expect(piecesOf(change!, end).map(({ kind }) => kind)).toEqual(['waiting', 'tool']);
  expect(piecesOf(echo!, end).map(({ kind }) => kind)).toEqual(['tool']);
  const [waited, ran] = piecesOf(change!, end);
  expect(lengthOf(change!, end)).toBeGreaterThanOrEqual(waited!.length + ran!.length);
  const totals = totalsOf([...steps, ...callsIn(timeline)], end);
  expect(totals.waiting).toBe(waited!.length);
  expect(totals.model).toBe(steps.reduce((sum, step) => sum + lengthOf(step, end), 0));
});

test('the life of a call: what ran, what was refused, what could not run', async () => {
  const lives = (calls: readonly Call[]) =>
    calls.map((each) => lifeOf(each, 0).map(({ name, state }) => `${name} ${state}`));
  expect(lives(callsIn(timelineOf(await recorded())))).toEqual([
    [
      'registered passed',
      'resolved passed',
      'pending passed',
      'permitted passed',
      'running passed',
      'ended passed',
    ],
    [
      'registered passed',
      'resolved passed',
      'pending skipped',
      'permitted passed',
      'running passed',
      'ended passed',
    ],
    [
      'registered passed',
      'resolved failed',
      'pending skipped',
      'permitted skipped',
      'running skipped',
      'ended failed',
    ],
  ]);
  const refused = callsIn(timelineOf(await recorded('reject')));
  expect(lives(refused)[0]).toEqual([
    'registered passed',
    'resolved passed',
    'pending passed',
    'permitted failed',
    'running skipped',
    'ended failed',
  ]);
  expect(stateOf(refused[0]!)).toBe('failed');
});

test('every moment on the way has one station where the call is', async () => {
  const events = await recorded();
  const seen: string[] = [];
  for (let count = 1; count <= events.length; count++) {
    const timeline = timelineOf(events.slice(0, count));
    const change = callsIn(timeline).find(({ callID }) => callID === 'c1');
    if (!change) continue;
    const now = lifeOf(change, timeline.last).filter(({ state }) => state === 'now');
    expect(now.length).toBe(change.outcome === undefined ? 1 : 0);
    const name = now[0]?.name ?? `ended: ${stateOf(change)}`;
    if (seen.at(-1) !== name) seen.push(name);
  }
  expect(seen).toEqual(['registered', 'resolved', 'pending', 'permitted', 'running', 'ended: done']);
});

test('a call with which the log ends has no time, but one that went on has', async () => {
  const events = await recorded();
  const at = events.findIndex((event) => event.type === 'call.running' && event.callID === 'c1');
  const timeline = timelineOf(events.slice(0, at + 1));
  const { last } = timeline;
  const change = callsIn(timeline).find(({ callID }) => callID === 'c1');
  const running = (now: number) => lifeOf(change!, now).find(({ name }) => name === 'running');
  expect(running(last)).toMatchObject({ state: 'now' });
  expect(running(last)).not.toHaveProperty('length');
  expect(running(last + 500)).toMatchObject({ state: 'now', length: 500 });
});

test('what is taken one by one comes to the same as taken at once; deltas change no item', async () => {
  const events = await recorded();
  const whole = timelineOf(events);
  const single = new Timeline();
  let deltas = 0;
  for (const event of events) {
    const before = single.changes;
    single.take([event]);
    if (event.type !== 'step.part' || !event.part.type.endsWith('-delta')) continue;
    deltas++;
    expect(single.changes - before).toBeLessThanOrEqual(1);
  }
  expect(deltas).toBeGreaterThan(3);
  expect(single.turns).toEqual(whole.turns);
  expect(callsIn(single)).toEqual(callsIn(whole));
});

test('the events of a call are those about it, its stream parts among them', async () => {
  const events = await recorded();
  const [first] = callsIn(timelineOf(events));
  const types = eventsOf(events, first!).map((event) =>
    event.type === 'step.part' ? event.part.type : event.type,
  );
  expect(types).toEqual([
    ...['tool-input-start', 'tool-input-delta', 'tool-input-delta', 'tool-input-end', 'tool-call'],
    ...['permission.asked', 'permission.answered', 'call.running', 'call.ended'],
  ]);
});

test('what a prompt named is read as a call of its turn', async () => {
  const events = await recorded();
  const at = events.findIndex(({ type }) => type === 'turn.started');
  const { v, sessionID, seq, time } = events[at]!;
  const placed = { v, sessionID, seq, time };
  const call = { messageID: 'msg_1', callID: 'named' };
  const named: readonly Event[] = [
    { ...placed, type: 'call.added', ...call, tool: 'read', input: { filePath: 'a.txt' } },
    { ...placed, type: 'call.running', ...call, tool: 'read', input: { filePath: 'a.txt' } },
  ];
  const timeline = timelineOf([...events.slice(0, at + 1), ...named, ...events.slice(at + 1)]);
  const children = timeline.childrenOf(timeline.turns[0]!);
  expect(children.map(({ kind }) => kind)).toEqual(['call', 'step', 'step', 'step']);
  expect(children[0]).toMatchObject({ tool: 'read', of: timeline.turns[0]!.key });
});
