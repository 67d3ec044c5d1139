import { argTypeError, argValueError, nodeError } from './builtins/internal/errors.ts';
import { fileUrl, pathOfUrl } from './loader/files.ts';
import { stripped, transformed } from './loader/typescript.ts';
import type { Builtins, Modules } from './modules.ts';
import { Packages } from './loader/packages.ts';

interface StripOptions {
  readonly mode?: unknown;
  readonly sourceUrl?: string;
  readonly sourceMap?: boolean;
}

/** `node:module`: the class itself, with what is said about modules. */
export function makeModuleBuiltin({ cjs, files, hooks }: Modules, builtins: Builtins): unknown {
  const { Module } = cjs;
  let warned = false;
  Module.builtinModules = builtins.names;
  return Object.assign(Module, {
    syncBuiltinESMExports() {},
    findSourceMap: () => undefined,
    SourceMap: class SourceMap {
      readonly payload: unknown;
      constructor(payload: unknown) {
        this.payload = payload;
      }
      findEntry(): object {
        return {};
      }
    },
    enableCompileCache: () => ({ status: 3 }),
    getCompileCacheDir: () => undefined,
    flushCompileCache() {},
    constants: { compileCacheStatus: { FAILED: 0, ENABLED: 1, ALREADY_ENABLED: 2, DISABLED: 3 } },
    stripTypeScriptTypes(code: unknown, options: StripOptions = {}) {
      const { mode = 'strip', sourceUrl, sourceMap } = options;
      if (typeof code !== 'string') throw argTypeError('code', 'string', code);
      if (mode !== 'strip' && mode !== 'transform')
        throw argValueError('options.mode', mode, "must be one of: 'strip', 'transform'");
      if (mode === 'strip' && sourceMap)
        throw argValueError('options.sourceMap', sourceMap, 'must be one of: false, undefined');
      if (!warned)
        process.emitWarning(
          'stripTypeScriptTypes is an experimental feature and might change at any time',
          'ExperimentalWarning',
        );
      warned = true;
      const name = sourceUrl ?? '[eval]';
      const text = mode === 'strip' ? stripped(code, name) : transformed(code, name);
      return sourceUrl ? `${text}\n\n//# sourceURL=${sourceUrl}` : text;
    },
    findPackageJSON(specifier: string | URL, base?: string | URL) {
      const from = String(base ?? specifier);
      const path = from.startsWith('file:') ? pathOfUrl(new URL(from)) : from;
      const found = new Packages(files).scopeOf(path);
      return found?.path;
    },
    register() {
      throw nodeError(
        'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
        'module.register() is not available in this workspace: hooks have no thread of their own here; use module.registerHooks()',
      );
    },
    registerHooks: (given: { readonly resolve?: unknown; readonly load?: unknown }) => hooks.register(given),
    runMain(main = process.argv[1]) {
      return Module._load(String(main), null, true);
    },
    pathToFileURL: fileUrl,
  });
}
