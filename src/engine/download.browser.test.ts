import { afterEach, beforeEach, expect, test } from 'vitest';
import { randomModel } from '../../test/support/tiny-model/tiny-model.ts';
import { FaultError } from '../base/fault.ts';
import { download, type Progress } from './download.ts';
import { ModelStore } from './store.ts';

/** These tests need the caches of a browser. The host is a function that behaves as a real one does. */

const SCOPE = '/test-of-models/';
const WANTED = { id: 'lab/tiny', name: 'Tiny', dtype: 'fp32' } as const;
const MODEL = randomModel();
const WEIGHTS = MODEL.get('onnx/model.onnx') ?? new Uint8Array();
const remove = async () => {
  for (const name of await caches.keys()) if (name.includes(SCOPE)) await caches.delete(name);
};
beforeEach(remove);
afterEach(remove);

const never = new AbortController().signal;
const store = new ModelStore(caches, SCOPE);

interface HostOptions {
  readonly files?: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  readonly ranges?: boolean;
  readonly sizes?: boolean;
  /** The connection breaks after so many bytes of the weights. */
  readonly breaksAt?: number;
  /** Its name for this version of each file. */
  readonly etag?: string;
}

/** A host of models; `asked` has the path and the range of each request. */
function host({ files = MODEL, ranges = true, sizes = true, breaksAt, etag }: HostOptions = {}) {
  const asked: string[] = [];
  const answer: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const path = url.split('/resolve/main/')[1] ?? '';
    const range = new Headers(init?.headers).get('range');
    asked.push(range ? `${path} ${range}` : path);
    const whole = files.get(path);
    if (!whole) return new Response('no', { status: 404 });
    const from = ranges ? Number(/bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0) : 0;
    const headers = new Headers(sizes ? { 'content-length': String(whole.length - from) } : {});
    if (etag) headers.set('etag', etag);
    if (from > 0) headers.set('content-range', `bytes ${from}-${whole.length - 1}/${whole.length}`);
    const rest = whole.slice(from, path.endsWith('.onnx') ? breaksAt : undefined);
    const isBroken = path.endsWith('.onnx') && breaksAt !== undefined;
    const pieces = [...Array(Math.ceil(rest.length / 1000)).keys()].map((at) =>
      rest.slice(at * 1000, at * 1000 + 1000),
    );
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = pieces.shift();
        if (next) controller.enqueue(next);
        else if (isBroken) controller.error(new TypeError('network error'));
        else controller.close();
      },
    });
    return new Response(body, { status: from > 0 ? 206 : 200, headers });
  };
  return { asked, answer };
}

const run = (given: ReturnType<typeof host>, seen: Progress[] = [], signal = never) =>
  download(
    { store, fetch: given.answer, hub: 'https://hub.example', pieceBytes: 10_000 },
    WANTED,
    (progress) => seen.push(progress),
    signal,
  );
const bytesOf = async (path: string) => {
  const file = (await store.files(WANTED.id)).get(path);
  return new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer());
};

test('every file of a model is fetched and kept, and what the model does not have is left out', async () => {
  const seen: Progress[] = [];
  await run(host(), seen);
  expect([...(await store.files(WANTED.id)).keys()].sort()).toEqual([...MODEL.keys()].sort());
  expect(await bytesOf('onnx/model.onnx')).toEqual(WEIGHTS);
  const all = [...MODEL.values()].reduce((sum, { length }) => sum + length, 0);
  expect(seen.at(-1)).toEqual({ bytes: all, total: all });
  expect(await store.list()).toEqual([{ ...WANTED, isWhole: true, bytes: all }]);
});

test('a download that broke off goes on where it ended', async () => {
  await expect(run(host({ breaksAt: 25_000 }))).rejects.toThrow();
  expect(await store.about(WANTED.id)).toMatchObject({ isWhole: false });
  const next = host();
  await run(next);
  expect(next.asked.filter((each) => each.includes('.onnx'))).toEqual(['onnx/model.onnx bytes=20000-']);
  expect(next.asked).not.toContain('config.json');
  expect(await bytesOf('onnx/model.onnx')).toEqual(WEIGHTS);
});

test('a person who pauses loses nothing that was written', async () => {
  const pause = new AbortController();
  const given = host();
  const stops: typeof fetch = async (input, init) => {
    if (String(input).endsWith('.onnx')) pause.abort();
    init?.signal?.throwIfAborted();
    return given.answer(input, init);
  };
  await expect(run({ ...given, answer: stops }, [], pause.signal)).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect((await store.files(WANTED.id)).has('tokenizer.json')).toBe(true);
});

test.for([
  ['knows no ranges', { ranges: false }],
  [
    'has another version meanwhile',
    { files: new Map([...MODEL, ['onnx/model.onnx', WEIGHTS.slice(0, 40_000)]]) },
  ],
] as const)('a file begins anew where the host %s', async ([, options]) => {
  await expect(run(host({ breaksAt: 25_000 }))).rejects.toThrow();
  await run(host(options));
  expect(await bytesOf('onnx/model.onnx')).toEqual('files' in options ? WEIGHTS.slice(0, 40_000) : WEIGHTS);
});

test('a file begins anew where the host has another version of the same size', async () => {
  await expect(run(host({ breaksAt: 25_000, etag: '"one"' }))).rejects.toThrow();
  const other = WEIGHTS.map((byte) => 255 - byte);
  await run(host({ files: new Map([...MODEL, ['onnx/model.onnx', other]]), etag: '"two"' }));
  expect(await bytesOf('onnx/model.onnx')).toEqual(other);
});

test('a version that is the same is gone on with', async () => {
  await expect(run(host({ breaksAt: 25_000, etag: '"one"' }))).rejects.toThrow();
  const next = host({ etag: '"one"' });
  await run(next);
  expect(next.asked.filter((each) => each.includes('.onnx'))).toEqual(['onnx/model.onnx bytes=20000-']);
  expect(await bytesOf('onnx/model.onnx')).toEqual(WEIGHTS);
});

test.for([429, 503])('a host that answers %i loses nothing that was written', async (status) => {
  await expect(run(host({ breaksAt: 25_000 }))).rejects.toThrow();
  const busy = host();
  const answer: typeof fetch = (input, init) =>
    String(input).endsWith('.onnx')
      ? Promise.resolve(new Response('later', { status }))
      : busy.answer(input, init);
  await expect(run({ ...busy, answer })).rejects.toThrow(`${status}`);
  expect(await store.partial(WANTED.id, 'onnx/model.onnx')).toMatchObject({ bytes: 20_000 });
});

test('a connection that breaks is a fault that says what to do', async () => {
  const failure: unknown = await run(host({ breaksAt: 25_000 })).catch((error: unknown) => error);
  expect(failure instanceof FaultError && failure.fault).toMatchObject({
    code: 'unreachable',
    next: expect.stringContaining('go on'),
  });
});

test('a download that cannot be stored ends its request', async () => {
  const full = new (class extends ModelStore {
    override add(): Promise<void> {
      return Promise.reject(new DOMException('Full', 'QuotaExceededError'));
    }
  })(caches, SCOPE);
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(10_000)),
    cancel: () => void (isCancelled = true),
  });
  const deps = { store: full, fetch: async () => new Response(body), hub: 'https://hub.example' };
  await expect(
    download({ ...deps, pieceBytes: 10_000 }, WANTED, () => undefined, never),
  ).rejects.toMatchObject({ name: 'QuotaExceededError' });
  expect(isCancelled).toBe(true);
});

test('pieces of an older version that could not all be removed do not become the end of the next', async () => {
  const add = (piece: number) =>
    store.add(WANTED.id, 'a', piece, new Blob([`${piece}`]), { total: 3, etag: null });
  for (const piece of [0, 1, 2]) await add(piece);
  let left = 1;
  const open = async (name: string) => {
    const cache = await caches.open(name);
    const remove = async (key: RequestInfo | URL) => {
      if (left-- === 0) throw new Error('The tab is gone.');
      return cache.delete(key);
    };
    return {
      match: (key: RequestInfo | URL) => cache.match(key),
      put: (key: RequestInfo | URL, response: Response) => cache.put(key, response),
      keys: () => cache.keys(),
      delete: remove,
    };
  };
  const keys = () => caches.keys();
  const has = (name: string) => caches.has(name);
  const ending = new ModelStore({ keys, has, open, delete: (name) => caches.delete(name) }, SCOPE);
  await expect(ending.drop(WANTED.id, 'a')).rejects.toThrow('The tab is gone.');
  await store.drop(WANTED.id, 'a');
  await add(0);
  expect(await (await store.files(WANTED.id)).get('a')?.text()).toBe('0');
});

test('a host that does not tell sizes is believed when it ends', async () => {
  const seen: Progress[] = [];
  await run(host({ sizes: false }), seen);
  expect(seen.every(({ total }) => total === null)).toBe(true);
  expect(await bytesOf('onnx/model.onnx')).toEqual(WEIGHTS);
});

test('a model that is not there is a fault that names its file', async () => {
  const failure: unknown = await run(host({ files: new Map() })).catch((error: unknown) => error);
  expect(failure instanceof FaultError && failure.fault).toMatchObject({
    code: 'model-refused',
    what: 'hub.example answered 404 for /lab/tiny/resolve/main/config.json.',
  });
});

test('what is removed is gone, and nothing else', async () => {
  await run(host());
  await store.describe({ ...WANTED, id: 'own/other', isWhole: true });
  await store.remove(WANTED.id);
  expect((await store.list()).map(({ id }) => id)).toEqual(['own/other']);
});
