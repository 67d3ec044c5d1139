import { expect, test } from 'vitest';
import { builtInModels, fetchModels } from './catalogue.ts';
import type { RemoteProvider } from './providers/ids.ts';

const signal = new AbortController().signal;

function listFrom(provider: RemoteProvider, answer: unknown, status = 200) {
  const asked: { url: string; headers: Headers }[] = [];
  const models = fetchModels(
    provider,
    {
      baseURL: 'https://models.example/v1',
      apiKey: 'sk-key',
      fetch: async (input, init) => {
        asked.push({ url: String(input), headers: new Headers(init?.headers) });
        return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer), { status });
      },
    },
    signal,
  );
  return { models, asked };
}

test('OpenRouter says which models see no pictures', async () => {
  const model = (id: string, input_modalities?: string[]) => ({
    id,
    ...(input_modalities && { architecture: { input_modalities } }),
  });
  const { models } = listFrom('openrouter', {
    data: [model('blind', ['text', 'file']), model('sees', ['text', 'image']), model('silent')],
  });
  expect((await models).map(({ model: id, seesNoPictures }) => [id, seesNoPictures])).toEqual([
    ['blind', true],
    ['sees', undefined],
    ['silent', undefined],
  ]);
});

test('OpenRouter: names, limits and prices, of models that can call tools', async () => {
  const { models } = listFrom('openrouter', {
    data: [
      {
        id: 'a/b',
        name: 'A: B',
        context_length: 128_000,
        pricing: { prompt: '0.0000025', completion: '0.00001', input_cache_read: '0.00000025' },
        top_provider: { max_completion_tokens: 16_384 },
        supported_parameters: ['tools', 'temperature'],
      },
      {
        id: 'a/no-tools',
        name: 'no',
        pricing: { prompt: '0', completion: '0' },
        supported_parameters: ['temperature'],
      },
      {
        id: 'a/auto',
        pricing: { prompt: '-1', completion: '-1' },
        top_provider: { max_completion_tokens: null },
      },
    ],
  });
  expect(await models).toEqual([
    {
      provider: 'openrouter',
      model: 'a/b',
      name: 'A: B',
      contextLimit: 128_000,
      outputLimit: 16_384,
      price: { input: 2.5, output: 10, cacheRead: 0.25 },
    },
    { provider: 'openrouter', model: 'a/auto', name: 'a/auto' },
  ]);
});

test('vLLM and llama.cpp list the context window, Ollama does not', async () => {
  const { models, asked } = listFrom('openai-compatible', {
    object: 'list',
    data: [
      { id: 'v', max_model_len: 32_768 },
      { id: 'l', meta: { n_ctx_train: 8192 } },
      { id: 'qwen3', owned_by: 'library' },
    ],
  });
  expect((await models).map(({ model, contextLimit }) => [model, contextLimit])).toEqual([
    ['v', 32_768],
    ['l', 8192],
    ['qwen3', undefined],
  ]);
  expect(asked[0]?.url).toBe('https://models.example/v1/models');
});

test('models of OpenAI that are not for chat are left out', async () => {
  const { models } = listFrom('openai', {
    data: ['gpt-5.4', 'text-embedding-3-small', 'whisper-1', 'gpt-4o-realtime-preview', 'dall-e-3', 'o3'].map(
      (id) => ({ id }),
    ),
  });
  expect((await models).map(({ model }) => model)).toEqual(['gpt-5.4', 'o3']);
});

test('Anthropic and Google, each in its own way', async () => {
  const anthropic = listFrom('anthropic', {
    data: [{ id: 'c', display_name: 'Claude', max_input_tokens: 1_000_000, max_tokens: 64_000 }],
  });
  expect(await anthropic.models).toEqual([
    { provider: 'anthropic', model: 'c', name: 'Claude', contextLimit: 1_000_000, outputLimit: 64_000 },
  ]);
  expect(Object.fromEntries(anthropic.asked[0]?.headers ?? [])).toMatchObject({
    'x-api-key': 'sk-key',
    'anthropic-dangerous-direct-browser-access': 'true',
  });
  const google = listFrom('google', {
    models: [
      {
        name: 'models/g',
        displayName: 'Gemini',
        inputTokenLimit: 10,
        outputTokenLimit: 5,
        supportedGenerationMethods: ['generateContent'],
      },
      { name: 'models/e', supportedGenerationMethods: ['embedContent'] },
    ],
  });
  expect(await google.models).toEqual([
    { provider: 'google', model: 'g', name: 'Gemini', contextLimit: 10, outputLimit: 5 },
  ]);
});

test.each(['<!doctype html>', '{"data": "none"}', ''])(
  'an answer that is no list (%j) is told as such',
  async (answer) => {
    await expect(listFrom('openai-compatible', answer).models).rejects.toMatchObject({
      fault: { code: 'wrong-base-url' },
    });
  },
);

test('a refusal has the provider’s message', async () => {
  const { models } = listFrom('openai', { error: { message: 'Incorrect API key provided' } }, 401);
  await expect(models).rejects.toMatchObject({ statusCode: 401, message: 'Incorrect API key provided' });
});

test('there are built-in models before any list is fetched', () => {
  for (const provider of ['openai', 'anthropic', 'google'] as const)
    expect(builtInModels(provider).length).toBeGreaterThan(1);
  expect(builtInModels('openai-compatible')).toEqual([]);
});
