import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import type { Answered } from './answered.ts';
import { withFirstElement } from './first-script.ts';
import { ownLocation, previewPolicy, responseHeaders } from './response-headers.ts';
import { answerFromFolder } from './static-site.ts';

const text = (answered: Answered) => new Response(answered.body).text();

test('a folder is served as a static site, without what is hidden', async () => {
  const { files } = new MemoryWorkspace();
  const write = (path: string, content: string) => files.write(path, new TextEncoder().encode(content));
  await write('/home/project/site/index.html', '<h1>Home</h1>');
  await write('/home/project/site/a b/index.html', 'inner');
  await write('/home/project/site/app.js', 'code');
  await write('/home/project/site/.env', 'KEY=1');
  await write('/home/project/site/secret.txt', 'hidden');
  await write('/home/project/outside.txt', 'outside');
  const site = {
    path: '/home/project/site',
    files,
    isVisible: async (path: string) => !path.endsWith('secret.txt'),
  };
  const get = (target: string, method = 'GET') => answerFromFolder(site, method, target);
  expect(await text(await get('/'))).toBe('<h1>Home</h1>');
  expect((await get('/app.js?v=1')).headers).toContainEqual([
    'content-type',
    'text/javascript; charset=utf-8',
  ]);
  expect((await get('/a%20b')).headers).toContainEqual(['location', '/a%20b/']);
  expect(await text(await get('/a%20b/'))).toBe('inner');
  for (const hidden of [
    '/.env',
    '/secret.txt',
    '/..%2foutside.txt',
    '/../outside.txt',
    '/%2e%2e/outside.txt',
    '/none',
  ])
    expect([404, 400]).toContain((await get(hidden)).status);
  expect((await get('/', 'POST')).status).toBe(405);
});

test.each([
  ['<!doctype html><p>', '<!doctype html>+<p>'],
  ['\n <!-- a -->\n<!DOCTYPE html PUBLIC "x">\n<html>', '\n <!-- a -->\n<!DOCTYPE html PUBLIC "x">+\n<html>'],
  ['<p>no doctype', '+<p>no doctype'],
  ['', '+'],
  ['<!doctype html>ä', '<!doctype html>+ä'],
])('the first element of %j', async (page, expected) => {
  const bytes = new TextEncoder().encode(page);
  for (const size of [1, 7, 100]) {
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    expect(await new Response(withFirstElement(stream, '+')).text()).toBe(expected);
  }
});

test('headers that would keep a page out, or outlast it, are left out, and the policy is added', () => {
  const headers = responseHeaders(
    [
      ['content-type', 'text/html'],
      ['x-frame-options', 'DENY'],
      ['set-cookie', 'a=1'],
      ['content-security-policy', "default-src 'self'; frame-ancestors 'none'; upgrade-insecure-requests"],
      ['location', 'http://localhost:3000/next?x#y'],
    ],
    3000,
    'own policy',
  );
  expect(headers).toEqual([
    ['content-type', 'text/html'],
    ['content-security-policy', "default-src 'self'"],
    ['location', '/next?x#y'],
    ['content-security-policy', 'own policy'],
    ['cross-origin-embedder-policy', 'credentialless'],
    ['cross-origin-resource-policy', 'cross-origin'],
  ]);
});

test('a redirect stays within the workspace, as far as its servers are meant', () => {
  expect(ownLocation('/next', 3000)).toBe('/next');
  expect(ownLocation('http://127.0.0.1:3000/', 3000)).toBe('/');
  expect(ownLocation('http://localhost:4000/x', 3000)).toBe('/__vitrine__/port/4000/x');
  expect(ownLocation('https://example.com/', 3000)).toBe('https://example.com/');
});

test('a page reaches its own origin, and hosts that are named', () => {
  expect(previewPolicy("'none'")).toContain("default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval';");
  expect(previewPolicy('https://a.example')).toContain("'unsafe-eval' https://a.example;");
  expect(previewPolicy('https://a.example')).toContain("form-action 'self'");
});
