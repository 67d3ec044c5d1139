import { afterEach, describe, expect, test } from 'vitest';
import { start, type ModelServer, type ServerOptions } from '../../test/support/model-server/server.ts';
import type { ModelRequest } from '../session/request/model.ts';
import type { StreamPart } from '../session/log/parts.ts';
import { FaultError } from '../base/fault.ts';
import { browserNetwork } from './browser-network.ts';
import { KeyStore, memoryKeys } from './keys.ts';
import { createModels } from './models.ts';
import { PROVIDERS, remoteProviderSchema, type Protocol, type RemoteProvider } from './providers/ids.ts';
import { keyScope } from './settings.ts';
import type { ModelMessage } from './types.ts';

/** The real providers, through the network, against a server that speaks their protocols. */

const KEY = 'sk-a-very-secret-key';
const servers: ModelServer[] = [];
afterEach(async () => void (await Promise.all(servers.splice(0).map((server) => server.close()))));

const BASE_PATHS: Record<Protocol, string> = {
  openai: '/v1',
  anthropic: '/v1',
  google: '/v1beta',
  'openai-compatible': '/v1',
};
const ALL = remoteProviderSchema.options;

async function serve(options: Omit<ServerOptions, 'script'> & { script?: unknown }): Promise<ModelServer> {
  const server = await start({ script: HELLO, ...options });
  servers.push(server);
  return server;
}

const script = (...steps: unknown[]) => ({ version: 1, turns: [{ steps }] });
const HELLO = script({ text: 'Hello there, you.' });
const LOOK = script(
  {
    reasoning: 'I think first.',
    text: 'I look.',
    tools: [
      { tool: 'bash', input: { command: 'ls "a b"' } },
      { tool: 'read', input: { path: 'ü.txt' } },
    ],
  },
  { text: 'Two files.' },
);

async function modelsAt(provider: RemoteProvider, baseURL: string, key: string | undefined = KEY) {
  const keys = await KeyStore.open(memoryKeys(), memoryKeys());
  if (key !== undefined) await keys.set(keyScope(provider, baseURL), key, { remember: false });
  return createModels({ baseURL: () => baseURL, script: () => undefined, keys, network: browserNetwork() });
}

async function modelAt(provider: RemoteProvider, server: { url: string }, key?: string) {
  const models = await modelsAt(provider, server.url + BASE_PATHS[PROVIDERS[provider].protocol], key);
  return await models.model({ provider, model: 'test-model' });
}

const tools = ['bash', 'read'].map((name) => ({
  name,
  description: `${name} something`,
  schema: { type: 'object', properties: { command: { type: 'string' }, path: { type: 'string' } } },
}));

function request(over: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: 'You help.',
    messages: [{ role: 'user', content: 'look around' }],
    tools,
    settings: {},
    signal: new AbortController().signal,
    onBody: () => {},
    ...over,
  };
}

async function collect(parts: AsyncIterable<StreamPart>): Promise<StreamPart[]> {
  const collected: StreamPart[] = [];
  for await (const part of parts) collected.push(part);
  return collected;
}

const textOf = (parts: readonly StreamPart[]) =>
  parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : [])).join('');
const reasoningOf = (parts: readonly StreamPart[]) =>
  parts.flatMap((part) => (part.type === 'reasoning-delta' ? [part.text] : [])).join('');
const callsOf = (parts: readonly StreamPart[]) => parts.filter((part) => part.type === 'tool-call');
const faultOf = (parts: readonly StreamPart[]) =>
  parts.flatMap((part) => (part.type === 'error' ? [part.fault] : []))[0];

/** The messages that a step adds to the next request: the assistant's answer and the results. */
function answered(parts: readonly StreamPart[]): ModelMessage[] {
  const calls = callsOf(parts);
  const reasoning = parts.findLast((part) => part.type === 'reasoning-end');
  const metadata = reasoning?.type === 'reasoning-end' ? reasoning.providerMetadata : undefined;
  return [
    {
      role: 'assistant',
      content: [
        ...(metadata
          ? [
              {
                type: 'reasoning' as const,
                text: reasoningOf(parts),
                providerOptions: JSON.parse(JSON.stringify(metadata)),
              },
            ]
          : []),
        { type: 'text', text: textOf(parts) },
        ...calls.map((call) => ({
          type: 'tool-call' as const,
          toolCallId: call.callID,
          toolName: call.tool,
          input: call.input,
          ...(call.providerMetadata && {
            providerOptions: JSON.parse(JSON.stringify(call.providerMetadata)),
          }),
        })),
      ],
    },
    {
      role: 'tool',
      content: calls.map((call) => ({
        type: 'tool-result',
        toolCallId: call.callID,
        toolName: call.tool,
        output: { type: 'text', value: 'done' },
      })),
    },
  ];
}

describe.each(ALL)('%s', (provider) => {
  test('thinks, speaks and calls, then goes on from the results', async () => {
    const server = await serve({ script: LOOK });
    const model = await modelAt(provider, server);
    const first = await collect(model.stream(request()));
    expect(faultOf(first)).toBeUndefined();
    expect(textOf(first)).toBe('I look.');
    expect(reasoningOf(first)).toBe('I think first.');
    expect(callsOf(first)).toMatchObject([
      { tool: 'bash', input: { command: 'ls "a b"' } },
      { tool: 'read', input: { path: 'ü.txt' } },
    ]);
    expect(new Set(callsOf(first).map((call) => call.callID)).size).toBe(2);
    expect(first.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
    const finish = first.at(-1);
    expect(finish?.type === 'finish' && (finish.usage.outputTokens ?? 0)).toBeGreaterThan(0);

    const second = await collect(
      model.stream(request({ messages: [...request().messages, ...answered(first)] })),
    );
    expect(faultOf(second)).toBeUndefined();
    expect(textOf(second)).toBe('Two files.');
    expect(second.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
  });

  test('continues after calls to tools that are named like inherited object properties', async () => {
    const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
    const server = await serve({
      script: script({ tools: names.map((tool) => ({ tool, input: {} })) }, { text: 'Sorry.' }),
    });
    const model = await modelAt(provider, server);
    const first = await collect(model.stream(request()));
    expect(callsOf(first)).toMatchObject(
      names.map((tool) => ({ tool, invalid: { reason: 'unknown-tool' } })),
    );
    const messages = [...request().messages, ...answered(first)];
    expect(textOf(await collect(model.stream(request({ messages }))))).toBe('Sorry.');
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    for (const name of names) expect(sent).toContain(`"name":"${name}_"`);
  });

  test('sends its key and no user agent of its own, and reports the body without the key', async () => {
    const server = await serve({ key: KEY });
    const bodies: string[] = [];
    const parts = await collect(
      (await modelAt(provider, server)).stream(request({ onBody: (body) => bodies.push(String(body)) })),
    );
    expect(faultOf(parts)).toBeUndefined();
    const { headers, body } = server.requests[0] ?? {};
    // Node's own user agent; strict servers fail over the SDK's, which has its name and version.
    expect(headers?.['user-agent'] ?? 'node').toBe('node');
    expect(headers?.cookie).toBeUndefined();
    expect(bodies.map((text) => JSON.parse(text))).toEqual([body]);
    expect(bodies.join()).not.toContain(KEY);
  });

  test('a refused key is reported with its provider and not shown', async () => {
    const server = await serve({ key: 'another' });
    const parts = await collect((await modelAt(provider, server)).stream(request()));
    expect(faultOf(parts)).toMatchObject({ code: 'auth', retryable: false });
    expect(JSON.stringify(parts)).not.toContain(KEY);
  });

  test('a rate limit says how long to wait', async () => {
    const server = await serve({
      script: script({ error: { status: 429, retryAfter: 7 } }, { text: 'now' }),
    });
    const model = await modelAt(provider, server);
    expect(faultOf(await collect(model.stream(request())))).toMatchObject({
      code: 'rate-limit',
      retryable: true,
      retryAfterMs: 7000,
    });
    expect(textOf(await collect(model.stream(request())))).toBe('now');
  });

  test.each(['end', 'reset'] as const)(
    'a stream cut in the text (%s) keeps what came and can be retried',
    async (how) => {
      const server = await serve({ faults: [{ request: 0, kind: 'cut', in: 'text', how }] });
      const model = await modelAt(provider, server);
      const cut = await collect(model.stream(request()));
      expect('Hello there, you.'.startsWith(textOf(cut))).toBe(true);
      expect(faultOf(cut)).toMatchObject({ code: 'stream-cut', retryable: true });
      expect(cut.at(-1)).toMatchObject({ type: 'finish', reason: 'error' });
      expect(textOf(await collect(model.stream(request())))).toBe('Hello there, you.');
    },
  );

  test('a stream that is cut off within arguments is an error, whatever became of the call', async () => {
    const server = await serve({
      script: script({ tools: [{ tool: 'bash', input: { command: 'x'.repeat(500) } }] }),
      faults: [{ request: 0, kind: 'cut', in: 'arguments', how: 'end' }],
    });
    const parts = await collect((await modelAt(provider, server)).stream(request()));
    expect(faultOf(parts)?.code).toBe('stream-cut');
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'error' });
    for (const call of callsOf(parts)) expect(call.invalid?.message.length).toBeLessThan(400);
  });

  test('an error in the stream is reported as such', async () => {
    const server = await serve({
      faults: [{ request: 0, kind: 'error-event', in: 'text', message: 'Overloaded' }],
    });
    const parts = await collect((await modelAt(provider, server)).stream(request()));
    expect(faultOf(parts)).toMatchObject({
      code: expect.stringMatching(/overloaded|server-error/),
      retryable: true,
    });
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'error' });
  });

  test('a broken event is an error too', async () => {
    const server = await serve({ faults: [{ request: 0, kind: 'malformed', in: 'text' }] });
    const parts = await collect((await modelAt(provider, server)).stream(request()));
    expect(faultOf(parts)).toMatchObject({ code: 'malformed-stream', retryable: true });
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'error' });
  });

  test('a web page in place of an answer means a wrong base URL', async () => {
    const server = await serve({
      faults: [
        {
          request: 0,
          kind: 'content-type',
          value: 'text/html; charset=utf-8',
          body: '<!doctype html><title>x</title>',
        },
      ],
    });
    const parts = await collect((await modelAt(provider, server)).stream(request()));
    expect(faultOf(parts)).toMatchObject({ code: 'wrong-base-url', retryable: false });
  });

  test('a stream under a wrong content type is a stream', async () => {
    const server = await serve({ faults: [{ request: 0, kind: 'content-type', value: 'text/html' }] });
    expect(textOf(await collect((await modelAt(provider, server)).stream(request())))).toBe(
      'Hello there, you.',
    );
  });

  test.each(['connection', 'headers', 'text'] as const)('abort ends a call that hangs (%s)', async (spot) => {
    const server = await serve({ faults: [{ request: 0, kind: 'hang', in: spot }] });
    const aborter = new AbortController();
    const parts = await modelAt(provider, server);
    const collecting = collect(parts.stream(request({ signal: aborter.signal })));
    await until(() => server.requests.length > 0);
    aborter.abort();
    expect((await collecting).some((part) => part.type === 'error' || part.type === 'finish')).toBe(false);
  });

  test('lists the models', async () => {
    const server = await serve({ models: ['gpt-4.1-mini', 'other'], key: KEY });
    const models = await modelsAt(provider, server.url + BASE_PATHS[PROVIDERS[provider].protocol]);
    const list = await models.list(provider, new AbortController().signal);
    expect(list.map((model) => model.model)).toEqual(['gpt-4.1-mini', 'other']);
    expect(list[0]?.contextLimit).toBe(provider === 'google' ? 1000 : 1_047_576);
  });

  test('a list that cannot be fetched is a fault', async () => {
    const server = await serve({ key: 'another' });
    const models = await modelsAt(provider, server.url + BASE_PATHS[PROVIDERS[provider].protocol]);
    await expect(models.list(provider, new AbortController().signal)).rejects.toMatchObject({
      fault: { code: 'auth' },
    });
  });
});

/** Waits for a condition that another process's progress makes true. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe('whatever the provider', () => {
  test('Anthropic gets the header for calls from pages', async () => {
    const server = await serve({});
    await collect((await modelAt('anthropic', server)).stream(request()));
    expect(server.requests[0]?.headers['anthropic-dangerous-direct-browser-access']).toBe('true');
  });

  test.each([
    ['openai', '/v1', '/v1/responses'],
    ['anthropic', '/v1', '/v1/messages'],
    ['google', '/v1beta', '/v1beta/models/test-model:streamGenerateContent'],
    ['openrouter', '/api/v1', '/v1/chat/completions'],
  ] as const)(
    '%s at its own address speaks its own protocol, over two steps',
    async (provider, path, asked) => {
      const server = await serve({ script: LOOK, key: KEY });
      const keys = await KeyStore.open(memoryKeys(), memoryKeys());
      await keys.set(provider, KEY, { remember: false });
      const models = createModels({
        baseURL: () => undefined,
        script: () => undefined,
        keys,
        network: browserNetwork(),
        fetch: (input, init) => {
          const url = new URL(String(input));
          expect(url.protocol).toBe('https:');
          expect(url.pathname.startsWith(path)).toBe(true);
          return fetch(server.url + url.pathname.replace('/api/v1', '/v1') + url.search, init);
        },
      });
      const model = await models.model({ provider, model: 'test-model' });
      const first = await collect(model.stream(request()));
      expect(faultOf(first)).toBeUndefined();
      expect(reasoningOf(first)).toBe('I think first.');
      expect(callsOf(first).map((call) => call.tool)).toEqual(['bash', 'read']);
      const second = await collect(
        model.stream(request({ messages: [...request().messages, ...answered(first)] })),
      );
      expect(textOf(second)).toBe('Two files.');
      expect(server.requests.map((sent) => sent.path)).toEqual([asked, asked]);
      if (provider === 'openai') expect(server.requests[0]?.body).toMatchObject({ store: false });
      if (provider === 'anthropic')
        expect(server.requests[0]?.body).toMatchObject({ cache_control: { type: 'ephemeral' } });
    },
  );

  test('a server that needs no key gets no header for one', async () => {
    const server = await serve({});
    for (const provider of ALL)
      expect(textOf(await collect((await modelAt(provider, server, '')).stream(request())))).toBe(
        'Hello there, you.',
      );
    for (const { headers } of server.requests)
      for (const name of ['authorization', 'x-api-key', 'x-goog-api-key'])
        expect(headers[name]).toBeUndefined();
  });

  test('without a key, no request goes to the provider itself', async () => {
    const keys = await KeyStore.open(memoryKeys(), memoryKeys());
    const asked: string[] = [];
    const models = createModels({
      baseURL: () => undefined,
      script: () => undefined,
      keys,
      network: browserNetwork(),
      fetch: async (input) => {
        asked.push(String(input));
        return new Response();
      },
    });
    for (const provider of ['openai', 'anthropic', 'google', 'openrouter'] as const) {
      const parts = await collect((await models.model({ provider, model: 'm' })).stream(request()));
      expect(faultOf(parts)).toMatchObject({ code: 'no-key', next: expect.stringContaining('https://') });
    }
    expect(asked).toEqual([]);
  });

  test('an unknown provider is refused, and a missing script reported', async () => {
    const models = await modelsAt('openai', 'http://127.0.0.1:1/v1');
    await expect(models.model({ provider: 'nobody', model: 'm' })).rejects.toBeInstanceOf(FaultError);
    const parts = await collect(
      (await models.model({ provider: 'scripted', model: 'script' })).stream(request()),
    );
    expect(faultOf(parts)?.code).toBe('no-script');
    expect(parts.at(-1)?.type).toBe('finish');
  });

  test('past the end of the script, the message says what was asked for', async () => {
    const server = await serve({});
    const parts = await collect(
      (await modelAt('openai-compatible', server)).stream(
        request({
          messages: [
            { role: 'user', content: 'a' },
            { role: 'assistant', content: 'b' },
          ],
        }),
      ),
    );
    expect(faultOf(parts)).toMatchObject({
      code: 'bad-request',
      what: expect.stringContaining('turn 1, step 2 was asked for'),
    });
  });

  test('a wrong address, a wrong path and a missing server have different faults', async () => {
    const server = await serve({});
    const at = async (models: Awaited<ReturnType<typeof modelsAt>>) =>
      faultOf(
        await collect((await models.model({ provider: 'openai-compatible', model: 'm' })).stream(request())),
      );
    expect(await at(await modelsAt('openai-compatible', `${server.url}/nowhere`))).toMatchObject({
      code: 'wrong-base-url',
      retryable: false,
    });
    expect(await at(await modelsAt('openai-compatible', 'not an address'))).toMatchObject({
      code: 'wrong-base-url',
    });
    await server.close();
    expect(await at(await modelsAt('openai-compatible', `${server.url}/v1`))).toMatchObject({
      code: 'unreachable',
      retryable: false,
    });
  });
});
