import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { fileUrl } from './files.ts';

test.each([
  '/usr/lib/node_modules/npm/lib/cli.js',
  '/home/project/node_modules/@scope/a+b-1.2.3/index.mjs',
  '/a/..b/...',
  '/a/../b',
  '/a/./b',
  '/a/..',
  '/a/',
  '/a b/ä.js',
  '/100%/a?b#c',
])('the URL of %s is that of node', (path) => {
  expect(fileUrl(path)).toBe(pathToFileURL(path).href);
});
