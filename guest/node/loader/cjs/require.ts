import { argTypeError, argValueError } from '../../builtins/internal/errors.ts';
import { folderOf, pathOfUrl } from '../files.ts';
import { modulePaths } from '../resolve.ts';
import type { CjsContext, CjsModule } from './types.ts';

/** Makes the `require` of a module. */
export function requireOf({ Module, main }: CjsContext, module: CjsModule) {
  // A plain function, because node's own `require` can be called with `new`.
  const require = function (id: string) {
    return module.require(id);
  };
  const resolve = (request: string, how?: { readonly paths?: unknown }) => {
    if (typeof request !== 'string') throw argTypeError('request', 'string', request);
    return Module._resolveFilename(request, module, false, how);
  };
  resolve.paths = (request: unknown) => {
    if (typeof request !== 'string') throw argTypeError('request', 'string', request);
    return Module._resolveLookupPaths(request, module);
  };
  return Object.assign(require, {
    resolve,
    main,
    extensions: Module._extensions,
    cache: Module._cache,
  });
}

/** Adds `require` of modules, which checks the request. */
export function addRequire({ Module }: CjsContext): void {
  Module.prototype.require = function (id) {
    if (typeof id !== 'string') throw argTypeError('id', 'string', id);
    if (id === '') throw argValueError('id', id, 'must be a non-empty string');
    return Module._load(id, this, false);
  };
}

/** Adds the functions that make modules without a file: `createRequire` and the one for `--require`. */
export function addCreateRequire(context: CjsContext): void {
  const { Module } = context;
  Module.createRequire = (from) => {
    const path = pathOf(from);
    const module = new Module(path);
    module.filename = path;
    module.paths = modulePaths(path.endsWith('/') ? path.replace(/(?<=.)\/$/, '') : folderOf(path));
    return requireOf(context, module);
  };
  Module._preloadModules = (requests) => {
    const module = new Module('internal/preload', null);
    module.path = context.mainFolder();
    module.paths = modulePaths(context.mainFolder());
    context.isPreloading = true;
    for (const request of requests) module.require(request);
    context.isPreloading = false;
  };
}

function pathOf(from: unknown): string {
  if (from instanceof URL || (typeof from === 'string' && from.startsWith('file:')))
    return pathOfUrl(new URL(from));
  if (typeof from === 'string' && from.startsWith('/')) return from;
  throw argValueError(
    'filename',
    from,
    'must be a file URL object, file URL string, or absolute path string',
  );
}
