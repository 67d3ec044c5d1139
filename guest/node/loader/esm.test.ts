import { expect, test } from 'vitest';
import { errorOf, testLoader } from '../../../test/support/loader.ts';

/** A global that the modules of a test write to, in the order in which they run. */
function steps(): string[] {
  const list: string[] = [];
  Reflect.set(globalThis, '__steps', list);
  return list;
}

test('modules run once each, after what they import', async () => {
  const list = steps();
  const { import: load } = testLoader({
    '/app/main.mjs': `import './a.mjs'; import './b.mjs'; __steps.push('main');`,
    '/app/a.mjs': `import './c.mjs'; __steps.push('a');`,
    '/app/b.mjs': `import './c.mjs'; __steps.push('b');`,
    '/app/c.mjs': `__steps.push('c');`,
  });
  await load('/app/main.mjs');
  expect(list).toEqual(['c', 'a', 'b', 'main']);
});

test('an import follows later changes of what it names', async () => {
  const { import: load } = testLoader({
    '/app/main.mjs': `import { n, add } from './counter.mjs'; add(); add(); export const seen = n;`,
    '/app/counter.mjs': `export let n = 0; export function add() { n++; }`,
  });
  expect(await load('/app/main.mjs')).toEqual({ seen: 2 });
});

test('nothing can be assigned to an import or to a namespace', async () => {
  const { import: load } = testLoader({
    '/app/main.mjs': `import { n } from './a.mjs'; import * as all from './a.mjs';
      const tried = (run) => { try { run(); } catch (error) { return error.constructor.name; } };
      export const results = [tried(() => { n = 2; }), tried(() => { all.n = 2; }), tried(() => { all.m = 2; }), n];`,
    '/app/a.mjs': `export let n = 1;`,
  });
  expect(await load('/app/main.mjs')).toEqual({ results: ['TypeError', 'TypeError', 'TypeError', 1] });
});

test('modules in a circle see each other: functions at once, constants once they have run', async () => {
  const { import: load } = testLoader({
    '/app/main.mjs': `export { early, isDead } from './a.mjs'; export { later } from './b.mjs';`,
    '/app/a.mjs': `import { fromB } from './b.mjs'; export const own = 1; export function hoisted() { return 'up'; }
      export const early = fromB; export { isDead } from './b.mjs';`,
    '/app/b.mjs': `import { own, hoisted } from './a.mjs'; export const fromB = hoisted();
      export let isDead; try { own; } catch (error) { isDead = error.name; } export const later = () => own;`,
  });
  const { early, isDead, later } = await load('/app/main.mjs');
  expect({ early, isDead }).toEqual({ early: 'up', isDead: 'ReferenceError' });
  expect((later as () => unknown)()).toBe(1);
});

test('names of star exports are joined; one that two modules export is left out', async () => {
  const { import: load } = testLoader({
    '/app/main.mjs': `export * from './a.mjs'; export * from './b.mjs'; export const own = 0; export * as all from './a.mjs';`,
    '/app/a.mjs': `export const a = 1, both = 'a', own = 'hidden'; export default 1;`,
    '/app/b.mjs': `export const b = 2, both = 'b';`,
  });
  const namespace = await load('/app/main.mjs');
  expect(Object.keys(namespace)).toEqual(['a', 'all', 'b', 'own']);
  expect(namespace).toMatchObject({ a: 1, b: 2, own: 0, all: { a: 1, default: 1 } });
});

test('star exports in a circle end', async () => {
  const { import: load } = testLoader({
    '/app/main.mjs': `export * from './b.mjs'; export const a = 1;`,
    '/app/b.mjs': `export * from './main.mjs'; export const b = 2;`,
  });
  expect(await load('/app/main.mjs')).toEqual({ a: 1, b: 2 });
});

test.for([
  [`import { x } from './a.mjs';`, `The requested module './a.mjs' does not provide an export named 'x'`],
  [
    `import { both } from './stars.mjs';`,
    `The requested module './stars.mjs' contains conflicting star exports for name 'both'`,
  ],
  [
    `import { x as y } from './script.cjs';`,
    `Named export 'x' not found. The requested module './script.cjs' is a CommonJS module`,
  ],
] as const)('a missing name is an error before anything runs: %s', async ([source, message]) => {
  const list = steps();
  const { import: load } = testLoader({
    '/app/main.mjs': source,
    '/app/a.mjs': `__steps.push('a'); export const both = 1;`,
    '/app/b.mjs': `export const both = 2;`,
    '/app/stars.mjs': `export * from './a.mjs'; export * from './b.mjs';`,
    '/app/script.cjs': `exports.a = 1;`,
  });
  for (const _ of ['first', 'again']) {
    const error = await errorOf(() => load('/app/main.mjs'));
    expect(error.message).toContain(message);
  }
  expect(list).toEqual([]);
});

test('modules that await run at the same time, and what imports them waits', async () => {
  const list = steps();
  const { import: load } = testLoader({
    '/app/main.mjs': `import './slow.mjs'; import './fast.mjs'; __steps.push('main');`,
    '/app/slow.mjs': `__steps.push('slow starts'); await null; await null; await null; __steps.push('slow ends');`,
    '/app/fast.mjs': `__steps.push('fast starts'); await null; __steps.push('fast ends');`,
  });
  await load('/app/main.mjs');
  expect(list).toEqual(['slow starts', 'fast starts', 'fast ends', 'slow ends', 'main']);
});

test('a top-level await that never settles is reported with its offset', async () => {
  const { esm, import: load } = testLoader({
    '/app/main.mjs': `import './never.mjs';`,
    '/app/never.mjs': `const a = 1; await new Promise(() => {});`,
  });
  void load('/app/main.mjs');
  await new Promise((resolve) => setTimeout(resolve));
  expect(esm.unsettled()).toEqual([{ name: 'file:///app/never.mjs', place: 13 }]);
});

test('a module that failed fails each import with the same error, without running again', async () => {
  const list = steps();
  const { import: load } = testLoader({
    '/app/main.mjs': `const errors = [];
      for (const _ of [1, 2]) await import('./bad.mjs').catch((error) => errors.push(error));
      export const isSame = errors[0] === errors[1], message = errors[0].message;`,
    '/app/bad.mjs': `__steps.push('bad'); throw new Error('no');`,
  });
  expect(await load('/app/main.mjs')).toEqual({ isSame: true, message: 'no' });
  expect(list).toEqual(['bad']);
});

test('import() resolves from its own module, and gives the one namespace of each', async () => {
  const { import: load } = testLoader({
    '/app/main.mjs': `import { load } from './lib/a.mjs'; import * as b from './lib/b.mjs';
      export const isSame = (await load()) === b;`,
    '/app/lib/a.mjs': `export const load = () => import('./b.mjs');`,
    '/app/lib/b.mjs': `export default 1;`,
  });
  expect(await load('/app/main.mjs')).toEqual({ isSame: true });
});

test.for([
  [`import './data.json';`, 'ERR_IMPORT_ATTRIBUTE_MISSING'],
  [`import './a.mjs' with { type: 'json' };`, 'ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE'],
  [`import './a.mjs' with { type: 'css' };`, 'ERR_IMPORT_ATTRIBUTE_UNSUPPORTED'],
  [`import './data.json' with { type: 'json', mode: 'x' };`, 'ERR_IMPORT_ATTRIBUTE_UNSUPPORTED'],
  [`await import('./data.json');`, 'ERR_IMPORT_ATTRIBUTE_MISSING'],
  [`import 'https://example.com/a.mjs';`, 'ERR_UNSUPPORTED_ESM_URL_SCHEME'],
  [`import 'data:text/css,a';`, 'ERR_UNKNOWN_MODULE_FORMAT'],
  [`import './image.png';`, 'ERR_UNKNOWN_FILE_EXTENSION'],
  [`import './missing.mjs';`, 'ERR_MODULE_NOT_FOUND'],
  [`import './lib';`, 'ERR_UNSUPPORTED_DIR_IMPORT'],
  [`import 'node:nothing';`, 'ERR_UNKNOWN_BUILTIN_MODULE'],
] as const)('%s fails with %s', async ([source, code]) => {
  const { import: load } = testLoader({
    '/app/main.mjs': source,
    '/app/data.json': '{}',
    '/app/a.mjs': '',
    '/app/image.png': '',
    '/app/lib/index.js': '',
  });
  expect(await errorOf(() => load('/app/main.mjs'))).toMatchObject({ code });
});

test('JSON, data: URLs, builtins and scripts are modules too', async () => {
  const builtin = { join: () => 'joined', sep: '/' };
  const { import: load } = testLoader(
    {
      '/app/main.mjs': `import json from './data.json' with { type: 'json' };
        import text from 'data:text/javascript,export default "text"';
        import path, { sep } from 'node:path';
        import script, { named } from './script.cjs';
        export { json, text, sep, named }; export const joined = path.join(), wholeNamed = script.named;`,
      '/app/data.json': '{"a":1}',
      '/app/script.cjs': `exports.named = 'n';`,
    },
    { builtins: { path: builtin } },
  );
  expect(await load('/app/main.mjs')).toEqual({
    json: { a: 1 },
    text: 'text',
    sep: '/',
    named: 'n',
    joined: 'joined',
    wholeNamed: 'n',
  });
});

test('members of builtins stay as they were until they are synchronized', async () => {
  const builtin = { value: 1 };
  const { esm, import: load } = testLoader(
    { '/app/main.mjs': `import { value } from 'thing'; export const read = () => value;` },
    { builtins: { thing: builtin } },
  );
  const read = (await load('/app/main.mjs')).read as () => unknown;
  builtin.value = 2;
  expect(read()).toBe(1);
  esm.syncBuiltins();
  expect(read()).toBe(2);
});

test('import.meta tells the file, and resolves names', async () => {
  const { import: load } = testLoader({
    '/app/main.mjs': `const { url, filename, dirname, main, resolve } = import.meta;
      export { url, filename, dirname, main };
      export const near = resolve('./x.mjs'), missing = resolve('./none.mjs'); export { default as inner } from './x.mjs';`,
    '/app/x.mjs': `export default import.meta.main;`,
  });
  expect(await load('/app/main.mjs')).toEqual({
    url: 'file:///app/main.mjs',
    filename: '/app/main.mjs',
    dirname: '/app',
    main: true,
    near: 'file:///app/x.mjs',
    missing: 'file:///app/none.mjs',
    inner: false,
  });
});

test('a .js file is a module by its package or, with a warning, by its syntax', async () => {
  const { import: load, warnings } = testLoader({
    '/app/main.mjs': `import typed from './typed/a.js'; import guessed from './plain/a.js'; export { typed, guessed };`,
    '/app/typed/package.json': '{"type":"module"}',
    '/app/typed/a.js': `export default 1;`,
    '/app/plain/package.json': '{}',
    '/app/plain/a.js': `export default 2;`,
  });
  expect(await load('/app/main.mjs')).toEqual({ typed: 1, guessed: 2 });
  expect(warnings).toEqual(['file:///app/plain/a.js']);
});

test('names of scripts that a module lacks are explained', async () => {
  const { import: load } = testLoader({ '/app/main.mjs': `require('x');` });
  const { message } = await errorOf(() => load('/app/main.mjs'));
  expect(message).toBe('require is not defined in ES module scope, you can use import instead');
});

test('hooks may resolve to another URL and give another text', async () => {
  const { hooks, import: load } = testLoader(
    { '/app/main.mjs': `export { default } from 'virtual:one';` },
    // The loader gives hooks the bytes of a file in a buffer.
    { builtins: { buffer: { Buffer } } },
  );
  hooks.register({
    resolve: (specifier: string, context: object, next: (specifier: string, context: object) => unknown) =>
      specifier === 'virtual:one'
        ? { url: 'virtual:one', format: 'module', shortCircuit: true }
        : next(specifier, context),
    load: (url: string, context: object, next: (url: string, context: object) => unknown) =>
      url === 'virtual:one'
        ? { format: 'module', source: 'export default "virtual"', shortCircuit: true }
        : next(url, context),
  });
  expect(await load('/app/main.mjs')).toEqual({ default: 'virtual' });
});
