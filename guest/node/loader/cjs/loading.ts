import { unknownBuiltin } from '../../builtins/internal/errors.ts';
import { fileUrl, folderOf, pathOfUrl } from '../files.ts';
import type { HookContext, Loaded } from '../hook-types.ts';
import { conditionsOf, isUsual, textOf } from '../hooks.ts';
import { parseJson, withoutBom } from '../json.ts';
import { modulePaths } from '../resolve.ts';
import { UnfinishedExports } from './cycles.ts';
import type { CjsContext, CjsModule, Parent } from './types.ts';

/** Adds `_load`. A stack shows only ten frames, ours among them: there must be no more of them than in node. */
export function addLoading(context: CjsContext): void {
  const { Module, hooks, resolver } = context;
  const unfinished = new UnfinishedExports(context);

  Module._load = (request, parent, isMain = false) => {
    if (!hooks.isEmpty) return loadHooked(request, parent, isMain);
    if (request.startsWith('node:')) {
      const name = resolver.builtin(request);
      if (name === undefined) throw unknownBuiltin(request);
      return context.builtin(name);
    }
    const filename = Module._resolveFilename(request, parent, isMain);
    const cached = Module._cache[filename];
    if (cached) {
      if (parent && !parent.children.includes(cached)) parent.children.push(cached);
      return cached.loaded ? cached.exports : unfinished.of(cached);
    }
    const name = resolver.builtin(filename);
    if (name !== undefined) return context.builtin(name);
    return loadFile(filename, parent, isMain, (module) => module.load(filename));
  };

  function loadFile(
    filename: string,
    parent: Parent,
    isMain: boolean,
    run: (module: CjsModule) => void,
  ): unknown {
    const module = new Module(filename, parent);
    if (isMain) {
      context.main = module;
      module.id = '.';
    }
    Module._cache[filename] = module;
    let loaded = false;
    try {
      run(module);
      loaded = true;
    } finally {
      unfinished.finish(module);
      if (!loaded) {
        delete Module._cache[filename];
        const at = parent?.children.indexOf(module) ?? -1;
        if (at >= 0) parent?.children.splice(at, 1);
      }
    }
    return module.exports;
  }

  /** Does the work of `_load` through the hooks of `module.registerHooks`. */
  function loadHooked(request: string, parent: Parent, isMain: boolean): unknown {
    const { url, given } = resolveHooked(context, request, parent, isMain);
    const filename = url.startsWith('file:') ? pathOfUrl(new URL(url)) : url;
    const cached = Module._cache[filename];
    if (cached) return cached.exports;
    const { loaded, usual } = fromHooks(context, url, given);
    const builtin = builtinAt(context, url);
    if (builtin !== undefined) return context.builtin(builtin);
    return loadFile(filename, parent, isMain, (module) => {
      if (isUsual(loaded, usual)) return module.load(filename);
      module.filename = filename;
      module.paths = modulePaths(folderOf(filename));
      const text = textOf(loaded.source);
      if (loaded.format === 'json') module.exports = parseJson(withoutBom(text));
      else module._compile(text, filename, loaded.format ?? undefined);
      module.loaded = true;
    });
  }
}

function builtinAt({ resolver }: CjsContext, url: string): string | undefined {
  return url.startsWith('node:') ? resolver.builtin(url) : undefined;
}

/** Resolves a request through the hooks. `given` is the context for their `load`. */
function resolveHooked(
  context: CjsContext,
  request: string,
  parent: Parent,
  isMain: boolean,
): { readonly url: string; readonly given: HookContext } {
  const { Module, hooks, resolver } = context;
  const from = parent?.filename ?? undefined;
  const hookContext = {
    conditions: resolver.conditions.require,
    importAttributes: undefined,
    parentURL: from?.startsWith('/') ? fileUrl(from) : from,
  };
  const { url, format } = hooks.resolve(request, hookContext, (specifier, { conditions }) => {
    const builtin = resolver.builtin(specifier);
    if (builtin !== undefined) return { url: `node:${builtin}`, format: undefined };
    const how = { conditions: conditionsOf(conditions, 'context.conditions') };
    return { url: fileUrl(Module._resolveFilename(specifier, parent, isMain, how)), format: undefined };
  });
  return {
    url,
    given: { ...hookContext, format: builtinAt(context, url) === undefined ? format : 'builtin' },
  };
}

/** Returns the result of the hooks for a URL, and that without them. */
function fromHooks(
  { files, hooks }: CjsContext,
  url: string,
  given: HookContext,
): { readonly loaded: Loaded; readonly usual: Loaded | undefined } {
  let usual: Loaded | undefined;
  const loaded = hooks.load(url, given, (to, { format }) => {
    const source = to.startsWith('file:') ? files.readText(pathOfUrl(new URL(to))) : null;
    const answer = { format, source };
    if (to === url) usual = answer;
    return answer;
  });
  return { loaded, usual };
}
