import { expect, test } from 'vitest';
import type { StreamPart } from '../session/log/parts.ts';
import { browserNetwork } from './browser-network.ts';
import { createModels } from './models.ts';
import type { RemoteProvider } from './providers/ids.ts';

/** Token counts in each provider's own form, and what we make of them: input includes the cache, output the reasoning. */

async function partsOf(provider: RemoteProvider, events: readonly object[]): Promise<StreamPart[]> {
  const body = events.map((event) =>
    'type' in event
      ? `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`
      : `data: ${JSON.stringify(event)}\n\n`,
  );
  const models = createModels({
    baseURL: () => (provider === 'openai-compatible' ? 'http://localhost:8000/v1' : undefined),
    script: () => undefined,
    keys: { get: () => 'key', redact: (text) => text },
    network: browserNetwork(),
    fetch: async () => new Response(body.join(''), { headers: { 'content-type': 'text/event-stream' } }),
  });
  const model = await models.model({ provider, model: 'm' });
  const parts: StreamPart[] = [];
  for await (const part of model.stream({
    system: '',
    messages: [{ role: 'user', content: 'hi' }],
    tools: [],
    settings: {},
    signal: new AbortController().signal,
    onBody: () => {},
  }))
    parts.push(part);
  return parts;
}

async function usageOf(provider: RemoteProvider, events: readonly object[]) {
  const last = (await partsOf(provider, events)).at(-1);
  return last?.type === 'finish' ? last.usage : undefined;
}

const anthropic = (usage: object, stop: string) => [
  {
    type: 'message_start',
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      usage,
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: stop, stop_sequence: null },
    usage: { output_tokens: 30, output_tokens_details: { thinking_tokens: 20 } },
  },
  { type: 'message_stop' },
];

// https://platform.claude.com/docs/en/build-with-claude/prompt-caching#tracking-cache-performance
test('Anthropic: input_tokens excludes what was read from or written to the cache', async () => {
  const counted = {
    input_tokens: 50,
    cache_read_input_tokens: 1000,
    cache_creation_input_tokens: 200,
    output_tokens: 1,
  };
  const usage = await usageOf('anthropic', anthropic(counted, 'end_turn'));
  expect(usage).toEqual({
    inputTokens: 1250,
    cacheReadTokens: 1000,
    cacheWriteTokens: 200,
    outputTokens: 30,
    reasoningTokens: 20,
  });
});

// https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
test('Anthropic: an answer that fills the context window is an overflow, and is counted', async () => {
  const parts = await partsOf(
    'anthropic',
    anthropic({ input_tokens: 50, output_tokens: 1 }, 'model_context_window_exceeded'),
  );
  expect(parts.slice(-2)).toMatchObject([
    { type: 'error', fault: { code: 'context-overflow', retryable: false } },
    { type: 'finish', reason: 'error', usage: { inputTokens: 50, outputTokens: 30 } },
  ]);
  const cut = await partsOf('anthropic', anthropic({ input_tokens: 50, output_tokens: 1 }, 'max_tokens'));
  expect(cut.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
});

// https://platform.openai.com/docs/api-reference/responses/object#responses/object-usage
test('OpenAI: input_tokens includes what came from the cache', async () => {
  const response = { id: 'r', object: 'response', created_at: 1, model: 'm', output: [] };
  const usage = await usageOf('openai', [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    {
      type: 'response.completed',
      response: {
        ...response,
        status: 'completed',
        usage: {
          input_tokens: 1250,
          input_tokens_details: { cached_tokens: 1000 },
          output_tokens: 30,
          output_tokens_details: { reasoning_tokens: 20 },
          total_tokens: 1280,
        },
      },
    },
  ]);
  expect(usage).toEqual({
    inputTokens: 1250,
    cacheReadTokens: 1000,
    outputTokens: 30,
    reasoningTokens: 20,
  });
});

// https://ai.google.dev/api/generate-content#UsageMetadata
test('Google: thoughts are counted beside the candidates', async () => {
  const usage = await usageOf('google', [
    {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: 1250,
        cachedContentTokenCount: 1000,
        candidatesTokenCount: 10,
        thoughtsTokenCount: 20,
        totalTokenCount: 1280,
      },
    },
  ]);
  expect(usage).toEqual({
    inputTokens: 1250,
    cacheReadTokens: 1000,
    outputTokens: 30,
    reasoningTokens: 20,
  });
});

// https://openrouter.ai/docs/use-cases/usage-accounting
test.each(['openrouter', 'openai-compatible'] as const)(
  '%s: details stand in the last chunk',
  async (provider) => {
    const usage = await usageOf(provider, [
      { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] },
      {
        choices: [],
        usage: {
          prompt_tokens: 1250,
          completion_tokens: 30,
          prompt_tokens_details: { cached_tokens: 1000 },
          completion_tokens_details: { reasoning_tokens: 20 },
        },
      },
    ]);
    expect(usage).toEqual({
      inputTokens: 1250,
      cacheReadTokens: 1000,
      outputTokens: 30,
      reasoningTokens: 20,
    });
  },
);

test('a server that reports no counts does not get counts of zero', async () => {
  const usage = await usageOf('openai-compatible', [
    { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] },
  ]);
  expect(usage).toEqual({});
});
