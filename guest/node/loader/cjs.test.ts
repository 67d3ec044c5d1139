import { expect, test } from 'vitest';
import { errorOf, testLoader } from '../../../test/support/loader.ts';

test('a module runs once, and each require gives the same exports', () => {
  const { require: load } = testLoader({
    '/app/main.js': `const a = require('./a'), again = require('./a.js'); module.exports = [a === again, a.runs()];`,
    '/app/a.js': `let runs = 0; runs++; exports.runs = () => runs;`,
  });
  expect(load('/app/main.js')).toEqual([true, 1]);
});

test('modules in a circle see the exports so far, with a warning for what is missing', () => {
  const { require: load, warnings } = testLoader({
    '/app/main.js': `exports.early = 1; const b = require('./b'); exports.late = 2; module.exports.b = b;`,
    '/app/b.js': `const main = require('./main'); exports.seen = [main.early, main.late]; exports.main = main;`,
  });
  const main = load('/app/main.js');
  expect(main).toMatchObject({ early: 1, late: 2, b: { seen: [1, undefined] } });
  expect(warnings).toEqual([
    "Accessing non-existent property 'late' of module exports inside circular dependency",
  ]);
  expect(Object.getPrototypeOf(main)).toBe(Object.prototype);
});

test('a module that throws runs again with the next require', () => {
  const { cjs, require: load } = testLoader({
    '/app/main.js': `const tried = () => { try { require('./bad'); } catch (error) { return error.message; } };
      module.exports = [tried(), tried(), Object.keys(require.cache), module.children.length];`,
    '/app/bad.js': `globalThis.__tries = (globalThis.__tries ?? 0) + 1; throw new Error('try ' + __tries);`,
  });
  expect(load('/app/main.js')).toEqual(['try 1', 'try 2', ['/app/main.js'], 0]);
  expect(Object.keys(cjs.Module._cache)).toEqual(['/app/main.js']);
});

test('a program can put its own exports into the cache, or take a module out of it', () => {
  const { require: load } = testLoader({
    '/app/main.js': `const path = require.resolve('./a'); const first = require('./a');
      delete require.cache[path]; const second = require('./a');
      require.cache[path].exports = 'own'; module.exports = [first === second, require('./a')];`,
    '/app/a.js': `module.exports = {};`,
  });
  expect(load('/app/main.js')).toEqual([false, 'own']);
});

test('require.resolve finds files without running them', () => {
  const { require: load } = testLoader(
    {
      '/app/main.js': `module.exports = {
        file: require.resolve('./lib'), builtin: require.resolve('node:path'), main: require.main === module,
        from: require.resolve('./x', { paths: ['/other'] }), near: require.resolve.paths('./x'),
        far: require.resolve.paths('x'), none: require.resolve.paths('path') };`,
      '/app/lib/index.js': `throw new Error('it ran');`,
      '/other/x.json': '{}',
    },
    { builtins: { path: {} } },
  );
  expect(load('/app/main.js')).toEqual({
    file: '/app/lib/index.js',
    builtin: 'node:path',
    main: true,
    from: '/other/x.json',
    near: ['/app'],
    far: ['/app/node_modules', '/node_modules', '/usr/lib/node'],
    none: null,
  });
});

test('a missing file is an error that names who asked', async () => {
  const { require: load } = testLoader({
    '/app/main.js': `require('./a');`,
    '/app/a.js': `require('./none');`,
  });
  const error = await errorOf(() => load('/app/main.js'));
  expect(error).toEqual({
    code: 'MODULE_NOT_FOUND',
    message: `Cannot find module './none'\nRequire stack:\n- /app/a.js\n- /app/main.js`,
  });
});

test('JSON, its error, other extensions and those that a program adds', async () => {
  const { cjs, require: load } = testLoader({
    '/app/main.js': `module.exports = [require('./data'), require('./noext'), require('./a.txt'), require('./b.ext')];`,
    '/app/data.json': '\ufeff{"a":1}',
    '/app/noext': `module.exports = 'script';`,
    '/app/a.txt': `module.exports = 'text';`,
    '/app/b.ext': `anything`,
    '/app/bad.json': '{',
    '/app/addon.node': '',
  });
  cjs.Module._extensions['.ext'] = (module, filename) => (module.exports = `own ${filename}`);
  expect(load('/app/main.js')).toEqual([{ a: 1 }, 'script', 'text', 'own /app/b.ext']);
  expect((await errorOf(() => load('/app/bad.json'))).message).toMatch(/^\/app\/bad\.json: /);
  expect(await errorOf(() => load('/app/addon.node'))).toMatchObject({ code: 'ERR_DLOPEN_FAILED' });
});

test('a program that replaces the wrapper or a step of the loader is heeded', () => {
  const { cjs, require: load } = testLoader({
    '/app/main.js': `module.exports = [typeof added, require('./other')];`,
    '/app/real.js': `module.exports = 'real';`,
  });
  const { Module } = cjs;
  const { _resolveFilename: before } = Module;
  Module.wrapper[0] += 'const added = 1;';
  Module._resolveFilename = (request, ...rest) =>
    request === './other' ? '/app/real.js' : before(request, ...rest);
  expect(load('/app/main.js')).toEqual(['number', 'real']);
});

test('a module is required as its namespace, or as what it exports under module.exports', () => {
  const { require: load } = testLoader({
    '/app/main.js': `const plain = require('./plain.mjs'), marked = require('./marked.mjs');
      module.exports = [{ ...plain }, marked.__esModule, marked.default, require('./own.mjs')];`,
    '/app/plain.mjs': `export const a = 1;`,
    '/app/marked.mjs': `export default 2;`,
    '/app/own.mjs': `export default 1; export { own as 'module.exports' }; const own = 'own';`,
  });
  expect(load('/app/main.js')).toEqual([{ a: 1 }, true, 2, 'own']);
});

test.for([
  [`require('./waits.mjs');`, 'ERR_REQUIRE_ASYNC_MODULE'],
  [`require('./circle.mjs');`, 'ERR_REQUIRE_CYCLE_MODULE'],
  [`require('node:nothing');`, 'ERR_UNKNOWN_BUILTIN_MODULE'],
  [`require('');`, 'ERR_INVALID_ARG_VALUE'],
  [`require(1);`, 'ERR_INVALID_ARG_TYPE'],
  [`require.resolve('./x', { paths: 'x' });`, 'ERR_INVALID_ARG_VALUE'],
] as const)('%s fails with %s', async ([source, code]) => {
  const { require: load } = testLoader({
    '/app/main.js': source,
    '/app/waits.mjs': `await null;`,
    '/app/circle.mjs': `import './main.js';`,
  });
  expect(await errorOf(() => load('/app/main.js'))).toMatchObject({ code });
});

test('where modules cannot be required, the error says what else to do', async () => {
  const { require: load } = testLoader(
    { '/app/main.js': `require('./a.mjs');`, '/app/a.mjs': `export {};` },
    { requiresModules: false },
  );
  const error = await errorOf(() => load('/app/main.js'));
  expect(error.code).toBe('ERR_REQUIRE_ESM');
  expect(error.message).toContain('change the require of /app/a.mjs to a dynamic import()');
});

test('createRequire resolves from a file, a URL or a folder', async () => {
  const { cjs } = testLoader({ '/app/lib/a.js': `module.exports = 'a';` });
  for (const from of ['/app/lib/x.js', 'file:///app/lib/x.js', new URL('file:///app/lib/'), '/app/lib/']) {
    const load = cjs.Module.createRequire(from) as (id: string) => unknown;
    expect(load('./a')).toBe('a');
  }
  expect(await errorOf(() => cjs.Module.createRequire('relative'))).toMatchObject({
    code: 'ERR_INVALID_ARG_VALUE',
  });
});

test('hooks give another file and another text', () => {
  const { hooks, require: load } = testLoader({
    '/app/main.js': `module.exports = [require('./a'), require('virtual')];`,
    '/app/b.js': `module.exports = 'b';`,
  });
  hooks.register({
    resolve: (specifier: string, context: object, next: (specifier: string, context: object) => unknown) =>
      specifier === 'virtual'
        ? { url: 'file:///app/virtual.js', format: 'commonjs', shortCircuit: true }
        : next(specifier === './a' ? './b' : specifier, context),
    load: (url: string, context: object, next: (url: string, context: object) => unknown) =>
      url.endsWith('virtual.js')
        ? { format: 'commonjs', source: `module.exports = 'virtual'`, shortCircuit: true }
        : next(url, context),
  });
  expect(load('/app/main.js')).toEqual(['b', 'virtual']);
});
