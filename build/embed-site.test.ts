import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { embedFiles } from './embed-site.ts';

/** The limit for what a page loads to show a recording, without the recording, in gzipped bytes. */
const LIMIT = 60_000;

/** The limit for what a launched page loads besides that. */
const LAUNCHED_LIMIT = 14_000;

const files = await embedFiles(fileURLToPath(new URL('..', import.meta.url)));
const sizes = Object.entries(files)
  .filter(([name]) => !name.startsWith('embedded-lessons/'))
  .map(([name, text]) => [name, gzipSync(text, { level: 9 }).length] as const);
const isLaunched = (name: string) => /^(?:assets\/)?cmi5[.-]/.test(name);

test.each([
  [LIMIT, sizes.filter(([name]) => !isLaunched(name))],
  [LAUNCHED_LIMIT, sizes.filter(([name]) => isLaunched(name))],
])('what other sites load is within its limit of %i bytes', (limit, loaded) => {
  const total = loaded.reduce((sum, [, bytes]) => sum + bytes, 0);
  expect(loaded.length).toBeGreaterThan(2);
  expect(total, JSON.stringify(loaded)).toBeLessThanOrEqual(limit);
});

test('each page names its files', () => {
  expect(Object.keys(files)).toContain('embedded-lessons/the-loop.md');
  expect(files['embedded-lessons/what-a-tool-call-is.de.md']).toContain('title: Was ein Tool-Aufruf ist');
  const names = Object.keys(files).filter((name) => name.startsWith('assets/'));
  expect(names.map((name) => name.replace(/-[\w-]{8}\./, '.')).sort()).toEqual([
    'assets/cmi5.css',
    'assets/cmi5.js',
    'assets/embed.css',
    'assets/embed.js',
  ]);
  for (const name of names)
    expect(files[isLaunched(name) ? 'cmi5.html' : 'embed.html']).toContain(`"./${name}"`);
});
