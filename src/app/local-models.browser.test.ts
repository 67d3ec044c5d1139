import { afterEach, expect, inject, test } from 'vitest';
import type { ServerOptions } from '../../test/support/model-server/server.ts';
import { timeoutTimer } from '../base/timer.ts';
import { browserNetwork } from '../models/browser-network.ts';
import { KeyStore, memoryKeys } from '../models/keys.ts';
import type { LocalServer } from '../models/providers/ids.ts';
import { MemorySettingsStore } from '../storage/memory/settings-store.ts';
import type { LocalFinding } from '../ui/app.ts';
import { ModelSettings } from './model-settings.ts';

/** Runs in a real page, because only a browser withholds answers from one. */

const control = async (path: string, body: unknown): Promise<unknown> => {
  const response = await fetch(inject('modelServers') + path, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
};

const HELLO = { version: 1, turns: [{ steps: [{ text: 'Hello.' }] }] };
const started: string[] = [];
afterEach(async () => void (await Promise.all(started.splice(0).map((url) => control('/close', { url })))));

async function serve(options: Omit<ServerOptions, 'script'> = {}): Promise<string> {
  const { url } = (await control('/start', { script: HELLO, ...options })) as { url: string };
  started.push(url);
  return url;
}

async function requestsTo(url: string): Promise<readonly { readonly path: string }[]> {
  return (await control('/requests', { url })) as { path: string }[];
}

async function settingsFor(...urls: readonly (readonly [LocalServer, string])[]): Promise<ModelSettings> {
  return new ModelSettings({
    settings: new MemorySettingsStore(),
    keys: await KeyStore.open(memoryKeys(), memoryKeys()),
    network: browserNetwork(),
    timer: timeoutTimer,
    you: { ask: () => Promise.reject(new Error('nobody is asked')) },
    script: () => undefined,
    localServers: urls.map(([id, url]) => ({ id, name: id, baseURL: `${url}/v1` })),
  });
}

async function look(id: LocalServer, options?: Omit<ServerOptions, 'script'>): Promise<LocalFinding> {
  const settings = await settingsFor([id, await serve(options)]);
  const [finding] = await settings.lookForLocal();
  if (!finding) throw new Error('Nothing was looked for.');
  return finding;
}

test('nothing is asked before somebody looks, and then each server offers its models', async () => {
  const ollama = await serve({ models: ['qwen3:8b', 'llama3.2'] });
  const jan = await serve({ models: ['jan-v1'] });
  const settings = await settingsFor(['ollama', ollama], ['jan', jan]);
  await settings.load();
  expect(await requestsTo(ollama)).toEqual([]);
  expect(await settings.lookForLocal()).toEqual([
    {
      name: 'ollama',
      baseURL: `${ollama}/v1`,
      state: 'found',
      models: [named('qwen3:8b'), named('llama3.2')],
    },
    { name: 'jan', baseURL: `${jan}/v1`, state: 'found', models: [named('jan-v1')] },
  ]);
  expect((await requestsTo(ollama)).map(({ path }) => path)).toEqual(['/v1/models']);
});

const named = (id: string) => ({ id, name: id });

test('Ollama is asked in its own way where the other list is missing', async () => {
  expect(await look('ollama', { listing: 'tags', models: ['qwen3'] })).toMatchObject({
    state: 'found',
    models: [{ id: 'qwen3' }],
  });
});

test('a server that lets no page in is named, with what to do', async () => {
  const finding = await look('ollama', { cors: false });
  expect(finding).toMatchObject({ state: 'blocked', fault: { code: 'cors' } });
  expect('fault' in finding && finding.fault.next).toContain(location.origin);
});

test.each([
  ['fails', 'The list is broken.'],
  ['page', 'not a list of models'],
] as const)('a list that %s is told as it is', async (listing, what) => {
  const finding = await look('lm-studio', { listing });
  expect(finding).toMatchObject({ state: 'blocked', fault: { what: expect.stringContaining(what) } });
});

test('a server without models says how to get one', async () => {
  expect(await look('llama-cpp', { models: [] })).toMatchObject({
    state: 'blocked',
    fault: { code: 'no-models', next: expect.stringContaining('llama-server -m') },
  });
});

test('a server that never answers is not waited for', async () => {
  expect(await look('vllm', { listing: 'hangs' })).toMatchObject({
    state: 'blocked',
    fault: { code: 'timeout' },
  });
});

test('a port at which nothing listens is no fault of anybody', async () => {
  const url = await serve();
  await control('/close', { url });
  expect(await (await settingsFor(['jan', url])).lookForLocal()).toMatchObject([
    { name: 'jan', state: 'silent', fault: { code: 'unreachable' } },
  ]);
});
