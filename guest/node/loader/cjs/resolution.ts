import { argTypeError, argValueError } from '../../builtins/internal/errors.ts';
import { folderOf, joined } from '../files.ts';
import { requireNotFound } from '../require-errors.ts';
import { isRelative, modulePaths } from '../resolve.ts';
import type { CjsContext, Parent } from './types.ts';

/** Adds the functions that find the file of a request. */
export function addResolution(context: CjsContext): void {
  const { Module, resolver } = context;
  Module._initPaths = () => {
    Module.globalPaths = [...context.globalPaths()];
  };
  Module._nodeModulePaths = (from) => modulePaths(from);
  Module._resolveLookupPaths = (request, parent) => {
    if (resolver.builtin(request) !== undefined) return null;
    if (!isRelative(request)) return [...(parent?.paths ?? []), ...Module.globalPaths];
    return [parent?.filename ? folderOf(parent.filename) : '.'];
  };
  Module._findPath = (request, paths) => {
    const isAbsolute = request.startsWith('/');
    const relative = isAbsolute ? request : `./${request}`;
    for (const path of isAbsolute ? [''] : (paths ?? [])) {
      const found = resolver.require(relative, path || '/', [], extensionsOf(context), undefined);
      if (found !== undefined) return found;
    }
    return false;
  };
  Module._resolveFilename = (request, parent, _isMain, { paths, conditions } = {}) => {
    if (resolver.builtin(request) !== undefined) return request;
    if (paths !== undefined && !Array.isArray(paths)) throw argValueError('options.paths', paths);
    const found = paths
      ? foundFrom(context, request, paths, conditions)
      : foundBy(context, request, parent, conditions);
    if (found === undefined) throw requireNotFound(request, stackOf(parent));
    return found;
  };
}

function extensionsOf({ Module }: CjsContext): string[] {
  return Object.keys(Module._extensions);
}

/** Finds the file of a request as a module in each of these folders would. */
function foundFrom(
  context: CjsContext,
  request: string,
  paths: readonly unknown[],
  conditions: ReadonlySet<string> | undefined,
): string | undefined {
  let found: string | undefined;
  for (const path of paths) {
    if (typeof path !== 'string') throw argTypeError('paths', 'array of strings', paths);
    const from = joined(context.mainFolder(), path);
    const lookup = [...modulePaths(from), ...context.Module.globalPaths];
    found ??= context.resolver.require(request, from, lookup, extensionsOf(context), `${from}/x`, conditions);
  }
  return found;
}

/** Finds the file of a request of this module. */
function foundBy(
  context: CjsContext,
  request: string,
  parent: Parent,
  conditions: ReadonlySet<string> | undefined,
): string | undefined {
  const folder = parent?.filename ? folderOf(parent.filename) : (parent?.path ?? context.mainFolder());
  const lookup = [...(parent?.paths ?? modulePaths(folder)), ...context.Module.globalPaths];
  const parentPath = parent?.filename ?? undefined;
  return context.resolver.require(request, folder, lookup, extensionsOf(context), parentPath, conditions);
}

function stackOf(parent: Parent): string[] {
  const stack: string[] = [];
  for (let at = parent; at; at = at.parent) stack.push(at.filename || at.id);
  return stack;
}
