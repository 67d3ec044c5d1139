import { argTypeError, argValueError, needObject, nodeError } from './internal/errors.ts';
import { findPackageJSON } from '../loader/find-package.ts';
import type { HooksThread } from '../loader/hooks-thread.ts';
import type { Builtins, Modules } from './modules.ts';
import { Packages } from '../loader/packages.ts';
import { SourceMap } from '../errors/source-map.ts';

interface RegisterOptions {
  readonly parentURL?: string | URL;
  readonly data?: unknown;
  readonly transferList?: readonly Transferable[];
}

function bare<T extends object>(members: T): T {
  return Object.assign(Object.create(null) as T, members);
}

interface StripOptions {
  readonly mode?: unknown;
  readonly sourceUrl?: string;
  readonly sourceMap?: boolean;
}

/** Makes `node:module`: the class Module with the functions about modules. */
export function makeModuleBuiltin(
  { cjs, esm, files, hooks, typescript }: Modules,
  builtins: Builtins,
  startHooks: () => HooksThread,
): unknown {
  const { Module } = cjs;
  let warned = false;
  Module.builtinModules = builtins.plainNames;
  return Object.assign(Module, {
    syncBuiltinESMExports: () => esm.syncBuiltins(),
    findSourceMap: () => undefined,
    SourceMap,
    // There is no compile cache, because compiled code belongs to the browser.
    enableCompileCache(folder?: unknown) {
      if (folder !== undefined && typeof folder !== 'string')
        throw nodeError('ERR_INVALID_ARG_TYPE', 'cacheDir should be a string', TypeError);
      return { status: 3 };
    },
    getCompileCacheDir: () => undefined,
    flushCompileCache() {},
    constants: bare({
      compileCacheStatus: bare({ FAILED: 0, ENABLED: 1, ALREADY_ENABLED: 2, DISABLED: 3 }),
    }),
    getSourceMapsSupport: () => bare({ enabled: false, nodeModules: false, generatedCode: false }),
    setSourceMapsSupport(enabled: unknown, options: unknown = {}) {
      if (typeof enabled !== 'boolean') throw argTypeError('enabled', 'boolean', enabled);
      needObject(options, 'options');
      for (const name of ['nodeModules', 'generatedCode'])
        if (options[name] !== undefined && typeof options[name] !== 'boolean')
          throw argTypeError(`options.${name}`, 'boolean', options[name]);
    },
    _debug() {},
    _readPackage: (folder: string) => new Packages(files).at(folder) ?? {},
    _stat: (path: string) => ({ file: 0, directory: 1, none: -2 })[files.look(path) ?? 'none'],
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
      const text = mode === 'strip' ? typescript.stripped(code, name) : typescript.transformed(code, name);
      return sourceUrl ? `${text}\n\n//# sourceURL=${sourceUrl}` : text;
    },
    findPackageJSON: (specifier: unknown, base?: unknown) =>
      findPackageJSON(files, new Packages(files), specifier, base),
    register(specifier: unknown, parent: unknown = undefined, more: RegisterOptions = {}) {
      const isOptions = typeof parent === 'object' && parent !== null && !(parent instanceof URL);
      const options = isOptions ? (parent as RegisterOptions) : more;
      const from = (isOptions ? options.parentURL : parent) ?? 'data:';
      hooks.thread ??= startHooks();
      const transfer = [...(options.transferList ?? [])];
      hooks.thread.register(String(specifier), String(from), options.data, transfer);
    },
    registerHooks: (given: { readonly resolve?: unknown; readonly load?: unknown }) => hooks.register(given),
  });
}
