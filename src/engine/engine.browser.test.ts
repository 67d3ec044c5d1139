import { afterEach, expect, test } from 'vitest';
import { randomModel, tinyModel, type ModelFiles } from '../../test/support/tiny-model/tiny-model.ts';
import type { PromptMessage } from '../models/browser/prompt-api.ts';
import { EngineLink } from './link.ts';
import type { LoadedModel } from './model-memory.ts';
import { tabPromptAPI } from './prompt-session.ts';
import { engineScript, runtimeBytes } from './parts.ts';

/** The real engine: Transformers.js on ONNX Runtime, in a frame without an origin, with a model that the test makes. */

const open: EngineLink[] = [];
afterEach(() => open.splice(0).forEach((link) => link.close()));

async function load(files: ModelFiles): Promise<LoadedModel & { readonly link: EngineLink }> {
  const link = await EngineLink.open({
    container: document.body,
    address: new URL('/engine.html', location.href),
    script: () => engineScript('wasm'),
  });
  open.push(link);
  const { contextWindow } = await link.ask(
    {
      type: 'load',
      files: new Map([...files].map(([path, bytes]) => [path, new Blob([bytes])])),
      dtype: 'fp32',
      device: 'wasm',
      wasm: await runtimeBytes('wasm'),
    },
    'loaded',
  );
  return { link, contextWindow };
}

async function say(model: LoadedModel, messages: readonly PromptMessage[], signal?: AbortSignal) {
  const session = await tabPromptAPI(
    async () => true,
    (work) => work(model),
  ).create({ initialPrompts: messages.slice(0, -1) });
  const pieces: string[] = [];
  const reader = session.promptStreaming(messages.slice(-1), { ...(signal && { signal }) }).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(next.value);
  return { text: pieces.join(''), pieces, session };
}

const HELLO = [{ role: 'user', content: 'Hello' }] as const;

test('a model with random weights runs, says the same each time, and ends at its limit', async () => {
  const model = await load(randomModel());
  expect(model.contextWindow).toBe(8_192);
  const { text, session } = await say(model, HELLO);
  expect(text.length).toBeGreaterThan(10);
  expect((await say(model, HELLO)).text).toBe(text);
  expect(session.contextUsage).toBeGreaterThan(10);
});

test('an answer that is stopped ends, and the next one is whole', async () => {
  const model = await load(randomModel());
  const began = performance.now();
  const whole = (await say(model, HELLO)).text;
  const took = performance.now() - began;
  const stop = new AbortController();
  const session = await tabPromptAPI(
    async () => true,
    (work) => work(model),
  ).create();
  const reader = session.promptStreaming(HELLO, { signal: stop.signal }).getReader();
  await reader.read();
  const stopped = performance.now();
  stop.abort();
  const rest = async (): Promise<void> => ((await reader.read()).done ? undefined : rest());
  await expect(rest()).rejects.toMatchObject({ name: 'AbortError' });
  // The engine does one thing after the other: it answers this once it has really stopped.
  await session.measureContextUsage(HELLO);
  expect(performance.now() - stopped).toBeLessThan(took / 2);
  expect((await say(model, HELLO)).text).toBe(whole);
});

test('a session that is destroyed ends its answer', async () => {
  const model = await load(randomModel());
  const session = await tabPromptAPI(
    async () => true,
    (work) => work(model),
  ).create();
  const reader = session.promptStreaming(HELLO).getReader();
  await reader.read();
  session.destroy();
  const rest = async (): Promise<void> => ((await reader.read()).done ? undefined : rest());
  await expect(rest()).rejects.toMatchObject({ name: 'AbortError' });
});

test('an engine that was closed refuses whatever it is asked', async () => {
  const { link } = await load(tinyModel({ first: ['Yes.'] }));
  const waiting = link.ask({ type: 'count', messages: HELLO }, 'counted');
  link.close();
  await expect(waiting).rejects.toThrow('The engine was closed.');
  await expect(link.ask({ type: 'count', messages: HELLO }, 'counted')).rejects.toThrow(
    'The engine was closed.',
  );
});

test('what nobody waits for any more is not asked', async () => {
  const { link } = await load(randomModel());
  const stopped = { signal: AbortSignal.abort() };
  await expect(link.ask({ type: 'count', messages: HELLO }, 'counted', stopped)).rejects.toMatchObject({
    name: 'AbortError',
  });
});

test('an answer comes in pieces, and depends on what was read', async () => {
  const model = await load(
    tinyModel({ first: ['{"say":', '"I look."}'], afterResult: ['{"say":"', 'Read."}'] }),
  );
  const { text, pieces, session } = await say(model, HELLO);
  expect(text).toBe('{"say":"I look."}');
  expect(pieces.length).toBeGreaterThan(1);
  expect(session.contextUsage - (await session.measureContextUsage(HELLO))).toBe(3);
  const read = { role: 'user', content: 'Result of read:\nmilk' } as const;
  expect((await say(model, [...HELLO, { role: 'assistant', content: 'a' }, read])).text).toBe(
    '{"say":"Read."}',
  );
});

test('a schema is refused by the stream, so that the answer is asked for without one', async () => {
  const link = { ask: () => Promise.reject(new Error('nothing is asked')) };
  const session = await tabPromptAPI(
    async () => true,
    (work) => work({ link, contextWindow: 100 }),
  ).create();
  const reader = session.promptStreaming(HELLO, { responseConstraint: {} }).getReader();
  await expect(reader.read()).rejects.toMatchObject({ name: 'NotSupportedError' });
});

test('what is too long is refused by its name', async () => {
  const model = await load(tinyModel({ first: ['Yes.'] }));
  const long = [{ role: 'user', content: 'x'.repeat(8_180) }] as const;
  await expect(say(model, long)).rejects.toMatchObject({ name: 'QuotaExceededError' });
});

test('files that are no model are refused with a reason', async () => {
  const files = new Map(tinyModel({ first: ['Yes.'] }));
  files.set('onnx/model.onnx', new Uint8Array([1, 2, 3]));
  await expect(load(files)).rejects.toThrow(/protobuf/i);
  files.delete('onnx/model.onnx');
  await expect(load(files)).rejects.toThrow(/onnx\/model\.onnx/);
});

test('the frame reaches neither the network nor the storage of the app', async () => {
  const script = `addEventListener('message', async ({ ports: [port] }) => {
    const tries = [() => fetch(${JSON.stringify(location.href)}, { mode: 'no-cors' }), () => caches.keys(), () => navigator.storage.getDirectory()];
    const ended = await Promise.all(tries.map((each) => Promise.resolve().then(each).then(() => 'reached', () => 'refused')));
    port.onmessage = ({ data }) => port.postMessage({ type: 'problem', id: data.id, problem: ended.join(' ') });
  });`;
  const address = new URL('/engine.html', location.href);
  const link = await EngineLink.open({ container: document.body, address, script: async () => script });
  open.push(link);
  await expect(link.ask({ type: 'count', messages: [] }, 'counted')).rejects.toThrow(
    'refused refused refused',
  );
});

test('an engine that ends, or answers nonsense, is told to whoever waits', async () => {
  const address = new URL('/engine.html', location.href);
  const start = async (script: string) => {
    const link = await EngineLink.open({ container: document.body, address, script: async () => script });
    open.push(link);
    return link.ask({ type: 'count', messages: [] }, 'counted');
  };
  await expect(start('throw new Error("no memory")')).rejects.toThrow('no memory');
  const nonsense = `addEventListener('message', ({ ports: [port] }) => (port.onmessage = () => port.postMessage({ type: 'counted', id: 1, tokens: 'many' })));`;
  await expect(start(nonsense)).rejects.toThrow('a form that it does not have');
});
