import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { embedFiles } from './embed-site.ts';

/** The limit for what a page loads to show a recording, without the recording, in gzipped bytes. */
const LIMIT = 60_000;

test('what other sites load is within its limit, and its page names the files', async () => {
  const files = await embedFiles(fileURLToPath(new URL('..', import.meta.url)));
  const loaded = Object.entries(files).filter(([name]) => !name.startsWith('embedded-lessons/'));
  const sizes = loaded.map(([name, text]) => [name, gzipSync(text, { level: 9 }).length]);
  const total = sizes.reduce((sum, [, bytes]) => sum + Number(bytes), 0);
  expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(LIMIT);
  expect(Object.keys(files)).toContain('embedded-lessons/the-loop.md');
  const names = Object.keys(files).filter((name) => name.startsWith('assets/'));
  expect(names.map((name) => name.replace(/-[\w-]{8}\./, '.')).sort()).toEqual([
    'assets/embed.css',
    'assets/embed.js',
  ]);
  for (const name of names) expect(files['embed.html']).toContain(`"./${name}"`);
}, 60_000);
