import { expect, test } from 'vitest';
import type { ModelMessage } from './types.ts';
import { browserNetwork } from './browser-network.ts';
import { createModels } from './models.ts';
import { remoteProviderSchema } from './providers/ids.ts';

const KEY = 'a-key-that-nobody-may-see';
const messages: readonly ModelMessage[] = [
  { role: 'user', content: 'List the files.' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'list', input: { path: '.' } },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'c1', toolName: 'list', output: { type: 'text', value: 'a.txt' } },
    ],
  },
];
const request = {
  system: 'Be brief.',
  messages,
  tools: [
    {
      name: 'list',
      description: 'Lists.',
      schema: { type: 'object', properties: { path: { type: 'string' } } },
    },
  ],
  settings: { reasoning: 'low' },
  cacheKey: 'ses_1',
};

function modelsWith(sent: string[]) {
  return createModels({
    baseURL: (provider) => (provider === 'openai-compatible' ? 'http://localhost:8000/v1' : undefined),
    script: () => undefined,
    keys: { get: () => KEY, redact: (text) => text },
    network: browserNetwork(),
    fetch: async (_input, init) => {
      sent.push(String(init?.body));
      return new Response('', { headers: { 'content-type': 'text/event-stream' } });
    },
  });
}

for (const provider of remoteProviderSchema.options) {
  test(`${provider}: the rehearsed request equals the sent one, without the key and without sending it`, async () => {
    const sent: string[] = [];
    const models = modelsWith(sent);
    const ref = { provider, model: 'test-model' };
    const rehearsed = await models.rehearse(ref, request);
    expect(sent).toEqual([]);
    const model = await models.model(ref);
    let told: unknown;
    const signal = new AbortController().signal;
    for await (const part of model.stream({ ...request, signal, onBody: (body) => (told = body) }))
      if (part.type === 'finish') break;
    expect(rehearsed?.body).toBe(told);
    expect(sent).toEqual([told]);
    expect(rehearsed?.method).toBe('POST');
    const everything = JSON.stringify(rehearsed);
    expect(everything).not.toContain(KEY);
    expect(everything).toMatch(/\$[A-Z_]*API_KEY/);
  });
}

test('a model that plays a script sends nothing', async () => {
  expect(await modelsWith([]).rehearse({ provider: 'scripted', model: 'demo' }, request)).toBeNull();
});
