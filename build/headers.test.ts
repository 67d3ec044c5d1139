import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { headersFor } from '../scripts/headers.mjs';
import rules from './headers.json' with { type: 'json' };

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

test('the header file for Netlify and Cloudflare sets what our own server sets', () => {
  const lines = Object.entries(rules).flatMap(([path, headers]) => [
    path,
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
  ]);
  expect(read('public/_headers')).toBe([...lines, ''].join('\n'));
});

test('the header file for Vercel sets what our own server sets', () => {
  expect(JSON.parse(read('vercel.json')).headers).toEqual(
    Object.entries(rules).map(([path, headers]) => ({
      source: path.replace('*', '(.*)'),
      headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
    })),
  );
});

test('what workers are made of has a policy of its own, on top of the headers of every file', () => {
  const policy = rules['/assets/*']['Content-Security-Policy'];
  expect(headersFor('/assets/worker-1.js')).toEqual({ ...rules['/*'], 'Content-Security-Policy': policy });
  expect(headersFor('/sub/path/assets/worker-1.js')['Content-Security-Policy']).toBe(policy);
  for (const path of ['/sandbox.html', '/icons/vitrine.svg']) expect(headersFor(path)).toEqual(rules['/*']);
});

test('browsers ask for the page and its service worker each time', () => {
  for (const path of ['/', '/index.html', '/sw.js', '/sub/path/?a=b', '/sub/path/sw.js'])
    expect(headersFor(path)).toMatchObject({
      ...rules['/*'],
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': expect.any(String),
    });
  expect(headersFor('/sub/sw.js')).toMatchObject(rules['/sw.js']);
});
