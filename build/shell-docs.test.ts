import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shellDocs } from './shell-docs.ts';

const file = new URL('../docs/shell.md', import.meta.url);

test('docs/shell.md says what the commands and their suites say; if not: node scripts/shell-docs.mjs', () => {
  if (process.env['SHELL_DOCS'] === 'write') writeFileSync(file, shellDocs());
  expect(readFileSync(file, 'utf8')).toBe(shellDocs());
});
