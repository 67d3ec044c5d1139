import { expect, test } from 'vitest';
import type { StreamPart } from '../session/log/parts.ts';
import { browserNetwork } from './browser-network.ts';
import { createModels } from './models.ts';

/** Streams that OpenAI-compatible servers really send. */

async function answerTo(...chunks: readonly (object | string)[]): Promise<StreamPart[]> {
  const lines = chunks.map((chunk) =>
    typeof chunk === 'string' ? chunk : `data: ${JSON.stringify(chunk)}\n\n`,
  );
  const models = createModels({
    baseURL: () => 'http://localhost:11434/v1',
    script: () => undefined,
    keys: { get: () => undefined, redact: (text) => text },
    network: browserNetwork(),
    fetch: async () => new Response(lines.join(''), { headers: { 'content-type': 'text/event-stream' } }),
  });
  const model = await models.model({ provider: 'openai-compatible', model: 'm' });
  const parts: StreamPart[] = [];
  for await (const part of model.stream({
    system: '',
    messages: [{ role: 'user', content: 'hi' }],
    tools: ['bash', 'read'].map((name) => ({ name, description: name, schema: { type: 'object' } })),
    settings: {},
    signal: new AbortController().signal,
    onBody: () => {},
  }))
    parts.push(part);
  return parts;
}

const delta = (value: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: value, finish_reason }],
});
const call = (value: object) => delta({ tool_calls: [value] });
const callsIn = (parts: readonly StreamPart[]) =>
  parts.flatMap((part) =>
    part.type === 'tool-call' ? [[part.callID, part.tool, part.input, part.invalid?.reason]] : [],
  );
const last = (parts: readonly StreamPart[]) => parts.at(-1);

test('complete calls under one id, with "stop" as the reason', async () => {
  const parts = await answerTo(
    call({
      index: 0,
      id: 'call_0',
      type: 'function',
      function: { name: 'bash', arguments: '{"command":"ls"}' },
    }),
    call({
      index: 1,
      id: 'call_0',
      type: 'function',
      function: { name: 'bash', arguments: '{"command":"pwd"}' },
    }),
    delta({ content: '' }, 'stop'),
    'data: [DONE]\n\n',
  );
  const calls = callsIn(parts);
  expect(calls.map(([, tool, input]) => [tool, input])).toEqual([
    ['bash', { command: 'ls' }],
    ['bash', { command: 'pwd' }],
  ]);
  expect(new Set(calls.map(([id]) => id)).size).toBe(2);
  expect(last(parts)).toMatchObject({ type: 'finish', reason: 'stop', usage: {} });
});

test('calls without an index or an id', async () => {
  const parts = await answerTo(
    call({ function: { name: 'bash', arguments: '{"command":"ls"}' } }),
    call({ id: '', function: { name: 'read', arguments: '{"path":"a"}' } }),
    delta({}, 'tool_calls'),
  );
  const calls = callsIn(parts);
  expect(calls.map(([, tool]) => tool)).toEqual(['bash', 'read']);
  for (const [id] of calls) expect(id).toBeTruthy();
});

test('a call without arguments', async () => {
  const parts = await answerTo(
    call({ index: 0, id: 'a', function: { name: 'bash', arguments: '' } }),
    delta({}, 'tool_calls'),
  );
  expect(callsIn(parts)).toEqual([['a', 'bash', {}, undefined]]);
});

test('comments, keep-alives, carriage returns and no blank after the colon', async () => {
  const parts = await answerTo(
    ': OPENROUTER PROCESSING\n\n',
    `data:${JSON.stringify(delta({ content: 'Hi' }))}\r\n\r\n`,
    '\n\n',
    delta({}, 'stop'),
  );
  expect(parts).toContainEqual(expect.objectContaining({ type: 'text-delta', text: 'Hi' }));
  expect(last(parts)).toMatchObject({ reason: 'stop' });
});

test('an error in the stream with a status, as OpenRouter sends it', async () => {
  const parts = await answerTo(delta({ content: 'H' }), {
    error: { code: 429, message: 'Rate limited upstream' },
  });
  expect(parts).toContainEqual({
    type: 'error',
    fault: expect.objectContaining({ code: 'rate-limit', retryable: true }),
  });
});

test('length and filter are reported as such', async () => {
  expect(last(await answerTo(delta({ content: 'H' }), delta({}, 'length')))).toMatchObject({
    reason: 'length',
  });
  expect(last(await answerTo(delta({ content: 'H' }), delta({}, 'content_filter')))).toMatchObject({
    reason: 'content-filter',
  });
});

test.each([
  '',
  'data: [DONE]\n\n',
  'event: nothing\n\n',
  '\0\0\0',
  'data: null\n\n',
  'data: []\n\n',
  'data: {}\n\n',
])('a stream that says nothing (%j) is an error, and finishes', async (text) => {
  const parts = await answerTo(text);
  expect(parts.filter((part) => part.type === 'error')).not.toEqual([]);
  expect(last(parts)).toMatchObject({ type: 'finish', reason: 'error' });
});
