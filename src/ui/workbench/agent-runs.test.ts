import { expect, test } from 'vitest';
import type { Event, EventBody } from '../../session/log/events.ts';
import { AgentRuns, type AgentRun } from './agent-runs.ts';

let seq = 0;
function at(time: number, body: EventBody): Event {
  return { v: 1, sessionID: 'ses_1', seq: seq++, time, ...body };
}
const call = (callID: string) => ({ messageID: 'msg_1', callID });
const running = (callID: string, tool = 'bash') =>
  at(1000, { type: 'call.running', ...call(callID), tool, input: { command: `run ${callID}` } });
const ended = (callID: string, metadata: Record<string, number> = {}) =>
  at(1500, {
    type: 'call.ended',
    ...call(callID),
    outcome: 'ok',
    output: '',
    title: '',
    metadata,
    attachments: [],
  });

function heardBy(runs: AgentRuns): AgentRun[] {
  const heard: AgentRun[] = [];
  runs.listen((run) => heard.push(run));
  return heard;
}

test('tells shell runs and nothing else', () => {
  const runs = new AgentRuns(async () => undefined);
  const heard = heardBy(runs);
  runs.feed([
    running('a'),
    running('b', 'read'),
    running('a'),
    at(1001, { type: 'call.output', ...call('a'), text: 'hi\n' }),
    at(1001, { type: 'call.output', ...call('b'), text: 'not this' }),
    ended('a', { exitCode: 2 }),
    ended('b'),
  ]);
  expect(heard).toEqual([
    { type: 'started', id: 'msg_1/a', command: 'run a' },
    { type: 'output', id: 'msg_1/a', text: 'hi\n' },
    { type: 'ended', id: 'msg_1/a', outcome: 'ok', exitCode: 2, durationMs: 500 },
  ]);
});

test('output kept as a blob keeps its place', async () => {
  let load: (bytes: Uint8Array) => void = () => {};
  const runs = new AgentRuns(() => new Promise((resolve) => (load = resolve)));
  const heard = heardBy(runs);
  runs.feed([
    running('a'),
    at(1001, { type: 'call.output', ...call('a'), blob: 'hash' }),
    at(1002, { type: 'call.output', ...call('a'), text: 'after' }),
    ended('a'),
  ]);
  expect(heard.map((run) => run.type)).toEqual(['started']);
  load(new TextEncoder().encode('large'));
  await expect.poll(() => heard.at(-1)?.type).toBe('ended');
  expect(heard.flatMap((run) => (run.type === 'output' ? run.text : []))).toEqual(['large', 'after']);
});

test('a later listener is told what was run before', () => {
  const runs = new AgentRuns(async () => undefined);
  runs.feed([running('a'), ended('a')]);
  expect(heardBy(runs).map((run) => run.type)).toEqual(['started', 'ended']);
});

test('the agent counts as active while any call runs, and a moment longer', () => {
  const runs = new AgentRuns(async () => undefined);
  expect(runs.active(0)).toBe(false);
  runs.feed([running('a', 'edit')]);
  expect(runs.active(9000)).toBe(true);
  runs.feed([ended('a')]);
  expect(runs.active(1600)).toBe(true);
  expect(runs.active(9000)).toBe(false);
});

test('what is kept for later is bounded, the newest stays', () => {
  const runs = new AgentRuns(async () => undefined);
  runs.feed([running('a')]);
  const chunk = 'x'.repeat(60_000);
  for (let at = 0; at < 100; at += 1) {
    runs.feed([output(`${at} ${chunk}`)]);
  }
  const heard = heardBy(runs).flatMap((run) => (run.type === 'output' ? [run.text] : []));
  expect(heard.join('').length).toBeLessThan(1_100_000);
  expect(heard.at(-1)).toMatch(/^99 /);
});

function output(text: string): Event {
  return at(1001, { type: 'call.output', ...call('a'), text });
}
