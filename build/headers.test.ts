import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import headers from './headers.json' with { type: 'json' };

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

test('the header file for Netlify and Cloudflare sets what our own server sets', () => {
  const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`);
  expect(read('public/_headers')).toBe(['/*', ...lines, ''].join('\n'));
});

test('the header file for Vercel sets what our own server sets', () => {
  const [rule] = JSON.parse(read('vercel.json')).headers;
  expect(rule.source).toBe('/(.*)');
  expect(rule.headers).toEqual(Object.entries(headers).map(([key, value]) => ({ key, value })));
});
