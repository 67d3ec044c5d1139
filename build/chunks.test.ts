import { expect, test } from 'vitest';
import { chunkNames } from './chunks.ts';

const imports: Readonly<Record<string, readonly string[]>> = {
  '/r/index.html': ['/r/src/main.ts'],
  '/r/src/main.ts': ['/r/src/base.ts', '/r/node_modules/zod/index.js'],
  '/r/node_modules/zod/index.js': [],
  '/r/src/base.ts': [],
  '/r/src/first.ts': ['/r/src/base.ts', '/r/src/shared.ts'],
  '/r/src/second.ts': ['/r/src/shared.ts', '/r/src/own.ts'],
  '/r/src/shared.ts': [],
  '/r/src/own.ts': ['/r/src/second.ts'],
  '/r/src/rare.ts': ['/r/src/own.ts'],
};

const graph = {
  getModuleInfo(id: string) {
    const importedIds = imports[id];
    return importedIds ? { importedIds } : null;
  },
};

test('a chunk has what its roots import, without what the page begins with, which is one chunk, and what earlier chunks have', () => {
  const nameOf = chunkNames('/r', [
    { name: 'first', roots: ['first.ts'] },
    { name: 'second', roots: ['second.ts'] },
  ]);
  const named = Object.keys(imports).map((id) => [id.replace('/r/src/', ''), nameOf(id, graph)]);
  expect(Object.fromEntries(named.filter(([, name]) => name !== null))).toEqual({
    'main.ts': 'page',
    'base.ts': 'page',
    'first.ts': 'first',
    'shared.ts': 'first',
    'second.ts': 'second',
    'own.ts': 'second',
  });
});

test('a root that is gone is named', () => {
  const nameOf = chunkNames('/r', [{ name: 'first', roots: ['gone.ts'] }]);
  expect(() => nameOf('/r/src/main.ts', graph)).toThrow('gone.ts');
});

test('a page that is not there is an error, and its modules do not become a chunk', () => {
  const nameOf = chunkNames('/r', [{ name: 'first', roots: ['first.ts'] }]);
  const rest = { getModuleInfo: (id: string) => (id.endsWith('.html') ? null : graph.getModuleInfo(id)) };
  expect(() => nameOf('/r/src/main.ts', rest)).toThrow('index.html');
});
