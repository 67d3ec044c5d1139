import { expect, test } from 'vitest';
import { errorOf, testLoader } from '../../../test/support/loader.ts';
import { modulePaths } from './resolve.ts';

const FILES = {
  '/app/package.json': JSON.stringify({
    name: 'app',
    exports: { '.': './main.js', './feature': './lib/feature.js' },
    imports: {
      '#own': './lib/own.js',
      '#dep': 'conditions',
      '#by/*': { import: './lib/*.mjs', require: './lib/*.js' },
    },
  }),
  '/app/main.js': '',
  '/app/lib/own.js': '',
  '/app/lib/own.mjs': '',
  '/app/lib/feature.js': '',
  '/app/lib/index.js': '',
  '/app/data.json': '{}',
  '/app/both': '',
  '/app/both.js': '',
  '/app/node_modules/conditions/package.json': JSON.stringify({
    exports: {
      '.': {
        special: './special.js',
        import: './import.mjs',
        require: './require.js',
        default: './default.js',
      },
      './features/*': './features/*.js',
      './features/private/*': null,
      './*.css': './css/*.css',
      './up': './../outside.js',
      './gone': './gone.js',
      './list': ['not:valid', './import.mjs'],
    },
  }),
  '/app/node_modules/conditions/special.js': '',
  '/app/node_modules/conditions/import.mjs': '',
  '/app/node_modules/conditions/require.js': '',
  '/app/node_modules/conditions/features/a.js': '',
  '/app/node_modules/conditions/features/private/b.js': '',
  '/app/node_modules/conditions/css/x.css': '',
  '/app/node_modules/main-only/package.json': '{"main":"lib"}',
  '/app/node_modules/main-only/lib.js': '',
  '/app/node_modules/plain/index.js': '',
  '/app/node_modules/mixed/package.json': '{"exports":{".":"./a.js","import":"./b.js"}}',
  '/app/node_modules/bad-main/package.json': '{"main":"none.js"}',
  '/node_modules/above/index.json': '{}',
} as const;

const IN = '/app/node_modules';

test.for([
  ['./main', '/app/main.js'],
  ['./data', '/app/data.json'],
  ['./both', '/app/both'],
  ['./lib', '/app/lib/index.js'],
  ['./lib/', '/app/lib/index.js'],
  ['.', undefined],
  ['./none', undefined],
  ['/app/lib/own.js', '/app/lib/own.js'],
  ['conditions', `${IN}/conditions/require.js`],
  ['conditions/features/a', `${IN}/conditions/features/a.js`],
  ['conditions/x.css', `${IN}/conditions/css/x.css`],
  ['conditions/list', `${IN}/conditions/import.mjs`],
  ['main-only', `${IN}/main-only/lib.js`],
  ['plain', `${IN}/plain/index.js`],
  ['above', '/node_modules/above/index.json'],
  ['app', '/app/main.js'],
  ['app/feature', '/app/lib/feature.js'],
  ['#own', '/app/lib/own.js'],
  ['#dep', `${IN}/conditions/require.js`],
  ['#by/own', '/app/lib/own.js'],
  ['unknown', undefined],
] as const)('require(%j) finds %s', ([request, found]) => {
  const { resolver } = testLoader(FILES);
  expect(
    resolver.require(request, '/app', modulePaths('/app'), ['.js', '.json', '.node'], '/app/main.js'),
  ).toBe(found);
});

test.for([
  ['conditions/features/private/b', 'ERR_PACKAGE_PATH_NOT_EXPORTED'],
  ['conditions/unknown', 'ERR_PACKAGE_PATH_NOT_EXPORTED'],
  ['conditions/up', 'ERR_INVALID_PACKAGE_TARGET'],
  ['conditions/gone', 'MODULE_NOT_FOUND'],
  ['mixed', 'ERR_INVALID_PACKAGE_CONFIG'],
  ['bad-main', 'MODULE_NOT_FOUND'],
  ['#unknown', 'ERR_PACKAGE_IMPORT_NOT_DEFINED'],
] as const)('require(%j) fails with %s', async ([request, code]) => {
  const { resolver } = testLoader(FILES);
  const find = () => resolver.require(request, '/app', modulePaths('/app'), ['.js'], '/app/main.js');
  expect(await errorOf(find)).toMatchObject({ code });
});

test.for([
  ['./main.js', '/app/main.js'],
  ['./main.js?x=1#y', '/app/main.js?x=1#y'],
  ['file:///app/main.js', '/app/main.js'],
  ['conditions', `${IN}/conditions/import.mjs`],
  ['main-only', `${IN}/main-only/lib.js`],
  ['app/feature', '/app/lib/feature.js'],
  ['#own', '/app/lib/own.js'],
  ['#dep', `${IN}/conditions/import.mjs`],
  ['#by/own', '/app/lib/own.mjs'],
  ['plain/index.js', `${IN}/plain/index.js`],
] as const)('import %j finds %s', ([specifier, expected]) => {
  const { resolver } = testLoader(FILES);
  const found = resolver.import(specifier, 'file:///app/main.mjs');
  expect(found.kind === 'file' ? found.path + (found.suffix ?? '') : found).toBe(expected);
});

test.for([
  ['./main', 'ERR_MODULE_NOT_FOUND', 'Did you mean to import "./main.js"?'],
  ['./lib', 'ERR_UNSUPPORTED_DIR_IMPORT', 'Did you mean to import "./lib/index.js"?'],
  ['plain/index', 'ERR_MODULE_NOT_FOUND', 'Did you mean to import "plain/index.js"?'],
  ['unknown', 'ERR_MODULE_NOT_FOUND', `Cannot find package 'unknown' imported from /app/main.mjs`],
  ['./a%2fb.js', 'ERR_INVALID_MODULE_SPECIFIER', 'must not include encoded'],
  ['.hidden/x', 'ERR_INVALID_MODULE_SPECIFIER', 'is not a valid package name'],
  ['#', 'ERR_INVALID_MODULE_SPECIFIER', 'is not a valid internal imports specifier'],
  ['#unknown', 'ERR_PACKAGE_IMPORT_NOT_DEFINED', 'is not defined in package /app/package.json'],
  ['node:unknown', 'ERR_UNKNOWN_BUILTIN_MODULE', 'No such built-in module: node:unknown'],
  [
    'node:sqlite',
    'ERR_UNKNOWN_BUILTIN_MODULE',
    'No such built-in module: node:sqlite. It is not available in this workspace: it is native code',
  ],
] as const)('import %j fails with %s', async ([specifier, code, text]) => {
  const { resolver } = testLoader(FILES);
  const error = await errorOf(() => resolver.import(specifier, 'file:///app/main.mjs'));
  expect(error.code).toBe(code);
  expect(error.message).toContain(text);
});

test('conditions of the command line come with those of each kind of import', () => {
  const { resolver } = testLoader(FILES, { conditions: ['special'] });
  const special = `${IN}/conditions/special.js`;
  expect(resolver.import('conditions', 'file:///app/main.mjs')).toEqual({ kind: 'file', path: special });
  expect(resolver.require('conditions', '/app', modulePaths('/app'), ['.js'], '/app/main.js')).toBe(special);
  expect(resolver.conditions.import).toContain('special');
});

test('builtins are found with and without their scheme, before files', () => {
  const { resolver } = testLoader(FILES, { builtins: { plain: {}, test: {} } });
  const find = (specifier: string) => resolver.import(specifier, 'file:///app/main.mjs');
  expect(find('plain')).toEqual({ kind: 'builtin', name: 'plain' });
  expect(find('node:test')).toEqual({ kind: 'builtin', name: 'test' });
  expect(() => find('test')).toThrow("Cannot find package 'test'");
});

test('a main file that is a module without its full name is found, with a warning', () => {
  const { resolver, warnings } = testLoader({
    '/app/node_modules/old/package.json': '{"type":"module","main":"lib"}',
    '/app/node_modules/old/lib.js': '',
  });
  expect(resolver.import('old', 'file:///app/main.mjs')).toMatchObject({ path: `${IN}/old/lib.js` });
  expect(warnings[0]).toContain('Automatic extension resolution of the "main" field is deprecated');
});
