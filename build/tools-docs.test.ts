import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toolsDocs } from './tools-docs.ts';

test('docs/tools.md says what the tools say of themselves; if not: node scripts/tools-docs.mjs', async () => {
  expect(readFileSync(new URL('../docs/tools.md', import.meta.url), 'utf8')).toBe(await toolsDocs());
});
