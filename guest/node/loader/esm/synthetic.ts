import type { ModuleClass } from '../cjs/types.ts';
import { fileUrl, type LoaderFiles } from '../files.ts';
import { parseJsonModule } from '../json.ts';
import { isObjectLike, propertyOf } from '../objects.ts';
import type { Getter, ModuleMap, ModuleRecord } from './record.ts';

export interface SyntheticContext {
  readonly modules: ModuleMap;
  readonly files: LoaderFiles;
  readonly builtin: (name: string) => unknown;
  /** The class of CommonJS modules, whose cache JSON modules share. */
  readonly moduleClass: () => ModuleClass;
}

/** Makes the records of modules without ECMAScript code: JSON and builtins. */
export class SyntheticModules {
  readonly #context: SyntheticContext;
  /** Each of these copies the current members of one builtin. */
  readonly #builtinCopies: (() => void)[] = [];

  constructor(context: SyntheticContext) {
    this.#context = context;
  }

  /** A module whose default export is a value. */
  value(url: string, value: () => unknown): ModuleRecord {
    return this.#context.modules.add(url, {
      names: ['default'],
      run() {
        const it = value();
        return { default: () => it };
      },
    });
  }

  /** A JSON module. Its value is the same object that `require` returns. */
  json(url: string, path: string): ModuleRecord {
    const Module = this.#context.moduleClass();
    const isCached = url === fileUrl(path);
    const cached = isCached ? Module._cache[path] : undefined;
    if (cached?.loaded) return this.value(url, () => cached.exports);
    const exports = parseJsonModule(this.#context.files.readText(path), path);
    if (isCached) Module._cache[path] = Object.assign(new Module(path), { exports, loaded: true });
    return this.value(url, () => exports);
  }

  builtin(url: string, name: string): ModuleRecord {
    const exports = this.#context.builtin(name);
    const members = isObjectLike(exports) ? Object.keys(exports).filter((key) => key !== 'default') : [];
    // The members keep their values until `syncBuiltinESMExports`. Those with a getter are not read here, because some
    // load their value on first use.
    let copied = new Map<string, unknown>();
    const copy = () => {
      const own = members.flatMap((key): [string, unknown][] => {
        const found = Object.getOwnPropertyDescriptor(exports, key);
        return found?.get ? [] : [[key, found?.value]];
      });
      copied = new Map(own);
    };
    this.#builtinCopies.push(copy);
    return this.#context.modules.add(url, {
      names: ['default', ...members],
      run: () => {
        copy();
        const getters: [string, Getter][] = members.map((key) => [
          key,
          () => (copied.has(key) ? copied.get(key) : propertyOf(exports, key)),
        ]);
        return Object.fromEntries([...getters, ['default', () => exports]]);
      },
    });
  }

  /** Makes the modules of builtins follow changes to their members: `syncBuiltinESMExports`. */
  syncBuiltins(): void {
    for (const copy of this.#builtinCopies) copy();
  }
}
