import { describe, expect, test } from 'vitest';
import { commonJs, requiredBy } from './common-js.ts';

type Run = (...given: unknown[]) => Promise<void>;

/** Runs modules as the host does, each after those that it requires. */
async function run(modules: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  const loaded = new Map<string, { exports: Record<string, unknown> }>();
  const require = (name: string) => {
    const module = loaded.get(name);
    if (!module) throw new Error(`no ${name}`);
    return module.exports;
  };
  let last: Record<string, unknown> = {};
  for (const [name, source] of Object.entries(modules)) {
    const module = { exports: {} as Record<string, unknown> };
    loaded.set(name, module);
    const code = commonJs(`/${name}.ts`, source);
    const made = (0, eval)(`(async function (exports, require, module, __meta) { ${code}\n})`) as Run;
    await made(module.exports, require, module, { url: 'file:///x' });
    last = module.exports;
  }
  return last;
}

describe('imports', () => {
  test('of CommonJS: the default is the whole module, names are its properties', async () => {
    const made = await run({
      plain: 'module.exports = { a: 1, get b() { return 2 } }',
      m: `import all, { a, b as c } from 'plain'; import * as space from 'plain';
          export const seen = [all.a, a, c, space.a, Object.keys(space)];`,
    });
    expect(made.seen).toEqual([1, 1, 2, 1, ['a', 'b', 'default']]);
  });

  test('of a function that is the whole module can be called', async () => {
    const made = await run({
      plain: 'module.exports = (x) => x + 1; module.exports.more = 2;',
      m: `import inc, { more } from 'plain'; export default inc(more);`,
    });
    expect(made.default).toBe(3);
  });

  test('are live, also those that are exported again', async () => {
    const made = await run({
      counter: 'export let n = 0; export const next = () => ++n; export default class Named {}',
      again: `export * from 'counter'; export { n as count, default as Made } from 'counter'; export * as all from 'counter'`,
      m: `import { n, next, count, Made, all } from 'again'; next();
          export const seen = [n, count, all.n, Made.name];`,
    });
    expect(made.seen).toEqual([1, 1, 1, 'Named']);
  });

  test('by call, and the address of the module', async () => {
    const made = await run({
      other: 'export const a = 1',
      m: `export const a = (await import('other')).a; export const url = import.meta.url;`,
    });
    expect([made.a, made.url]).toEqual([1, 'file:///x']);
  });

  test('of types are left out, and so are exports of them', async () => {
    const made = await run({
      m: `import { Gone } from 'nowhere'; import type { Too } from 'nowhere';
          interface Local { x: Gone; y: Too }
          const x: Local | null = null;
          export { x, Local };`,
    });
    expect(Object.entries(made)).toEqual([['x', null]]);
  });
});

test('enums, parameter properties and assertions become JavaScript', async () => {
  const made = await run({
    m: `export enum Level { Low = 1, High }
        class Point { constructor(readonly x: number, public y = 2) {} }
        export const seen = [Level.High, Level[1], { ...new Point(1) } as object, [1]!];`,
  });
  expect(made.seen).toEqual([2, 'Low', { x: 1, y: 2 }, [1]]);
});

test('a default function without a name can be used before its statement', async () => {
  expect(await run({ m: 'export default function () { return 1 }' })).toHaveProperty(
    'default.name',
    'default',
  );
});

test('a script stays as it is, but for being strict', () => {
  expect(commonJs('/a.js', 'module.exports = require("x")')).toBe(
    '"use strict";module.exports = require("x")',
  );
  expect(commonJs('/a.cjs', '#!/usr/bin/env node\nreturn 1')).toBe('"use strict";\nreturn 1');
});

test('every line keeps its number', () => {
  const source = `import {\n  a,\n  b\n} from 'x';\ntype T = {\n  x: 1\n};\nthrow a(b as T);`;
  expect(commonJs('/a.ts', source).split('\n')).toHaveLength(source.split('\n').length);
});

test('the modules that code needs are named, also those of an import by call', () => {
  const code = commonJs(
    '/a.mjs',
    `import 'a'; export * from './b'; const c = () => import("./c"); require('d')`,
  );
  expect([...requiredBy(code)]).toEqual(['a', './b', './c', 'd']);
});

test('an error says where it is', () => {
  expect(() => commonJs('/a.ts', 'const a = 1;\nexport default {')).toThrow('Unexpected syntax in line 2: ');
  expect(() => commonJs('/a.js', 'export default {')).toThrow('Unexpected token (1:16)');
});
