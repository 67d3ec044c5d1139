import { readdirSync, readFileSync } from 'node:fs';
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
  expect(headersFor('/icons/vitrine.svg')).toEqual(rules['/*']);
});

test('other sites may frame what is made to be embedded, without an origin, and no other document of the app', () => {
  const pages = [...readdirSync(new URL('../public', import.meta.url)), 'index.html'].filter((name) =>
    name.endsWith('.html'),
  );
  expect(pages.length).toBeGreaterThan(3);
  for (const name of pages)
    // Some hosts serve a document without the ending of its name.
    for (const path of [
      `/${name}`,
      `/sub/path/${name}`,
      `/${name === 'index.html' ? '' : name.slice(0, -5)}`,
    ])
      expect(headersFor(path)['Content-Security-Policy'], path).toBe("frame-ancestors 'self'");
  for (const path of ['/embed.html', '/embed', '/sub/path/embed.html?recording=x']) {
    const policy = headersFor(path)['Content-Security-Policy'];
    expect(policy).toMatch(/^sandbox allow-scripts /);
    expect(policy).not.toMatch(/frame-ancestors|allow-same-origin/);
  }
});

test('learning platforms may frame the page that they launch, or open it and see when it is closed', () => {
  for (const path of ['/cmi5.html', '/cmi5', '/sub/path/cmi5.html?lesson=x&endpoint=y']) {
    expect(headersFor(path)).not.toHaveProperty('Content-Security-Policy');
    expect(headersFor(path)).toMatchObject({ 'Cross-Origin-Opener-Policy': 'unsafe-none' });
  }
});

test('no header of one rule weakens that of another where a host joins both', () => {
  const every = Object.keys(rules['/*']);
  const twice = Object.entries(rules).flatMap(([path, headers]) =>
    path === '/*'
      ? []
      : Object.keys(headers).flatMap((name) => (every.includes(name) ? [`${path} ${name}`] : [])),
  );
  // Joined, these are no valid value, which browsers treat as the weaker one. Only opening these pages by themselves needs it.
  expect(twice).toEqual(
    ['/embed.html', '/embed', '/cmi5.html', '/cmi5'].map((path) => `${path} Cross-Origin-Opener-Policy`),
  );
});

test('a frame without an origin may read the recordings and lessons of the site', () => {
  for (const path of ['/examples/demo.vitrine.json', '/sub/embedded-lessons/the-loop.json'])
    expect(headersFor(path)).toEqual({ ...rules['/*'], 'Access-Control-Allow-Origin': '*' });
});

test('browsers ask for the page and its service worker each time', () => {
  for (const path of ['/', '/index.html', '/sw.js', '/sub/path/?a=b', '/sub/path/sw.js', '/embed.html'])
    expect(headersFor(path)).toMatchObject({
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': expect.any(String),
    });
  expect(headersFor('/sub/sw.js')).toMatchObject(rules['/sw.js']);
});
