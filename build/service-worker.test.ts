import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { noteGuestScript } from './offline-parts.ts';
import { buildOf } from './service-worker.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

function site(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-site-'));
  folders.push(folder);
  mkdirSync(join(folder, 'assets'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}
const FILES = {
  'index.html': 'page',
  'sandbox.html': 'frame',
  'licences.txt': 'texts',
  'assets/shell-1.js': 'shell',
  'assets/brotli-1.js': 'brotli',
  'assets/engine-1.js': 'engine',
  'assets/ort-wasm-simd-threaded-1.wasm': 'runtime',
};

test('a build lists what pages are served, with sizes and when it is downloaded', () => {
  noteGuestScript('assets/shell-1.js', 'guest/shell/main.ts');
  noteGuestScript('assets/brotli-1.js', 'guest/node/builtins/zlib/brotli/main.ts');
  noteGuestScript('assets/engine-1.js', 'guest/engine/main.ts');
  const others = { 'sw.js': '', _headers: '', 'index.html.gz': '' };
  expect(buildOf(site({ ...FILES, ...others })).files).toEqual([
    { path: 'assets/brotli-1.js', bytes: 6, part: 'later' },
    { path: 'assets/engine-1.js', bytes: 6, part: 'asked' },
    { path: 'assets/ort-wasm-simd-threaded-1.wasm', bytes: 7, part: 'asked' },
    { path: 'assets/shell-1.js', bytes: 5, part: 'core' },
    { path: '', bytes: 4, part: 'start' },
    { path: 'licences.txt', bytes: 5, part: 'later' },
    { path: 'sandbox.html', bytes: 5, part: 'start' },
  ]);
});

test('a build has another id as soon as one file differs, and the same one otherwise', () => {
  const { id } = buildOf(site(FILES));
  expect(buildOf(site(FILES)).id).toBe(id);
  expect(buildOf(site({ ...FILES, 'sandbox.html': 'Frame' })).id).not.toBe(id);
  expect(id).toMatch(/^[0-9a-f]{16}$/);
});
