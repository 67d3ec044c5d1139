import { expect, test } from 'vitest';
import { foldersOf, meaningOf } from './meaning.ts';
import { applies } from './rules.ts';

test.each([
  ['bash', '*', { kind: 'anything' }],
  ['bash', 'npm test *', { kind: 'arguments', command: 'npm test' }],
  ['bash', 'rm -rf x', { kind: 'exactly' }],
  ['bash', 'npm*', { kind: 'matching' }],
  ['edit', '*', { kind: 'anything' }],
  ['edit', 'src/*', { kind: 'folder', folder: 'src' }],
  ['edit', 'src/a.ts', { kind: 'exactly' }],
  ['edit', '*.md', { kind: 'ending', ending: '.md' }],
  ['edit', 'src/*/a?', { kind: 'matching' }],
  ['webfetch', 'https://e.org/*', { kind: 'host', host: 'e.org' }],
  ['webfetch', 'https://e.org/docs/*', { kind: 'matching' }],
] as const)('%s %s means %j', (permission, pattern, meaning) => {
  expect(meaningOf(permission, pattern)).toEqual(meaning);
});

test('the folder of a file is offered and covers the file; the root is not offered', () => {
  expect(foldersOf('edit', ['src/ui/a.ts', 'src/ui/b.ts'])).toEqual(['src/ui/*']);
  const [pattern = ''] = foldersOf('edit', ['src/a.ts']);
  expect(applies({ permission: 'edit', pattern, action: 'allow' }, 'edit', 'src/a.ts')).toBe(true);
  expect(applies({ permission: 'edit', pattern, action: 'allow' }, 'edit', 'srcs/a.ts')).toBe(false);
  expect(foldersOf('edit', ['a.ts'])).toEqual([]);
  expect(foldersOf('edit', ['src/*'])).toEqual([]);
  expect(foldersOf('bash', ['src/a'])).toEqual([]);
});
