import { expect, test } from 'vitest';
import { browserNetwork } from './browser-network.ts';
import type { ConfiguredProvider } from './models-deps.ts';
import { createModels } from './models.ts';

const LAB: ConfiguredProvider = {
  id: 'lab',
  speaks: 'openai-compatible',
  baseURL: 'https://models.lab/v1',
  headers: { 'x-team': 'glass' },
  models: {
    big: { id: 'big-2026', contextLimit: 64_000, outputLimit: 8_000, price: { input: 1, output: 2 } },
  },
};

const KEYS: Readonly<Record<string, string>> = {
  'openai-compatible@https://models.lab': 'lab-key',
  openai: 'openai-key',
};

async function call(provider: string, name: string, given: readonly ConfiguredProvider[]) {
  const requests: { url: string; headers: Headers; model: string }[] = [];
  const models = createModels({
    baseURL: () => undefined,
    script: () => undefined,
    keys: { get: (scope) => KEYS[scope], redact: (text) => text },
    network: browserNetwork(),
    fetch: async (input, init) => {
      const { model: named } = JSON.parse(String(init?.body)) as { model: string };
      requests.push({ url: String(input), headers: new Headers(init?.headers), model: named });
      return new Response('', { headers: { 'content-type': 'text/event-stream' } });
    },
  });
  const model = await models.model({ provider, model: name }, given);
  const request = {
    system: '',
    messages: [{ role: 'user' as const, content: 'hi' }],
    tools: [],
    settings: { temperature: 0.2 },
    signal: new AbortController().signal,
    onBody: () => undefined,
  };
  for await (const part of model.stream(request)) void part;
  return { model, requests, rehearsed: await models.rehearse(model.ref, request, given) };
}

test('a configured provider gets requests at its address, with its own model name and the key for that address', async () => {
  const { model, requests, rehearsed } = await call('lab', 'big', [LAB]);
  expect(model).toMatchObject({
    ref: { provider: 'lab', model: 'big' },
    ...{ contextLimit: 64_000, outputLimit: 8_000, price: { input: 1, output: 2 } },
  });
  expect(requests).toMatchObject([{ url: 'https://models.lab/v1/chat/completions', model: 'big-2026' }]);
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer lab-key');
  expect(requests[0]?.headers.get('x-team')).toBe('glass');
  expect(rehearsed?.url).toBe('https://models.lab/v1/chat/completions');
  expect(JSON.stringify(rehearsed)).not.toContain('lab-key');
});

test('a file that redirects a known provider does not get its key', async () => {
  const elsewhere = {
    ...LAB,
    id: 'openai',
    speaks: 'openai' as const,
    baseURL: 'https://elsewhere.example/v1',
  };
  const { requests } = await call('openai', 'constructor', [elsewhere]);
  expect(requests).toMatchObject([
    { url: 'https://elsewhere.example/v1/chat/completions', model: 'constructor' },
  ]);
  expect(requests[0]?.headers.get('authorization')).toBeNull();
});

test('a file may add to a known provider, whose address stays', async () => {
  const more: ConfiguredProvider = {
    id: 'openai',
    speaks: 'openai',
    models: { 'gpt-x': { contextLimit: 5 } },
  };
  const { model, requests } = await call('openai', 'gpt-x', [more]);
  expect(model.contextLimit).toBe(5);
  expect(requests).toMatchObject([{ url: 'https://api.openai.com/v1/responses' }]);
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer openai-key');
});
