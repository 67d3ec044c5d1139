import { argTypeError, argValueError } from './builtins/internal/errors.ts';
import { fileUrl, pathOfUrl } from './loader/files.ts';
import type { HooksThread } from './loader/hooks-thread.ts';
import { stripped, transformed } from './loader/typescript.ts';
import type { Builtins, Modules } from './modules.ts';
import { Packages } from './loader/packages.ts';

interface RegisterOptions {
  readonly parentURL?: string | URL;
  readonly data?: unknown;
  readonly transferList?: readonly Transferable[];
}

interface StripOptions {
  readonly mode?: unknown;
  readonly sourceUrl?: string;
  readonly sourceMap?: boolean;
}

/** `node:module`: the class itself, with what is said about modules. */
export function makeModuleBuiltin(
  { cjs, files, hooks }: Modules,
  builtins: Builtins,
  startHooks: () => HooksThread,
): unknown {
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
    register(specifier: unknown, parent?: unknown, more?: RegisterOptions) {
      const isOptions = typeof parent === 'object' && parent !== null && !(parent instanceof URL);
      const options = isOptions ? (parent as RegisterOptions) : (more ?? {});
      const from = (isOptions ? options.parentURL : parent) ?? 'data:';
      hooks.thread ??= startHooks();
      const transfer = [...(options.transferList ?? [])];
      hooks.thread.register(String(specifier), String(from), options.data, transfer);
    },
    registerHooks: (given: { readonly resolve?: unknown; readonly load?: unknown }) => hooks.register(given),
    runMain(main = process.argv[1]) {
      return Module._load(String(main), null, true);
    },
    pathToFileURL: fileUrl,
  });
}
