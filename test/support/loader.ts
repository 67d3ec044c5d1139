import { parse } from 'cjs-module-lexer';
import { Sources } from '../../guest/node/errors/sources.ts';
import { makeCjs, type Cjs } from '../../guest/node/loader/cjs.ts';
import { makeEsm, type Esm } from '../../guest/node/loader/esm.ts';
import { folderOf, type LoaderFiles } from '../../guest/node/loader/files.ts';
import { Hooks } from '../../guest/node/loader/hooks.ts';
import { Packages } from '../../guest/node/loader/packages.ts';
import { Resolver } from '../../guest/node/loader/resolve.ts';
import { TypeScript } from '../../guest/node/loader/typescript.ts';
import { readTypes } from '../../guest/node/loader/typescript/read.ts';
import './import-lexer.ts';

/** Files in memory, keyed by their absolute path. */
export function filesOf(texts: Readonly<Record<string, string>>): LoaderFiles {
  const folders = new Set(['/']);
  for (const path of Object.keys(texts))
    for (let folder = folderOf(path); folder !== '/'; folder = folderOf(folder)) folders.add(folder);
  return {
    look: (path) => (path in texts ? 'file' : folders.has(path) ? 'directory' : undefined),
    readText(path) {
      const text = texts[path];
      if (text === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
      return text;
    },
    realpath: (path) => path,
  };
}

export interface TestLoaderOptions {
  readonly builtins?: Readonly<Record<string, unknown>>;
  readonly conditions?: readonly string[];
  readonly requiresModules?: boolean;
}

/** The loaders of a process over files in memory. `warnings` collects what they warn about. */
export interface TestLoader {
  readonly cjs: Cjs;
  readonly esm: Esm;
  readonly hooks: Hooks;
  readonly resolver: Resolver;
  readonly warnings: string[];
  /** Imports a file as the program does. */
  import(path: string): Promise<Record<string, unknown>>;
  /** Requires a file as the program does. */
  require(path: string): unknown;
}

export function testLoader(
  texts: Readonly<Record<string, string>>,
  { builtins = {}, conditions = [], requiresModules = true }: TestLoaderOptions = {},
): TestLoader {
  const files = filesOf(texts);
  const packages = new Packages(files);
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const resolver = new Resolver({
    files,
    packages,
    conditions,
    isBuiltin: (name) => name in builtins,
    cwd: () => '/app',
    deprecated: warn,
  });
  const hooks = new Hooks();
  const shared = {
    files,
    packages,
    resolver,
    hooks,
    sources: new Sources(),
    builtin: (name: string) => builtins[name],
    awaits: {
      isFollowed: () => false,
      take: (value: unknown) => value,
      each: (iterable: unknown) => iterable,
    },
    typescript: new TypeScript(
      'strip',
      () => readTypes,
      () => {},
    ),
  };
  const cjs: Cjs = makeCjs({
    ...shared,
    builtinNames: Object.keys(builtins),
    mainFolder: () => '/app',
    strict: false,
    globalPaths: () => ['/usr/lib/node'],
    importFrom: (url) => esm.importFrom(url),
    unfinished: warn,
    refusedModule: warn,
    requireEsm: (path, from, source) => esm.requireEsm(path, from, source),
    isRunningEsm: (path) => esm.isRunning(path),
    requiresModules,
    looksLikeModule: (text) => esm.looksLikeModule(text),
  });
  const esm: Esm = makeEsm({
    ...shared,
    cjs: () => cjs,
    lexer: () => () => parse,
    resolvesFrom: false,
    typeless: (url) => warn(url),
  });
  return {
    cjs,
    esm,
    hooks,
    resolver,
    warnings,
    import: async (path) => {
      const namespace = await esm.runProgram({ kind: 'file', path }, 'file:///app/');
      return { ...Object(namespace) };
    },
    require: (path) => cjs.Module._load(path, null, true),
  };
}

/** The code and message of what `run` throws. */
export async function errorOf(
  run: () => unknown,
): Promise<{ readonly code: unknown; readonly message: string }> {
  try {
    await run();
  } catch (error) {
    if (error instanceof Error) return { code: Reflect.get(error, 'code'), message: error.message };
    throw error;
  }
  throw new Error('nothing was thrown');
}
