import { expect, expectTypeOf, test } from 'vitest';
import type { Event } from '../../src/session/log/events.ts';
import type { AgentEvent } from './agent-event.ts';
import type { AgentEventType, LoggedEvent } from './events.ts';
import { factsOf } from './facts.ts';
import { transcriptOf } from './transcript.ts';

/** Adds what every event has. A second passes between two events. */
function log(
  ...bodies: readonly { readonly type: AgentEventType; readonly [member: string]: unknown }[]
): LoggedEvent[] {
  return bodies.map((body, seq) => ({ ...body, sessionID: 'ses_a', seq, time: seq * 1000 }));
}

const of = (messageID: string, callID: string) => ({ messageID, callID });
const part = (messageID: string, given: object) => ({ type: 'step.part', messageID, part: given }) as const;

const job = log(
  { type: 'prompt.accepted', messageID: 'u', text: 'Write it.' },
  { type: 'turn.started', promptID: 'u' },
  { type: 'step.started', messageID: 'm1', step: 0 },
  part('m1', { type: 'text-start', id: '0' }),
  part('m1', { type: 'text-delta', id: '0', text: 'I ' }),
  part('m1', { type: 'text-delta', id: '0', text: 'write.' }),
  part('m1', { type: 'tool-call', callID: 'c', tool: 'write', input: { filePath: 'a.txt' } }),
  {
    type: 'permission.asked',
    ...of('m1', 'c'),
    requestID: 'r',
    tool: 'write',
    permission: 'edit',
    patterns: ['a.txt'],
  },
  { type: 'permission.answered', ...of('m1', 'c'), requestID: 'r', reply: { reply: 'once' } },
  { type: 'call.running', ...of('m1', 'c'), tool: 'write', input: { filePath: 'a.txt', mode: 'x' } },
  { type: 'call.ended', ...of('m1', 'c'), outcome: 'ok', output: 'Written.' },
  { type: 'step.ended', messageID: 'm1', usage: { inputTokens: 10, outputTokens: 5 }, cost: 0.5 },
  { type: 'step.started', messageID: 'm2', step: 1 },
  part('m2', { type: 'tool-call', callID: 'c', tool: 'read', input: { filePath: 'b.txt' } }),
  { type: 'call.ended', ...of('m2', 'c'), outcome: 'failed', output: 'No such file.' },
  { type: 'step.ended', messageID: 'm2', usage: { inputTokens: 20 } },
  // As a later version may write it.
  JSON.parse('{"type":"something.new","messageID":"m2"}'),
  { type: 'turn.ended', status: 'error', fault: { what: 'The provider is gone.' } },
);

test('calls have what the model gave them and what it got back, also where ids repeat in another message', () => {
  expect(factsOf(job).calls).toEqual([
    {
      id: 'c',
      messageID: 'm1',
      tool: 'write',
      input: { filePath: 'a.txt' },
      outcome: 'ok',
      ran: true,
      output: 'Written.',
    },
    {
      id: 'c',
      messageID: 'm2',
      tool: 'read',
      input: { filePath: 'b.txt' },
      outcome: 'failed',
      ran: true,
      output: 'No such file.',
    },
  ]);
});

test('the types of events are those of the log', () => {
  expectTypeOf<AgentEventType>().toEqualTypeOf<Event['type']>();
  expectTypeOf<Event>().toExtend<AgentEvent>();
  expectTypeOf<(AgentEvent & { type: 'call.ended' })['output']>().toBeString();
});

test('asks, answers, texts and turns are there', () => {
  const { asks, said, turns } = factsOf(job);
  expect(asks).toEqual([{ tool: 'write', permission: 'edit', patterns: ['a.txt'], reply: 'once' }]);
  expect(said).toEqual(['I write.']);
  expect(turns).toEqual([
    { prompt: 'Write it.', status: 'error', steps: 2, tokens: 35, cost: 0.5, ms: 16_000 },
  ]);
});

test('what has not ended is told as running', () => {
  const { calls, turns, asks } = factsOf(job.slice(0, 8));
  expect(calls[0]?.outcome).toBe('running');
  expect(turns[0]?.status).toBe('running');
  expect(asks[0]).not.toHaveProperty('reply');
});

test.each([
  ['ok', true],
  ['cancelled', true],
  ['denied', false],
  ['invalid', false],
])('a call that was running and ended as %s has run: %s', (outcome, ran) => {
  const running = { type: 'call.running', ...of('m', 'c'), tool: 'bash', input: {} } as const;
  const ended = { type: 'call.ended', ...of('m', 'c'), outcome, output: '' } as const;
  expect(factsOf(log(running)).calls[0]?.ran).toBe(true);
  expect(factsOf(log(running, ended)).calls[0]?.ran).toBe(ran);
  expect(factsOf(log({ ...ended, outcome: 'cancelled' })).calls[0]?.ran).toBe(false);
});

test('the transcript has everything in order, and neither ids nor times', () => {
  expect(transcriptOf(factsOf(job))).toBe(`## Person

Write it.

I write.

**write** → ok

\`\`\`json
{
  "filePath": "a.txt"
}
\`\`\`

**read** → failed

\`\`\`json
{
  "filePath": "b.txt"
}
\`\`\`

_The turn ended: error, The provider is gone._
`);
});

test('a call that the test made is in the transcript, and none of the agent’s', () => {
  const origin = { kind: 'command', tool: 'read' };
  const events = log(
    { type: 'prompt.accepted', messageID: 'm', text: 'read {}', origin },
    { type: 'call.added', ...of('m', 'm.1'), tool: 'read', input: { filePath: 'a.txt' } },
    { type: 'call.ended', ...of('m', 'm.1'), outcome: 'ok', output: 'one' },
  );
  expect(factsOf(events).calls).toEqual([]);
  expect(transcriptOf(factsOf(events))).toContain('## Test\n\n**read** → ok\n');
});

test('calls of a message are not the agent’s: a file that it names, and a command of the person', () => {
  const events = log(
    { type: 'prompt.accepted', messageID: 'p', text: 'Look at @x.txt' },
    { type: 'call.added', ...of('p', 'p.1'), tool: 'read', input: { filePath: 'x.txt' } },
    { type: 'call.ended', ...of('p', 'p.1'), outcome: 'ok', output: 'x' },
    { type: 'prompt.accepted', messageID: 'q', text: 'ls', origin: { kind: 'command' } },
    { type: 'call.added', ...of('q', 'q.1'), tool: 'bash', input: { command: 'ls' } },
    { type: 'call.ended', ...of('q', 'q.1'), outcome: 'ok', output: 'x.txt' },
  );
  expect(factsOf(events).calls).toEqual([]);
  expect(transcriptOf(factsOf(events))).toContain('**read** → ok\n');
});

test('a fence is longer than the backticks in the code', () => {
  const events = log(part('m', { type: 'tool-call', callID: 'c', tool: 'bash', input: { command: '```' } }));
  expect(transcriptOf(factsOf(events))).toContain('````json\n');
});
