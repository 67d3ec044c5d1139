import { expect, test } from 'vitest';
import { routeOf, type RequestFacts } from './routes.ts';

const site = {
  scope: 'https://host.example/apps/vitrine/',
  has: (path: string) => ['sandbox.html', 'icons/vitrine.svg', 'sw.js.map'].includes(path),
};
const read = (url: string, more: Partial<RequestFacts> = {}): RequestFacts => ({
  method: 'GET',
  url: new URL(url, site.scope).href,
  mode: 'cors',
  cache: 'default',
  isRange: false,
  ...more,
});
const opened = (url: string) => read(url, { mode: 'navigate' });

test.each(['', './?automation=1', 'index.html', './#/session/1'])('%s is the page', (url) => {
  expect(routeOf(opened(url), site)).toEqual({ kind: 'page' });
});

test('a script is the same in every build, so nothing but its name counts', () => {
  expect(routeOf(read('assets/old-1a2b.js?x'), site)).toEqual({ kind: 'asset', path: 'assets/old-1a2b.js' });
});

test('any other file is of the build that its address names', () => {
  expect(routeOf(opened('sandbox.html?build=abc'), site)).toEqual({
    kind: 'file',
    path: 'sandbox.html',
    build: 'abc',
  });
  expect(routeOf(read('icons/vitrine.svg'), site)).toMatchObject({ build: undefined });
});

test.each([
  ['a model on another origin', read('https://api.example/v1/chat')],
  ['a model on the same origin', read('/v1/models')],
  ['a model in the same folder', read('v1/models')],
  ['what sends something', read('assets/a.js', { method: 'POST' })],
  ['a part of a file', read('assets/a.js', { isRange: true })],
  ["a request for the server's own answer", read('assets/a.js', { cache: 'no-store' })],
  ['another app of the origin', opened('/apps/other/')],
  ['an app below this one', opened('other/')],
  ['an app whose name begins alike', opened('/apps/vitrine-next/')],
  ['a folder below the scripts', read('assets/deep/a.js')],
  ['the page as text', read('')],
  ['the worker', read('sw.js')],
])('%s is left to the browser', (_what, request) => {
  expect(routeOf(request, site)).toBeUndefined();
});
