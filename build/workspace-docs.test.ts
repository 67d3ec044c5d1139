import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { workspaceDocs } from './workspace-docs.ts';

test('docs/workspace.md says what the tests of the workspace say; if not: node scripts/workspace-docs.mjs', () => {
  expect(readFileSync(new URL('../docs/workspace.md', import.meta.url), 'utf8')).toBe(workspaceDocs());
});
