import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { ModelRequest } from '../session/request/model.ts';
import type { StreamPart } from '../session/log/parts.ts';
import { browserNetwork } from './browser-network.ts';
import { createModels } from './models.ts';
import type { RemoteProvider } from './providers/ids.ts';
import type { ModelMessage } from './types.ts';

/** Checks the request bodies against each provider's documentation. */

interface Block {
  readonly type?: string;
  readonly id?: string;
  readonly content?: readonly Block[];
  readonly cache_control?: unknown;
  readonly functionResponse?: { readonly parts?: unknown };
}
interface Message {
  readonly role: string;
  readonly content: readonly Block[];
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}
/** The fields of all protocols that the tests look at. */
interface Body {
  readonly reasoning?: unknown;
  readonly reasoning_effort?: unknown;
  readonly thinking?: unknown;
  readonly output_config?: unknown;
  readonly max_tokens?: number;
  readonly max_output_tokens?: number;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly generationConfig?: {
    readonly thinkingConfig?: unknown;
    readonly maxOutputTokens?: number;
    readonly temperature?: number;
    readonly topP?: number;
    readonly topK?: number;
  };
  readonly messages: readonly Message[];
  readonly contents: readonly { readonly parts: readonly Block[] }[];
  readonly input: readonly unknown[];
  readonly system: unknown;
  readonly cache_control?: unknown;
  readonly tools: readonly {
    readonly functionDeclarations: readonly { readonly parametersJsonSchema: unknown }[];
    readonly function: { readonly parameters: unknown };
  }[];
}

async function sent(
  provider: RemoteProvider,
  model: string,
  over: Partial<ModelRequest> = {},
  { baseURL, answer = '' }: { baseURL?: string; answer?: string } = {},
): Promise<{ body: Body; parts: StreamPart[] }> {
  const bodies: Body[] = [];
  const models = createModels({
    baseURL: () => baseURL ?? (provider === 'openai-compatible' ? 'http://localhost:8000/v1' : undefined),
    script: () => undefined,
    keys: { get: () => 'key', redact: (text) => text },
    network: browserNetwork(),
    fetch: async (_input, init) => {
      bodies.push(JSON.parse(String(init?.body)));
      return new Response(answer, { headers: { 'content-type': 'text/event-stream' } });
    },
  });
  const parts: StreamPart[] = [];
  for await (const part of (await models.model({ provider, model })).stream({
    system: 'You help.',
    messages: [{ role: 'user', content: 'hi' }],
    tools: [],
    settings: {},
    signal: new AbortController().signal,
    onBody: () => {},
    ...over,
  }))
    parts.push(part);
  expect(bodies).toHaveLength(1);
  return { body: bodies[0]!, parts };
}

const tool = (schema: JsonObject) => [{ name: 'lookup', description: 'Looks up.', schema }];
const PNG = new Uint8Array([137, 80, 78, 71]);

const call = (toolCallId: string): ModelMessage => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId, toolName: 'lookup', input: {} }],
});
const result = (toolCallId: string, value = 'found'): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId, toolName: 'lookup', output: { type: 'text', value } }],
});
const withFile = (toolCallId: string, mediaType: string, data = PNG): ModelMessage => ({
  role: 'tool',
  content: [
    {
      type: 'tool-result',
      toolCallId,
      toolName: 'lookup',
      output: {
        type: 'content',
        value: [
          { type: 'text', text: 'found' },
          { type: 'file', mediaType, data: { type: 'data', data } },
        ],
      },
    },
  ],
});
const hi: ModelMessage = { role: 'user', content: 'hi' };

describe('Gemini', () => {
  const schema: JsonObject = {
    type: 'object',
    properties: {
      level: { type: 'integer', enum: [1, 2, 3] },
      tags: { type: 'array' },
      note: { type: 'string', properties: { stray: { type: 'string' } }, required: ['stray'] },
      enum: { type: 'object', properties: {} },
      nested: { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'gone'] },
    },
    required: ['level', 'gone'],
  };
  // https://ai.google.dev/api/caching#Schema: enum is a list of strings, of type STRING; items are of arrays, required of
  // properties that are there.
  const fits = {
    type: 'object',
    properties: {
      level: { type: 'string', enum: ['1', '2', '3'] },
      tags: { type: 'array', items: { type: 'string' } },
      note: { type: 'string' },
      enum: { type: 'object', properties: {} },
      nested: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    },
    required: ['level'],
  };

  test('gets schemas that it accepts', async () => {
    const { body } = await sent('google', 'gemini-3.8-flash', { tools: tool(schema) });
    expect(body.tools[0]?.functionDeclarations[0]?.parametersJsonSchema).toEqual(fits);
  });

  test('gets them from other servers, too', async () => {
    const { body } = await sent('openrouter', 'google/gemini-2.5-pro', { tools: tool(schema) });
    expect(body.tools[0]?.function.parameters).toEqual(fits);
  });

  test('other models get the schemas unchanged', async () => {
    const { body } = await sent('openrouter', 'qwen/qwen3-coder', { tools: tool(schema) });
    expect(body.tools[0]?.function.parameters).toEqual(schema);
  });

  test('enum values given as text become numbers again', async () => {
    const chunk = {
      choices: [
        {
          index: 0,
          delta: {
            tool_calls: [
              { index: 0, id: 'a', function: { name: 'lookup', arguments: '{"level":"2","tags":["x"]}' } },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
    };
    const { parts } = await sent(
      'openrouter',
      'google/gemini-2.5-pro',
      { tools: tool(schema) },
      { answer: `data: ${JSON.stringify(chunk)}\n\n` },
    );
    expect(parts.flatMap((part) => (part.type === 'tool-call' ? part.input : []))).toEqual([
      { level: 2, tags: ['x'] },
    ]);
  });

  // https://ai.google.dev/gemini-api/docs/function-calling#multimodal: functionResponse.parts, from Gemini 3 on.
  test('gets files in results since the third generation', async () => {
    const messages = [hi, call('a'), withFile('a', 'image/png')];
    const { body } = await sent('google', 'gemini-3.8-flash', { messages });
    expect(body.contents.at(-1)?.parts[0]?.functionResponse?.parts).toEqual([
      { inlineData: { mimeType: 'image/png', data: 'iVBORw==' } },
    ]);
  });

  test('gets files after the results before that', async () => {
    const messages = [hi, call('a'), withFile('a', 'image/png')];
    const { body } = await sent('google', 'gemini-2.5-pro', { messages });
    const parts = body.contents.at(-1)?.parts ?? [];
    expect(JSON.stringify(parts)).toContain('iVBORw==');
    expect(JSON.stringify(parts.filter((part) => part.functionResponse))).not.toContain('iVBORw==');
  });
});

describe('OpenAI', () => {
  // https://platform.openai.com/docs/guides/function-calling#strict-mode: where strict is left out, Responses makes all
  // properties required; with `false` they stay optional.
  test('gets schemas that are not strict, so that optional properties stay optional', async () => {
    const schema: JsonObject = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['a'],
    };
    const { body } = await sent('openai', 'gpt-6.1-sol', { tools: tool(schema) });
    expect(body.tools[0]).toMatchObject({ strict: false, parameters: schema });
  });

  // https://platform.openai.com/docs/api-reference/responses/create: store, prompt_cache_key, include.
  test('stores nothing, and gets a cache key for the conversation', async () => {
    const { body } = await sent('openai', 'gpt-6.1-sol', { cacheKey: 'ses_1' });
    expect(body).toMatchObject({ store: false, prompt_cache_key: 'ses_1' });
  });

  // https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items: what is not stored cannot be referred to
  // by its id; thoughts go back encrypted.
  test('gets its own output in full, as nothing is stored', async () => {
    const { body } = await sent('openai', 'gpt-6.1-sol', {
      messages: [
        hi,
        {
          role: 'assistant',
          content: [
            {
              type: 'reasoning',
              text: '',
              providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'sealed' } },
            },
            { type: 'text', text: 'I look.', providerOptions: { openai: { itemId: 'msg_1' } } },
            {
              type: 'tool-call',
              toolCallId: 'a',
              toolName: 'lookup',
              input: {},
              providerOptions: { openai: { itemId: 'fc_1' } },
            },
          ],
        },
        result('a'),
      ],
    });
    expect(JSON.stringify(body.input)).not.toContain('item_reference');
    expect(body.input).toContainEqual(
      expect.objectContaining({ type: 'reasoning', encrypted_content: 'sealed' }),
    );
    expect(body.input).toContainEqual(expect.objectContaining({ type: 'function_call', call_id: 'a' }));
    expect(JSON.stringify(body.input)).toContain('I look.');
  });

  // https://platform.openai.com/docs/api-reference/responses/create#responses-create-input: function_call_output.output
  // may be a list of input_text, input_image and input_file.
  test('gets files in results', async () => {
    const { body } = await sent('openai', 'gpt-6.1-sol', {
      messages: [hi, call('a'), withFile('a', 'image/png')],
    });
    expect(body.input.at(-1)).toMatchObject({
      type: 'function_call_output',
      output: [
        { type: 'input_text', text: 'found' },
        { type: 'input_image', image_url: 'data:image/png;base64,iVBORw==' },
      ],
    });
  });
});

describe('Mistral', () => {
  // https://mistralai.github.io/mistral-common/usage/tools/#tool-calling-and-messages: ids are nine of a–z, A–Z, 0–9.
  test('gets unique ids of nine letters and digits, the same for a call and its result', async () => {
    const ids = ['call_PTLP8xhu3uwZk4l3nlnrrJha', 'call_PTLP8xhu3uwZk4l3nlnrrJhb', 'abcDEF123', 'x'];
    const { body } = await sent('openai-compatible', 'devstral-small', {
      messages: [hi, ...ids.flatMap((id) => [call(id), result(id)])],
    });
    const calls = body.messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
    const results = body.messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
    expect(results).toEqual(calls);
    expect(new Set(calls).size).toBe(ids.length);
    for (const id of calls) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(calls).toContain('abcDEF123');
  });

  // https://github.com/mistralai/mistral-common, protocol/instruct/validator.py, _validate_message_order: only the assistant
  // or another result may follow a result.
  test('gets an answer between a result and a prompt', async () => {
    const { body } = await sent('openai-compatible', 'mistral-large-latest', {
      messages: [hi, call('a'), result('a'), hi],
    });
    expect(body.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });

  test('others keep their ids and their order', async () => {
    const { body } = await sent('openai-compatible', 'qwen3', {
      messages: [hi, call('call_1'), result('call_1'), hi],
    });
    expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
    expect(body.messages[2]?.tool_calls?.[0]?.id).toBe('call_1');
  });
});

describe('Anthropic', () => {
  const marked = (block: Block) => block.cache_control !== undefined;

  // https://platform.claude.com/docs/en/build-with-claude/prompt-caching: at most four marks, on instructions, tools and
  // messages; a cache is looked for at most twenty blocks before a mark.
  test('gets cache marks on its instructions and its last two messages', async () => {
    const { body } = await sent('anthropic', 'claude-sonnet-5-5', {
      tools: tool({ type: 'object', properties: {} }),
      messages: [hi, call('a'), result('a'), call('b'), result('b')],
    });
    expect(body.system).toEqual([{ type: 'text', text: 'You help.', cache_control: { type: 'ephemeral' } }]);
    const blocks = body.messages.flatMap(({ content }) => content);
    expect(blocks.filter(marked)).toHaveLength(2);
    expect(body.messages.at(-1)?.content.some(marked)).toBe(true);
    expect(body.messages.at(-2)?.content.some(marked)).toBe(true);
    expect(body.cache_control).toEqual({ type: 'ephemeral' });
  });

  test('compatible servers at other addresses get no marks', async () => {
    const { body } = await sent('anthropic', 'other', {}, { baseURL: 'https://proxy.example/v1' });
    expect(JSON.stringify(body)).not.toContain('cache_control');
  });

  // https://platform.claude.com/docs/en/api/messages: text blocks must be non-empty; a thinking block goes back with its
  // signature, also where its text is left out.
  test('gets thoughts back with their signature, even those without text', async () => {
    const { body } = await sent('anthropic', 'claude-sonnet-5-5', {
      messages: [
        hi,
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: '', providerOptions: { anthropic: { signature: 'sig' } } },
            { type: 'tool-call', toolCallId: 'a', toolName: 'lookup', input: {} },
          ],
        },
        result('a'),
      ],
    });
    expect(body.messages[1]?.content[0]).toMatchObject({ type: 'thinking', thinking: '', signature: 'sig' });
  });

  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use: ids of [a-zA-Z0-9_-], images in results.
  test('gets ids of allowed characters, and files in results', async () => {
    const { body } = await sent('anthropic', 'claude-sonnet-5-5', {
      messages: [hi, call('functions.lookup:0'), withFile('functions.lookup:0', 'image/png')],
    });
    const use = body.messages[1]?.content[0];
    const [told] = body.messages[2]?.content ?? [];
    expect(use?.id).toMatch(/^[\w-]+$/);
    expect(told).toMatchObject({ type: 'tool_result', tool_use_id: use?.id });
    expect(told?.content?.map(({ type }) => type)).toEqual(['text', 'image']);
  });
});

describe('reasoning between calls', () => {
  const messages: ModelMessage[] = [
    hi,
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'I look first.' },
        { type: 'tool-call', toolCallId: 'a', toolName: 'lookup', input: {} },
      ],
    },
    result('a'),
  ];

  // https://api-docs.deepseek.com/guides/thinking_mode#tool-calls: reasoning_content must go back within a turn with calls.
  test('goes back to models that expect it', async () => {
    const { body } = await sent('openai-compatible', 'deepseek-reasoner', { messages });
    expect(body.messages[2]).toMatchObject({ reasoning_content: 'I look first.', content: null });
  });

  // https://github.com/janhq/jan/issues/8136, https://github.com/Kilo-Org/kilocode/issues/10375 and
  // https://docs.mistral.ai/api/: a field that they do not know is refused.
  test.each([
    ['mistral-large-latest', 'http://localhost:8000/v1'],
    ['openai/gpt-oss-120b', 'https://api.groq.com/openai/v1'],
    ['zai-glm-4.7', 'https://api.cerebras.ai/v1'],
  ])('do not go to %s', async (model, baseURL) => {
    const { body } = await sent('openai-compatible', model, { messages }, { baseURL });
    expect(JSON.stringify(body)).not.toContain('I look first.');
  });
});

describe('files', () => {
  // https://platform.openai.com/docs/api-reference/chat/create: content of a message with role tool is text.
  test('follow the results where a protocol allows none in them', async () => {
    const { body } = await sent('openrouter', 'qwen/qwen3-vl', {
      messages: [hi, call('a'), withFile('a', 'image/png')],
    });
    expect(body.messages.at(-2)).toMatchObject({ role: 'tool', content: 'found' });
    expect(body.messages.at(-1)?.content[1]).toEqual({
      type: 'image_url',
      image_url: { url: 'data:image/png;base64,iVBORw==' },
    });
  });

  test.each<[RemoteProvider, string]>([
    ['openai', 'gpt-6.1-sol'],
    ['anthropic', 'claude-sonnet-5-5'],
    ['google', 'gemini-3.8-flash'],
    ['openrouter', 'qwen/qwen3-vl'],
    ['openai-compatible', 'llava'],
  ])('that are empty or that %s cannot read are replaced by a note', async (provider, model) => {
    const { body } = await sent(provider, model, {
      messages: [
        {
          role: 'user',
          content: [{ type: 'file', mediaType: 'application/zip', data: PNG, filename: 'a.zip' }],
        },
        call('a'),
        withFile('a', 'image/png', new Uint8Array()),
      ],
    });
    const text = JSON.stringify(body);
    expect(text).toContain('a.zip, application/zip');
    expect(text).toContain('cannot read it: without a name, image/png');
  });
});

// https://openrouter.ai/docs/client-sdks/python/api-reference/components/caching
test('OpenRouter is asked to cache conversations with Claude only', async () => {
  const claude = await sent('openrouter', 'anthropic/claude-sonnet-5.5');
  expect(claude.body.cache_control).toEqual({ type: 'ephemeral' });
  const other = await sent('openrouter', 'openai/gpt-5.4');
  expect(other.body.cache_control).toBeUndefined();
});

describe('the reasoning effort', () => {
  const asked = async (provider: RemoteProvider, model: string, reasoning: string) =>
    (await sent(provider, model, { settings: { reasoning } })).body;

  // https://platform.openai.com/docs/api-reference/responses/create#responses-create-reasoning
  test('OpenAI', async () => {
    expect((await asked('openai', 'gpt-5.4', 'high')).reasoning).toMatchObject({ effort: 'high' });
    expect((await sent('openai', 'gpt-5.4')).body.reasoning).toBeUndefined();
  });

  // https://platform.claude.com/docs/en/build-with-claude/effort
  test('Anthropic: an effort for models with adaptive thinking', async () => {
    const body = await asked('anthropic', 'claude-sonnet-5-5', 'max');
    expect(body.output_config).toEqual({ effort: 'max' });
    expect(body.thinking).toMatchObject({ type: 'adaptive' });
  });

  // https://platform.claude.com/docs/en/build-with-claude/extended-thinking: budget_tokens is less than max_tokens
  test('Anthropic: a budget for older models, with room for it in the answer', async () => {
    const body = await asked('anthropic', 'claude-sonnet-4-5', 'high');
    const { type, budget_tokens: budget = 0 } = body.thinking as { type: string; budget_tokens?: number };
    expect(type).toBe('enabled');
    expect(budget).toBeGreaterThanOrEqual(1024);
    expect(budget).toBeLessThan(body.max_tokens ?? 0);
    expect((await asked('anthropic', 'claude-sonnet-4-5', 'none')).thinking).toEqual({ type: 'disabled' });
  });

  // https://ai.google.dev/gemini-api/docs/thinking
  test('Gemini: a level since the third generation, a budget before; thoughts are still included', async () => {
    expect((await asked('google', 'gemini-3.8-flash', 'low')).generationConfig?.thinkingConfig).toEqual({
      includeThoughts: true,
      thinkingLevel: 'low',
    });
    expect(
      (await asked('google', 'gemini-2.5-flash', 'none')).generationConfig?.thinkingConfig,
    ).toMatchObject({
      thinkingBudget: 0,
    });
  });

  // https://openrouter.ai/docs/use-cases/reasoning-tokens
  test('OpenRouter gets its own field, others OpenAI’s older one', async () => {
    const routed = await asked('openrouter', 'z/thinker', 'high');
    expect(routed.reasoning).toEqual({ effort: 'high' });
    expect(routed.reasoning_effort).toBeUndefined();
    expect((await asked('openai-compatible', 'gpt-oss-120b', 'high')).reasoning_effort).toBe('high');
  });
});

describe('default settings', () => {
  const spelled = ({ generationConfig: google, ...body }: Body) => {
    const { temperature = google?.temperature, top_p: topP = google?.topP } = body;
    const most = body.max_tokens ?? body.max_output_tokens ?? google?.maxOutputTokens;
    return { temperature, topP, topK: google?.topK, most };
  };

  test.each<[RemoteProvider, string, { temperature?: number; topP?: number; topK?: number }]>([
    // https://huggingface.co/Qwen/Qwen3-235B-A22B#best-practices: 0.6 where it thinks, 0.7 else; 0 never.
    ['openrouter', 'qwen/qwen3-coder', { temperature: 0.55 }],
    // https://ai.google.dev/gemini-api/docs/gemini-3#temperature: 1; https://ai.google.dev/api/models#Model: topP, topK.
    ['google', 'gemini-2.5-pro', { temperature: 1, topP: 0.95, topK: 64 }],
    ['google', 'gemini-3-pro-preview', { temperature: 1, topP: 0.95, topK: 64 }],
    ['google', 'gemini-3.8-flash', {}],
    // https://huggingface.co/zai-org/GLM-4.6#recommended-evaluation-parameters
    ['openai-compatible', 'glm-4.6', { temperature: 1 }],
    ['openai-compatible', 'glm-4.5', {}],
    // https://huggingface.co/MiniMaxAI/MiniMax-M2#inference-parameters; the protocol has no top_k.
    ['openrouter', 'minimax/minimax-m2', { temperature: 1, topP: 0.95 }],
    // https://huggingface.co/moonshotai/Kimi-K2-Instruct, https://huggingface.co/moonshotai/Kimi-K2-Thinking and
    // https://platform.kimi.ai/docs/api/models-overview: later ones refuse any other.
    ['openai-compatible', 'kimi-k2-0905-preview', { temperature: 0.6 }],
    ['openai-compatible', 'kimi-k2-thinking', { temperature: 1 }],
    ['openai-compatible', 'kimi-k2.6', { temperature: 1 }],
    ['openai-compatible', 'kimi-k3', {}],
    // https://platform.claude.com/docs/en/build-with-claude/extended-thinking: no temperature beside thinking.
    ['anthropic', 'claude-sonnet-5-5', {}],
    // https://developers.openai.com/api/docs/guides/latest-model: no temperature beside reasoning.
    ['openai', 'gpt-6.1-sol', {}],
  ])('%s %s: %j', async (provider, model, sampling) => {
    const { most: _most, ...asked } = spelled((await sent(provider, model)).body);
    expect(asked).toEqual({ temperature: undefined, topP: undefined, topK: undefined, ...sampling });
  });

  test.each<[RemoteProvider, string, number | undefined]>([
    // https://platform.openai.com/docs/api-reference/responses/create#responses-create-max_output_tokens
    ['openai', 'gpt-6.1-sol', 32_000],
    // https://platform.claude.com/docs/en/about-claude/models/overview: 128,000, 64,000 and 4,096 at most.
    ['anthropic', 'claude-sonnet-5-5', 32_000],
    ['anthropic', 'claude-sonnet-4-5', 32_000],
    ['anthropic', 'claude-3-haiku-20240307', 4_096],
    // https://ai.google.dev/gemini-api/docs/thinking: what it thinks counts, up to 32,768.
    ['google', 'gemini-2.5-pro', 64_768],
    ['google', 'gemini-3.8-flash', 32_000],
    // What a server of one's own can write is not known.
    ['openai-compatible', 'llama3', undefined],
  ])('%s %s: an answer of %s tokens at most', async (provider, model, most) => {
    expect(spelled((await sent(provider, model)).body).most).toBe(most);
  });

  test('the request’s own settings override them', async () => {
    const settings = { temperature: 0.1, maxOutputTokens: 100 };
    const { body } = await sent('google', 'gemini-2.5-pro', { settings });
    expect(spelled(body)).toEqual({ temperature: 0.1, topP: 0.95, topK: 64, most: 100 });
  });
});
