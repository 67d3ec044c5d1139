import { afterEach, describe, expect, inject, test } from 'vitest';
import type { ServerOptions } from '../../test/support/model-server/server.ts';
import type { Fault } from '../base/fault.ts';
import type { StreamPart } from '../session/log/parts.ts';
import { browserNetwork } from './browser-network.ts';
import { KeyStore, memoryKeys, webStorageKeys } from './keys.ts';
import { createModels } from './models.ts';
import type { RemoteProvider } from './providers/ids.ts';
import { keyScope } from './settings.ts';

/** Runs in a real page, which sees only what the browser reveals. */

const control = async (path: string, body: unknown): Promise<unknown> => {
  const response = await fetch(inject('modelServers') + path, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
};

interface Recorded {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

const HELLO = { version: 1, turns: [{ steps: [{ text: 'Hello there, you.' }] }] };
const started: string[] = [];
afterEach(async () => void (await Promise.all(started.splice(0).map((url) => control('/close', { url })))));

async function serve(options: Omit<ServerOptions, 'script'> = {}): Promise<string> {
  const { url } = (await control('/start', { script: HELLO, ...options })) as { url: string };
  started.push(url);
  return url;
}

async function ask(provider: RemoteProvider, baseURL: string, key = 'a-secret-key'): Promise<StreamPart[]> {
  const keys = await KeyStore.open(memoryKeys(), memoryKeys());
  await keys.set(keyScope(provider, baseURL), key, { remember: false });
  const models = createModels({
    baseURL: () => baseURL,
    script: () => undefined,
    keys,
    network: browserNetwork(),
  });
  const model = await models.model({ provider, model: 'some-model' });
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

const faultOf = (parts: readonly StreamPart[]): Fault | undefined =>
  parts.flatMap((part) => (part.type === 'error' ? [part.fault] : []))[0];
const textOf = (parts: readonly StreamPart[]) =>
  parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : [])).join('');

describe('a server on another origin', () => {
  test.each([
    ['openai', '/v1'],
    ['anthropic', '/v1'],
    ['google', '/v1beta'],
    ['openrouter', '/v1'],
    ['openai-compatible', '/v1'],
  ] as const)('%s passes a strict preflight', async (provider, path) => {
    const url = await serve({ key: 'a-secret-key' });
    expect(textOf(await ask(provider, url + path))).toBe('Hello there, you.');
    const requests = (await control('/requests', { url })) as Recorded[];
    expect(requests.map((request) => request.method)).toEqual(['OPTIONS', 'POST']);
    expect(requests[0]?.headers['access-control-request-headers']).not.toContain('user-agent');
    expect(requests[1]?.headers.cookie).toBeUndefined();
    expect(requests[1]?.headers.referer).toBeUndefined();
  });

  test('that refuses the key is not reported as CORS', async () => {
    const url = await serve({ key: 'another' });
    expect(faultOf(await ask('openai-compatible', `${url}/v1`))).toMatchObject({ code: 'auth' });
  });

  test('that does not allow the page is reported as CORS, with the page’s origin', async () => {
    const url = await serve({ cors: false });
    const fault = faultOf(await ask('openai-compatible', `${url}/v1`));
    expect(fault).toMatchObject({ code: 'cors', retryable: false });
    expect(fault?.next).toContain(`Access-Control-Allow-Origin: ${location.origin}`);
  });

  test('that is down is reported as down', async () => {
    const url = await serve();
    await control('/close', { url });
    expect(faultOf(await ask('openai-compatible', `${url}/v1`))).toMatchObject({
      code: 'unreachable',
      retryable: false,
    });
  });

  test('that drops the connection is reported as a cut-off answer', async () => {
    const url = await serve({ faults: [{ request: 0, kind: 'cut', in: 'text', how: 'reset' }] });
    const parts = await ask('openai-compatible', `${url}/v1`);
    expect(faultOf(parts)).toMatchObject({ code: 'stream-cut', retryable: true });
  });

  test('a retry-after is read where the server lets the page see it', async () => {
    const url = await serve({
      faults: [
        { request: 0, kind: 'status', status: 429, message: 'slow down', headers: { 'retry-after': '3' } },
      ],
    });
    expect(faultOf(await ask('openai-compatible', `${url}/v1`))).toMatchObject({
      code: 'rate-limit',
      retryAfterMs: 3000,
    });
  });
});

test('this page is isolated, which makes the difference between up and down hard to see', () => {
  expect(crossOriginIsolated).toBe(true);
});

describe('keys in web storage', () => {
  afterEach(() => {
    sessionStorage.clear();
    localStorage.clear();
  });
  const open = () =>
    KeyStore.open(
      webStorageKeys(() => sessionStorage),
      webStorageKeys(() => localStorage),
    );

  test('are stored in the tab, unless they are to be remembered', async () => {
    const keys = await open();
    await keys.set('openai', 'sk-one-two-three', { remember: false });
    await keys.set('google', 'sk-four-five-six', { remember: true });
    expect(keysIn(localStorage)).toEqual(['sk-four-five-six']);
    expect(keysIn(sessionStorage)).toEqual(['sk-one-two-three']);
    const reopened = await open();
    expect(reopened.get('openai')).toBe('sk-one-two-three');
    expect(reopened.isRemembered('google')).toBe(true);
    await reopened.forget('google');
    expect(keysIn(localStorage)).toEqual([]);
    expect((await open()).get('google')).toBeUndefined();
  });
});

/** The page's storage is shared with the tests of other files. */
function keysIn(storage: Storage): string[] {
  return Object.entries({ ...storage }).flatMap(([name, value]) =>
    /\bkey\b/.test(name) ? [String(value)] : [],
  );
}
