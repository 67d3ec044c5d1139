import type { ModuleClass } from '../cjs/types.ts';
import { folderOf } from '../files.ts';
import type { MakeLexer } from '../lexer/main.ts';
import { isObjectLike, propertyOf } from '../objects.ts';
import type { Resolver } from '../resolve.ts';
import type { ModuleFormats } from './formats.ts';
import type { Getter, ModuleMap, ModuleRecord } from './record.ts';
import { pathOr } from './urls.ts';

export interface ScriptsContext {
  readonly modules: ModuleMap;
  readonly formats: ModuleFormats;
  readonly resolver: Resolver;
  readonly moduleClass: () => ModuleClass;
  readonly lexer: () => MakeLexer;
}

/** Makes the records of CommonJS modules in the graph. Their names are found without running them, as node's lexer does. */
export class ScriptModules {
  readonly #context: ScriptsContext;
  #lexer: ReturnType<MakeLexer> | undefined;

  constructor(context: ScriptsContext) {
    this.#context = context;
  }

  file(url: string, path: string): ModuleRecord {
    const Module = this.#context.moduleClass();
    const names = new Set<string>(['default']);
    const cached = Module._cache[path];
    if (cached?.loaded && isObjectLike(cached.exports))
      for (const key of Object.keys(cached.exports)) names.add(key);
    else for (const name of this.#namesIn(path, new Set())) names.add(name);
    return this.#context.modules.add(url, {
      names: [...names],
      script: path,
      run() {
        const exports = Module._load(path, undefined, false);
        // Importers see the values that the exports had when the script ended.
        const constants = [...names].map((name): [string, Getter] => {
          const value = name === 'default' ? exports : propertyOf(exports, name);
          return [name, () => value];
        });
        return Object.fromEntries(constants);
      },
    });
  }

  /** A CommonJS script whose text comes from a hook instead of its file. */
  text(url: string, text: string): ModuleRecord {
    const Module = this.#context.moduleClass();
    const path = pathOr(url);
    const names = [...new Set(['default', ...this.#lex(text).exports])];
    return this.#context.modules.add(url, {
      names,
      run() {
        const module = new Module(path);
        module.filename = path;
        module.paths = Module._nodeModulePaths(folderOf(path));
        Module._cache[path] = module;
        module._compile(text, path, 'commonjs');
        module.loaded = true;
        const { exports } = module;
        const valueOf = (name: string) => (name === 'default' ? exports : propertyOf(exports, name));
        return Object.fromEntries(names.map((name) => [name, () => valueOf(name)]));
      },
    });
  }

  #lex(text: string) {
    return (this.#lexer ??= this.#context.lexer()())(text);
  }

  #namesIn(path: string, seen: Set<string>): Iterable<string> {
    if (seen.has(path)) return [];
    seen.add(path);
    try {
      const { exports, reexports } = this.#lex(this.#context.formats.read(path, path).text);
      const names = new Set(exports);
      for (const request of reexports) {
        const to = this.#resolved(request, path);
        if (to !== undefined && /\.(?:c?js|ts|cts)$/.test(to))
          for (const name of this.#namesIn(to, seen)) names.add(name);
      }
      return names;
    } catch {
      // A script that cannot be read has no names. Running it will report the error.
      return [];
    }
  }

  /** The file of a `require` in the script at `path`. */
  #resolved(request: string, path: string): string | undefined {
    const Module = this.#context.moduleClass();
    const parent = new Module(path);
    parent.filename = path;
    parent.paths = Module._nodeModulePaths(folderOf(path));
    if (this.#context.resolver.builtin(request) !== undefined) return undefined;
    return Module._resolveFilename(request, parent);
  }
}
