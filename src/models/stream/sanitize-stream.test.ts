import { describe, expect, test } from 'vitest';
import type { StreamPart } from '../../session/log/parts.ts';
import { browserNetwork } from '../browser-network.ts';
import { createModels } from '../models.ts';
import type { RemoteProvider } from '../providers/ids.ts';

type Event = Readonly<Record<string, unknown>>;

/** An answer with a text and a call, as each protocol streams it. */
const ANSWERS: Record<'anthropic' | 'openai' | 'openai-compatible' | 'google', readonly Event[]> = {
  anthropic: [
    {
      type: 'message_start',
      message: {
        id: 'm',
        model: 'x',
        role: 'assistant',
        content: [],
        usage: { input_tokens: 3, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I look' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '.' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'c', name: 'look', input: {} },
    },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ],
  openai: [
    { type: 'response.created', response: { id: 'r', created_at: 1, model: 'x' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm' } },
    { type: 'response.output_text.delta', item_id: 'm', output_index: 0, delta: 'I look' },
    { type: 'response.output_text.delta', item_id: 'm', output_index: 0, delta: '.' },
    { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'm' } },
    {
      type: 'response.output_item.added',
      output_index: 1,
      item: { type: 'function_call', id: 'f', call_id: 'c', name: 'look', arguments: '' },
    },
    { type: 'response.function_call_arguments.delta', item_id: 'f', output_index: 1, delta: '{"a":1}' },
    {
      type: 'response.output_item.done',
      output_index: 1,
      item: {
        type: 'function_call',
        id: 'f',
        call_id: 'c',
        name: 'look',
        arguments: '{"a":1}',
        status: 'completed',
      },
    },
    { type: 'response.completed', response: { usage: { input_tokens: 3, output_tokens: 9 } } },
  ],
  'openai-compatible': [
    { id: 'r', choices: [{ index: 0, delta: { role: 'assistant', content: 'I look' } }] },
    { id: 'r', choices: [{ index: 0, delta: { content: '.' } }] },
    {
      id: 'r',
      choices: [
        {
          index: 0,
          delta: {
            tool_calls: [
              { index: 0, id: 'c', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
            ],
          },
        },
      ],
    },
    { id: 'r', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    { id: 'r', choices: [], usage: { prompt_tokens: 3, completion_tokens: 9 } },
  ],
  google: [
    { candidates: [{ content: { role: 'model', parts: [{ text: 'I look' }] } }] },
    { candidates: [{ content: { role: 'model', parts: [{ text: '.' }] } }] },
    {
      candidates: [
        { content: { role: 'model', parts: [{ functionCall: { name: 'look', args: { a: 1 } } }] } },
      ],
    },
    {
      candidates: [{ content: { parts: [] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 9 },
    },
  ],
};
type Wire = keyof typeof ANSWERS;

const inLines = (events: readonly Event[], end = '\n') =>
  events.map((event) => `event: x${end}data: ${JSON.stringify(event)}${end}${end}`).join('');

async function parts(provider: RemoteProvider, answer: BodyInit): Promise<StreamPart[]> {
  const models = createModels({
    baseURL: () => (provider === 'openai-compatible' ? 'http://localhost:8000/v1' : undefined),
    script: () => undefined,
    keys: { get: () => 'key', redact: (text) => text },
    network: browserNetwork(),
    fetch: async () => new Response(answer, { headers: { 'content-type': 'text/event-stream' } }),
  });
  const all: StreamPart[] = [];
  for await (const part of (await models.model({ provider, model: 'test' })).stream({
    system: '',
    messages: [{ role: 'user', content: 'hi' }],
    tools: [{ name: 'look', description: 'Looks.', schema: { type: 'object', properties: {} } }],
    settings: {},
    signal: new AbortController().signal,
    onBody: () => {},
  }))
    all.push(part);
  return all;
}

function expectWhole(all: readonly StreamPart[]): void {
  expect(all.filter(({ type }) => type === 'error')).toEqual([]);
  const text = all.flatMap((part) => (part.type === 'text-delta' ? part.text : [])).join('');
  expect(text).toBe('I look.');
  expect(all.filter(({ type }) => type === 'tool-call')).toMatchObject([{ tool: 'look', input: { a: 1 } }]);
  expect(all.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
}

const notes = (all: readonly StreamPart[]) =>
  all.filter((part) => part.type === 'other' && part.name === 'skipped');

const WIRES: readonly Wire[] = ['anthropic', 'openai', 'openai-compatible', 'google'];

/** Events that a provider may send in future, anywhere in an answer. */
const UNKNOWN: Record<Wire, readonly Event[]> = {
  anthropic: [
    { type: 'message_weather', sun: true },
    { type: 'content_block_start', index: 7, content_block: { type: 'hologram', data: 'x' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'hologram_delta', data: 'x' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: { type: 'new' } } },
  ],
  openai: [
    { type: 'response.output_item.added', output_index: 9, item: { type: 'hologram', id: 'h' } },
    { type: 'response.output_item.done', output_index: 9, item: { type: 'hologram', id: 'h' } },
    { type: 'response.output_text.annotation.added', annotation: { type: 'new_citation', at: 3 } },
    { type: 'response.in_progress', response: 'soon' },
  ],
  'openai-compatible': [
    { id: 5, choices: 'none', created: 'today' },
    {
      id: 'r',
      choices: [{ index: 0, delta: { role: 'robot', reasoning: {}, tool_calls: 'no' }, finish_reason: 5 }],
      error: null,
    },
    { id: 'r', choices: [], usage: { prompt_tokens: 'three' } },
  ],
  google: [
    { candidates: 'none', responseId: 5 },
    { candidates: [{ safetyRatings: [{ category: 5 }, 'x'], groundingMetadata: 'new', finishReason: 5 }] },
    { usageMetadata: { promptTokenCount: 'three', promptTokensDetails: {} }, promptFeedback: 'fine' },
  ],
};

describe.each(WIRES)('%s', (wire) => {
  test('unknown things are skipped and noted, at the start, within and at the end', async () => {
    const answer = ANSWERS[wire];
    for (const unknown of UNKNOWN[wire])
      for (const at of [0, 3, answer.length]) {
        const all = await parts(wire, inLines(answer.toSpliced(at, 0, unknown)));
        expectWhole(all);
        expect(notes(all).length, JSON.stringify(unknown)).toBeGreaterThan(0);
      }
  });

  test('lines may end in CR alone, also where a chunk ends between CR and LF', async () => {
    expectWhole(await parts(wire, inLines(ANSWERS[wire], '\r')));
    const text = inLines(ANSWERS[wire], '\r\n');
    const chunks = text.match(/[^]{1,3}/g) ?? [];
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    expectWhole(await parts(wire, body));
  });

  test('nothing is noted where nothing is unknown', async () => {
    const all = await parts(wire, inLines(ANSWERS[wire]));
    expectWhole(all);
    expect(notes(all)).toEqual([]);
  });
});

test.each<[Wire, number, Event]>([
  ['anthropic', 0, { type: 'message_start', message: { id: 5, usage: null, container: 'x' } }],
  ['anthropic', 1, { type: 'content_block_start', index: 0, content_block: { type: 'text' } }],
  [
    'anthropic',
    5,
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'c', name: 'look', input: null },
    },
  ],
  [
    'anthropic',
    8,
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: 5 },
      usage: null,
      context_management: 1,
    },
  ],
  ['openai', 0, { type: 'response.created', response: { id: 'r', created_at: 'now', model: 'x' } }],
  [
    'openai',
    2,
    { type: 'response.output_text.delta', item_id: 'm', output_index: 0, delta: 'I look', logprobs: {} },
  ],
  [
    'openai',
    7,
    {
      type: 'response.output_item.done',
      output_index: 1,
      item: {
        type: 'function_call',
        id: 'f',
        call_id: 'c',
        name: 'look',
        arguments: '{"a":1}',
        status: 'odd',
        async: 'no',
      },
    },
  ],
  [
    'openai',
    8,
    { type: 'response.completed', response: { usage: { input_tokens: 'three' }, service_tier: 5 } },
  ],
  [
    'openai-compatible',
    0,
    { id: 5, choices: [{ delta: { role: 'model', content: 'I look', reasoning: 5 } }] },
  ],
  [
    'google',
    0,
    { responseId: 5, candidates: [{ content: { parts: [{ text: 'I look', thoughtSignature: 5 }] } }] },
  ],
])(
  '%s, event %i: a field beside the answer that is not as expected does not end it',
  async (wire, at, event) => {
    expectWhole(await parts(wire, inLines(ANSWERS[wire].with(at, event))));
  },
);

test('an unreadable piece of the answer itself is still an error', async () => {
  const broken = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 5 } };
  const all = await parts('anthropic', inLines(ANSWERS.anthropic.with(3, broken)));
  expect(all.find(({ type }) => type === 'error')).toMatchObject({ fault: { code: 'malformed-stream' } });
});

test('a last event without an empty line after it counts if it is complete', async () => {
  const text = inLines(ANSWERS['openai-compatible']);
  expectWhole(await parts('openai-compatible', text.trimEnd()));
  const cut = await parts('anthropic', inLines(ANSWERS.anthropic).slice(0, -20));
  expect(cut.find(({ type }) => type === 'error')).toMatchObject({ fault: { code: 'stream-cut' } });
});
