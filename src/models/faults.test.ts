import { describe, expect, test } from 'vitest';
import { FaultError } from '../base/fault.ts';
import { faultContext, networkWith as network } from '../../test/support/fault-context.ts';
import type { FaultContext, Network } from './fault-context.ts';
import { modelFault } from './faults.ts';
import { browserFetch, FetchFailed } from './fetch.ts';
import { LOCAL_SERVERS, PROVIDERS } from './providers/ids.ts';

const signal = new AbortController().signal;

const context = (over: Partial<FaultContext> = {}) =>
  faultContext({ redact: (text) => text.replaceAll('sk-secret-key', '[redacted key]'), ...over });

const refusal = (status: number, message: string, more: object = {}) =>
  Object.assign(new Error(message), {
    name: 'AI_APICallError',
    statusCode: status,
    url: 'https://models.example/v1/chat/completions?key=x',
    ...more,
  });

describe('a refusal', () => {
  test.each([
    [401, 'Unauthorized', 'auth', false],
    [403, 'Region not supported', 'auth', false],
    [400, 'API key not valid. Please pass a valid API key.', 'auth', false],
    [401, 'CORS requests are not allowed for this Organization', 'cors-organization', false],
    [402, 'Insufficient credits', 'quota', false],
    [429, 'You exceeded your current quota, please check your plan', 'quota', false],
    [400, 'Your credit balance is too low', 'quota', false],
    [429, 'Rate limit reached', 'rate-limit', true],
    [400, "This model's maximum context length is 8192 tokens", 'context-overflow', false],
    [400, 'prompt is too long: 210000 tokens > 200000 maximum', 'context-overflow', false],
    [
      400,
      'The input token count (1200000) exceeds the maximum number of tokens allowed',
      'context-overflow',
      false,
    ],
    [413, 'Request too large', 'context-overflow', false],
    [404, 'The model `x` does not exist', 'model-not-found', false],
    [404, 'page not found', 'wrong-base-url', false],
    [405, 'Method Not Allowed', 'wrong-base-url', false],
    [400, 'messages: roles must alternate', 'bad-request', false],
    [422, 'unprocessable', 'bad-request', false],
    [408, 'timeout', 'server-error', true],
    [500, 'boom', 'server-error', true],
    [502, 'Bad Gateway', 'server-error', true],
    [503, 'Service Unavailable', 'overloaded', true],
    [529, 'Overloaded', 'overloaded', true],
  ] as const)('%i "%s" is %s', async (status, message, code, retryable) => {
    const fault = await modelFault(refusal(status, message), context(), signal);
    expect(fault).toMatchObject({
      code,
      retryable,
      what: message,
      where: 'https://models.example/v1/chat/completions',
    });
    expect(fault.next).toBeTruthy();
  });

  test('gives the time to wait, in every form', async () => {
    const wait = async (responseHeaders: Record<string, string>) =>
      (await modelFault(refusal(429, 'slow', { responseHeaders }), context(), signal)).retryAfterMs;
    expect(await wait({ 'retry-after': '2' })).toBe(2000);
    expect(await wait({ 'retry-after-ms': '150' })).toBe(150);
    for (const past of [new Date(Date.now() - 5000).toUTCString(), '-5', ''])
      expect(await wait({ 'retry-after': past })).toBeUndefined();
    expect(await wait({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() })).toBeGreaterThan(
      50_000,
    );
    expect(await wait({ 'retry-after': 'soon' })).toBeUndefined();
    expect(await wait({})).toBeUndefined();
  });

  test('points to the page for keys, or gives Ollama’s command for a missing model', async () => {
    const anthropic = context({ provider: 'anthropic', baseURL: PROVIDERS.anthropic.baseURL ?? '' });
    expect((await modelFault(refusal(401, 'no'), anthropic, signal)).next).toContain(
      PROVIDERS.anthropic.keysAt,
    );
    expect((await modelFault(refusal(404, 'not found'), anthropic, signal)).code).toBe('model-not-found');
    const ollama = context({ baseURL: LOCAL_SERVERS[0].baseURL, model: 'qwen3' });
    expect((await modelFault(refusal(404, "model 'qwen3' not found"), ollama, signal)).next).toContain(
      'ollama pull qwen3',
    );
  });

  test('a model without tool support is reported as such', async () => {
    expect(
      (await modelFault(refusal(400, 'gemma does not support tools'), context(), signal)).next,
    ).toContain('cannot call tools');
  });

  test.each([
    [400, 'Invalid content type. image_url is only supported by certain models.'],
    [404, 'No endpoints found that support image input'],
    [400, 'unknown variant `image_url`, expected `text`'],
    [500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
    [500, 'this model is missing data required for image input'],
    [400, 'llama is not a multimodal model'],
    [400, 'This model does not support images.'],
  ])('a model that sees no pictures is reported as such: %s %s', async (status, message) => {
    const { code, retryable } = await modelFault(refusal(status, message), context(), signal);
    expect([code, retryable]).toEqual(['no-pictures', false]);
  });

  test.each(['Could not process image', 'This model does not support image/heic', 'The image is too large'])(
    'a picture that is refused for another reason is not: %s',
    async (message) => {
      expect((await modelFault(refusal(400, message), context(), signal)).code).toBe('bad-request');
    },
  );

  test('shows no key and only the start of a long message', async () => {
    const fault = await modelFault(refusal(401, `sk-secret-key ${'x'.repeat(5000)}`), context(), signal);
    expect(fault.what).toMatch(/^\[redacted key\] x+…$/);
    expect(fault.what.length).toBeLessThan(700);
  });
});

describe('an error in a stream', () => {
  test.each([
    [{ type: 'overloaded_error', message: 'Overloaded' }, 'overloaded', true],
    [{ type: 'rate_limit_error', message: 'slow down' }, 'rate-limit', true],
    [{ type: 'api_error', message: 'oops' }, 'server-error', true],
    [{ type: 'invalid_request_error', message: 'context_length_exceeded' }, 'context-overflow', false],
    [{ type: 'something_new', message: 'hm' }, 'provider-error', false],
    [{ message: 'greater than the context length' }, 'context-overflow', false],
    [{ statusCode: 502, message: 'upstream' }, 'server-error', true],
    ['just text', 'unexpected', false],
    [undefined, 'unexpected', false],
  ] as const)('%j is %s', async (error, code, retryable) => {
    expect(await modelFault(error, context(), signal)).toMatchObject({ code, retryable });
  });

  test('the innermost of our own faults is reported unchanged', async () => {
    const fault = { code: 'no-key', what: 'There is no API key.' };
    expect(
      await modelFault(new Error('wrapped', { cause: new FaultError(fault) }), context(), signal),
    ).toEqual(fault);
  });

  test('an abort is not a failure', async () => {
    expect(await modelFault(new DOMException('stop', 'AbortError'), context(), signal)).toMatchObject({
      code: 'aborted',
    });
    expect(await modelFault(new Error('any'), context(), AbortSignal.abort())).toMatchObject({
      code: 'aborted',
    });
  });

  test('a time that has run out is told as that, with what to check', async () => {
    const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    expect(await modelFault(new Error('any'), context(), late)).toMatchObject({
      code: 'timeout',
      retryable: true,
      next: expect.stringContaining('Check that the server is running'),
    });
  });

  test('an error of our own is not reported as a network failure', async () => {
    const fault = await modelFault(new TypeError('x is not a function'), context(), signal);
    expect(fault.code).toBe('unexpected');
  });
});

describe('no answer', () => {
  const failed = new FetchFailed('Failed to fetch', { cause: new TypeError('Failed to fetch') });
  const at = (baseURL: string, over: Partial<Network> = {}) =>
    modelFault(failed, context({ baseURL, network: network(over) }), signal);

  test('offline, unless the server is this machine', async () => {
    expect(await at('https://models.example/v1', { online: () => false })).toMatchObject({
      code: 'offline',
      retryable: true,
    });
    expect(await at('http://localhost:11434/v1', { online: () => false })).toMatchObject({
      code: 'unreachable',
    });
  });

  test('the browser denies the page the local network', async () => {
    const fault = await at('http://192.168.1.5:8000/v1', { localAccessDenied: async () => true });
    expect(fault).toMatchObject({ code: 'local-network', retryable: false });
    expect(fault.next).toContain('https://vitrine.example');
    expect(await at('https://models.example/v1', { localAccessDenied: async () => true })).toMatchObject({
      code: 'unreachable',
    });
  });

  test('https pages cannot call http servers elsewhere', async () => {
    expect(await at('http://models.example/v1')).toMatchObject({ code: 'mixed-content' });
    expect(await at('http://models.example/v1', { origin: 'http://localhost:4173' })).toMatchObject({
      code: 'unreachable',
    });
  });

  test('CORS, with the advice for each kind of server', async () => {
    const up = { reachable: async () => true };
    const cors = async (baseURL: string) => {
      const fault = await at(baseURL, up);
      expect(fault).toMatchObject({ code: 'cors', retryable: false });
      return fault.next;
    };
    expect(await cors('http://localhost:11434/v1')).toBe(
      'Start Ollama with this page allowed: OLLAMA_ORIGINS=https://vitrine.example ollama serve',
    );
    expect(await cors('http://127.0.0.1:1234/v1')).toContain('Enable CORS');
    expect(await cors('http://localhost:8000/v1')).toContain(
      `--allowed-origins '["https://vitrine.example"]'`,
    );
    expect(await cors('https://models.example/v1')).toContain(
      'Access-Control-Allow-Origin: https://vitrine.example',
    );
  });

  test('CORS at a provider that allows pages is caused by something in between', async () => {
    const openai = context({
      provider: 'openai',
      baseURL: 'https://api.openai.com/v1',
      network: network({ reachable: async () => true }),
    });
    expect((await modelFault(failed, openai, signal)).next).toContain('OpenAI usually allows pages');
  });

  test('a server that is down, with how to start it', async () => {
    const down = async (baseURL: string) => {
      const fault = await at(baseURL);
      expect(fault).toMatchObject({ code: 'unreachable', retryable: baseURL.startsWith('https:') });
      return fault.next;
    };
    expect(await down('http://localhost:11434/v1')).toBe(
      'Start Ollama: OLLAMA_ORIGINS=https://vitrine.example ollama serve',
    );
    expect(await down('http://localhost:1234/v1')).toContain('LM Studio');
    expect(await down('http://localhost:9999/v1')).toContain('Start the server at localhost:9999');
    expect(await down('https://models.example/v1')).toContain('Check the base URL');
  });

  test('both causes are named where the browser cannot tell them apart', async () => {
    const fault = await at('http://localhost:11434/v1', { reachable: async () => undefined });
    expect(fault.code).toBe('unreachable');
    expect(fault.what).toContain('CORS');
    expect(fault.next).toContain('OLLAMA_ORIGINS');
  });
});

describe('requests to a server', () => {
  const sent: { url: string; init: RequestInit | undefined }[] = [];
  const send = (response: () => Response) =>
    browserFetch(async (input, init) => {
      sent.push({ url: String(input), init });
      return response();
    });

  test('drops the user agent and empty keys, keeps the signal, sends no cookies', async () => {
    await send(() => new Response('{}'))('https://models.example/v1', {
      headers: {
        'User-Agent': 'ai-sdk',
        authorization: 'Bearer ',
        'x-api-key': '',
        'x-goog-api-key': '',
        accept: '*/*',
      },
      signal,
    });
    const { init } = sent.at(-1) ?? {};
    expect([...new Headers(init?.headers).keys()]).toEqual(['accept']);
    expect(init).toMatchObject({ credentials: 'omit', referrerPolicy: 'no-referrer', signal });
  });

  test('a JSON answer in place of a stream is reported with its message', async () => {
    const ask = async (body: string) =>
      await send(() => new Response(body, { headers: { 'content-type': 'application/json' } }))(
        'https://models.example/v1',
        {
          method: 'POST',
          body: '{"stream":true}',
        },
      ).catch((error: unknown) => modelFault(error, context(), signal));
    expect(await ask('{"error":{"message":"Rate limit","code":429}}')).toMatchObject({
      code: 'rate-limit',
      what: 'Rate limit',
    });
    expect(await ask('{"error":"model \\"x\\" not found"}')).toMatchObject({
      code: 'malformed-stream',
      retryable: false,
    });
    expect(await ask('{"choices":[]}')).toMatchObject({ code: 'malformed-stream' });
    const stream = await ask('data: {}\n\n');
    expect(stream instanceof Response && (await stream.text())).toBe('data: {}\n\n');
  });
});
