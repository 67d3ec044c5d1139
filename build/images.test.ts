import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { NPM_VERSION } from '../guest/shell/commands/npm/script.ts';
import { filesOfImage } from '../src/protocol/images.ts';
import { IMAGES } from './image-list.ts';
import { packedImage } from './images.ts';

const UNREAD = /(?<!licen[cs]e)\.md$|^man\/|^docs\/|\.py$|^node_modules\/undici\//i;

const npm = () => {
  const source = IMAGES.find(({ name }) => name === 'npm');
  if (!source) throw new Error('there is no npm');
  const { facts, packed } = packedImage(source);
  return { facts, packed, files: filesOfImage(gunzipSync(packed)) };
};

test('the image of npm holds its programs and licences, and neither documentation nor a compiler', () => {
  const { facts, packed, files } = npm();
  const paths = files.map(({ path: each }) => each);
  expect(facts).toMatchObject({ name: 'npm', version: NPM_VERSION, bytes: packed.byteLength });
  expect(files.filter(({ isExecutable }) => isExecutable).map((each) => each.path)).toEqual(
    Object.values(facts.bins),
  );
  expect(paths).toContain('LICENSE');
  expect(paths.filter((each) => UNREAD.test(each))).toEqual([]);
  expect(packed.byteLength).toBeLessThan(1_600_000);
});

test('npm runs from its image, and is configured for WebAssembly', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-image-'));
  try {
    for (const { path: file, content } of npm().files) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), content);
    }
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [path.join(folder, 'bin/npm-cli.js'), ...args], {
        encoding: 'utf8',
        cwd: folder,
        env: { HOME: folder, PATH: process.env.PATH ?? '' },
      }).trim();
    expect(run('--version')).toBe(NPM_VERSION);
    expect(run('config', 'get', 'cpu')).toBe('wasm32');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
