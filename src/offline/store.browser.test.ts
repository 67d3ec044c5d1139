import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildMark, cacheName, type BuildFile, type Part } from './build.ts';
import { Store } from './store.ts';

const SCOPE = `${location.origin}/test-of-store/`;
const headers = { every: {}, assets: {} };
const file = (path: string, part: Part, bytes = 10): BuildFile => ({ path, part, bytes });
const FILES = [
  file('', 'start'),
  file('sandbox.html', 'start'),
  file('assets/shell-1.js', 'core'),
  file('assets/page-a.js', 'core'),
  file('assets/rare-1.js', 'later', 1000),
];

const OTHER = cacheName('/test-of-store-next/', 'b');
const remove = async () => {
  for (const name of await caches.keys()) if (name.includes('/test-of-store')) await caches.delete(name);
};
beforeEach(remove);
afterEach(remove);

/** The store of one build, on a host that has these files. */
function storeOf(id: string, files: readonly BuildFile[], answers: Record<string, () => Response> = {}) {
  const asked: string[] = [];
  const store = new Store({
    build: { id, files, headers },
    scope: SCOPE,
    caches,
    fetch: async (url) => {
      const path = url.slice(SCOPE.length);
      asked.push(path);
      if (answers[path]) return answers[path]();
      if (path === '')
        return new Response(`<meta ${buildMark(id)} />`, { headers: { 'Content-Type': 'text/html' } });
      return new Response(`${path} of ${id}`, { headers: { Vary: '*' } });
    },
  });
  return { store, asked };
}
const text = async (response: Promise<Response | undefined>) => (await response)?.text();

test('a build is there once its files are, and says how much that is', async () => {
  const { store } = storeOf('a', FILES);
  expect(await store.kept()).toEqual({ build: 'a', bytes: 0, ofBytes: 1040, works: false });
  const seen: number[] = [];
  await store.download(['start', 'core'], ({ bytes }) => seen.push(bytes));
  expect(seen).toEqual([10, 20, 30, 40]);
  expect(await store.kept()).toMatchObject({ bytes: 40, works: true });
  await store.download(['later']);
  expect(await store.kept()).toMatchObject({ bytes: 1040, works: true });
});

test('what has to be asked for is kept once it is used, and counts nowhere', async () => {
  const { store, asked } = storeOf('a', [...FILES, file('assets/models-1.wasm', 'asked', 9999)]);
  await store.download(['start', 'core', 'later']);
  expect(await store.kept()).toEqual({ build: 'a', bytes: 1040, ofBytes: 1040, works: true });
  expect(asked).not.toContain('assets/models-1.wasm');
  await store.keep('assets/models-1.wasm', new Response('models'));
  expect(await text(store.asset('assets/models-1.wasm'))).toBe('models');
  expect(await store.kept()).toMatchObject({ bytes: 1040, ofBytes: 1040 });
});

test('each build has its own files, and takes from older ones the scripts that are the same', async () => {
  const a = storeOf('a', FILES);
  await a.store.download(['start', 'core']);
  const b = storeOf('b', [
    ...FILES.filter(({ path }) => path !== 'assets/page-a.js'),
    file('assets/page-b.js', 'core'),
  ]);
  await b.store.download(['start', 'core']);
  expect(b.asked.sort()).toEqual(['', 'assets/page-b.js', 'sandbox.html']);
  expect(await text(b.store.asset('assets/shell-1.js'))).toBe('assets/shell-1.js of a');
  expect(await text(b.store.file('sandbox.html'))).toBe('sandbox.html of b');
  // A page of the old build asks the worker of the new one.
  expect(await text(b.store.file('sandbox.html', 'a'))).toBe('sandbox.html of a');
  expect(await text(b.store.asset('assets/page-a.js'))).toBe('assets/page-a.js of a');
  expect(await b.store.file('sandbox.html', 'unknown')).toBeUndefined();
  expect((await caches.keys()).filter((name) => name.includes('unknown'))).toEqual([]);
});

test('only builds that nobody uses are removed, and nothing of another app', async () => {
  for (const id of ['a', 'b', 'c']) await storeOf(id, FILES).store.download(['start']);
  await caches.open(OTHER);
  await storeOf('c', FILES).store.clean(new Set(['b']));
  const left = (await caches.keys()).filter((name) => name.includes('/test-of-store'));
  expect(left.sort()).toEqual([OTHER, ...['b', 'c'].map((id) => cacheName('/test-of-store/', id))].sort());
});

test.each<[string, string, () => Response]>([
  ['is missing', 'assets/page-a.js', () => new Response('', { status: 404 })],
  [
    'is answered with the start page',
    'assets/page-a.js',
    () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }),
  ],
  ['is the page of another build', '', () => new Response(`<meta ${buildMark('newer')} />`)],
])('a file that %s ends the download, and is not kept', async (_what, path, answer) => {
  const { store } = storeOf('a', FILES, { [path]: answer });
  await expect(store.download(['start', 'core'])).rejects.toThrow(path || 'of another build');
  expect(await store.file(path)).toBeUndefined();
  expect((await store.kept()).works).toBe(false);
});

test('a download goes on where it was left', async () => {
  await storeOf('a', FILES).store.download(['start']);
  const { store, asked } = storeOf('a', FILES);
  await store.download(['start', 'core']);
  expect(asked.sort()).toEqual(['assets/page-a.js', 'assets/shell-1.js']);
});

test('files that are no part of the build are not kept, nor anything once it was stopped', async () => {
  const { store } = storeOf('a', FILES);
  await store.keep('assets/other-9.js', new Response('x'));
  expect(await store.asset('assets/other-9.js')).toBeUndefined();
  store.stop();
  await store.keep('assets/page-a.js', new Response('x'));
  await expect(store.download(['core'])).rejects.toThrow('stopped');
  expect((await store.kept()).bytes).toBe(0);
});
