import { nodeError } from '../builtins/internal/errors.ts';
import type { Sources } from '../errors/sources.ts';
import { keepPlace } from '../errors/uncaught.ts';
import type { AwaitTracking } from './await-code.ts';
import type { Cjs } from './cjs.ts';
import type { Attributes } from './esm/attributes.ts';
import type { ModuleCodes } from './esm-code/known-modules.ts';
import { Evaluation, hasAwait, isInRun, reaches } from './esm/evaluation.ts';
import { markedNamespace, namespaceObject } from './esm/exports.ts';
import { looksLikeModule, ModuleFormats } from './esm/formats.ts';
import { HookedImports } from './esm/hooked.ts';
import { makeImportMeta } from './esm/import-meta.ts';
import { Linker } from './esm/linker.ts';
import { ModuleLoader } from './esm/module-loader.ts';
import { ModuleMap, type ModuleRecord } from './esm/record.ts';
import { explainScope } from './esm/scope-errors.ts';
import { ScriptModules } from './esm/scripts.ts';
import { SyntheticModules } from './esm/synthetic.ts';
import { pathOr, urlOf } from './esm/urls.ts';
import { fileUrl, type LoaderFiles } from './files.ts';
import type { Hooks } from './hooks.ts';
import { withoutBom } from './json.ts';
import type { MakeLexer } from './lexer/main.ts';
import { isObjectLike } from './objects.ts';
import type { Packages } from './packages.ts';
import { requireCycle } from './require-errors.ts';
import type { Resolved, Resolver } from './resolve.ts';
import type { JavaScriptText, TypeScript } from './typescript.ts';
import { ownTimers } from '../loop/own-timers.ts';

export interface EsmOptions {
  readonly hooks: Hooks;
  readonly files: LoaderFiles;
  readonly packages: Packages;
  readonly resolver: Resolver;
  readonly sources: Sources;
  readonly builtin: (name: string) => unknown;
  readonly cjs: () => Cjs;
  readonly awaits: AwaitTracking;
  readonly typescript: TypeScript;
  readonly lexer: () => MakeLexer;
  readonly codes?: ModuleCodes;
  /** Set by `--experimental-import-meta-resolve`. */
  readonly resolvesFrom: boolean;
  /** Warns about an ECMAScript module whose package gives no type. */
  readonly typeless: (url: string, packagePath: string) => void;
}

/** Loads ECMAScript modules: reads the whole graph of a module, links it and runs it in order. */
export class EsmLoader {
  readonly #options: EsmOptions;
  readonly #modules = new ModuleMap();
  readonly #formats: ModuleFormats;
  readonly #synthetic: SyntheticModules;
  readonly #hooked: HookedImports;
  readonly #loader: ModuleLoader;
  readonly #linker: Linker;
  readonly #evaluation = new Evaluation();
  /** The main module of the program. */
  #program: ModuleRecord | undefined;

  constructor(options: EsmOptions) {
    this.#options = options;
    const formats = new ModuleFormats(options);
    const context = {
      ...options,
      modules: this.#modules,
      formats,
      moduleClass: () => options.cjs().Module,
    };
    this.#formats = formats;
    this.#synthetic = new SyntheticModules(context);
    const hooked = new HookedImports(context);
    this.#hooked = hooked;
    const scripts = new ScriptModules(context);
    this.#loader = new ModuleLoader({ ...context, scripts, hooked, synthetic: this.#synthetic });
    this.#linker = new Linker({
      ...context,
      importFrom: (url) => this.importFrom(url),
      metaOf: (record) => makeImportMeta({ ...options, hooked }, record.url, record === this.#program),
    });
  }

  /** Returns the function that `import()` calls in a module with this URL. */
  importFrom(url: string): (specifier: unknown, options?: unknown) => Promise<unknown> {
    return async (specifier, options) => {
      const record = this.#loader.loadNamed(String(specifier), url, attributesIn(options));
      // Messages that the thread of the hooks has sent meanwhile come first.
      if (this.#options.hooks.thread) await new Promise((resolve) => ownTimers().setImmediate(resolve));
      return this.#import(record);
    };
  }

  async importUrl(resolved: Resolved, attributes: Attributes = {}): Promise<unknown> {
    return this.#import(this.#loader.load(resolved, attributes));
  }

  /** Runs the program of the process. `parent` is the URL of the folder in which it started. */
  async runProgram(resolved: Resolved, parent: string): Promise<unknown> {
    this.#program = this.#options.hooks.isForImports
      ? this.#loader.loadNamed(urlOf(resolved), parent, {})
      : this.#loader.load(resolved, {});
    return this.#import(this.#program);
  }

  /** Runs text that comes from no file as a module with this URL. */
  runText(url: string, name: string, reading: JavaScriptText): Promise<void> {
    this.#program = this.#loader.source(url, name, reading);
    return this.#run(this.#linker.link(this.#program));
  }

  async #import(found: ModuleRecord): Promise<unknown> {
    const record = this.#linker.link(found);
    // These turns match the order in which node settles what the program awaits: a module starts only after them.
    for (let turns = 0; turns < 3; turns++) await undefined;
    await this.#run(record);
    return namespaceObject(record);
  }

  async #run(record: ModuleRecord): Promise<void> {
    try {
      await this.#evaluation.run(record);
    } catch (error) {
      explainScope(error, record, this.#options.packages);
      throw error;
    }
  }

  /** Runs a module for `require`, and returns its exports. `from` is the module that requires it. */
  requireEsm(path: string, from: string | undefined, source?: string): unknown {
    const record = this.#linker.link(this.#required(path, source));
    if (record.code && isInRun(record)) throw requireCycle(path, from);
    if (hasAwait(record)) throw requireOfAsync(path, from);
    this.#refuseCycles(record);
    try {
      this.#evaluation.runSync(record);
    } catch (error) {
      keepPlace(this.#options.sources, error);
      explainScope(error, record, this.#options.packages);
      throw error;
    }
    const namespace = namespaceObject(record);
    if (record.exports.has('module.exports')) return Reflect.get(namespace, 'module.exports');
    if (!record.exports.has('default') || record.exports.has('__esModule')) return namespace;
    return markedNamespace(record);
  }

  #required(path: string, source: string | undefined): ModuleRecord {
    // A module that comes from a hook may have a URL in place of a path.
    const url = path.startsWith('/') ? fileUrl(path) : path;
    const reading = () =>
      source === undefined
        ? this.#formats.read(path, url)
        : this.#options.typescript.readingOf(path, withoutBom(source));
    return this.#modules.get(url) ?? this.#loader.source(url, url, reading());
  }

  /** Throws where a module of the graph that `require` wants to run is running already. */
  #refuseCycles(record: ModuleRecord, seen = new Set<ModuleRecord>()): void {
    if (seen.has(record) || record.state === 'evaluated') return;
    seen.add(record);
    for (const [index, each] of record.requested.entries()) {
      const module = each.script === undefined ? undefined : this.#options.cjs().Module._cache[each.script];
      if (isInRun(each) || module?.loaded === false)
        throw nodeError(
          'ERR_REQUIRE_CYCLE_MODULE',
          `Cannot import ${isInRun(each) ? '' : 'CommonJS '}Module ${record.code?.requests[index]?.specifier} in a cycle. (from ${pathOr(record.url)})`,
        );
      this.#refuseCycles(each, seen);
    }
  }

  /** Whether the module at this path has started and not finished. */
  isRunning(path: string): boolean {
    const record = this.#modules.get(fileUrl(path));
    return record?.code !== undefined && isInRun(record);
  }

  looksLikeModule(text: string): boolean {
    return looksLikeModule(text);
  }

  /** Reads a file as JavaScript. Errors show `name`, which is a path or a URL. */
  readAs(path: string, name: string): JavaScriptText {
    return this.#formats.read(path, name);
  }

  syncBuiltins(): void {
    this.#synthetic.syncBuiltins();
  }

  /** The end of the chain for hooks in their own thread. */
  get usual(): HookedImports['usual'] {
    return this.#hooked.usual;
  }

  /** The modules of the program whose top-level await never settled, and its offset in their text. */
  unsettled(): { readonly name: string; readonly place: number }[] {
    const program = this.#program;
    return this.#evaluation.pending
      .filter((each) => !program || reaches(program, each))
      .map(({ name, at: { place } }) => ({ name, place }));
  }
}

/** Makes the ECMAScript loader of a process. */
export function makeEsm(options: EsmOptions): Esm {
  return new EsmLoader(options);
}

export type Esm = EsmLoader;

function attributesIn(options: unknown): Attributes {
  const attributes: unknown = isObjectLike(options) ? Reflect.get(options, 'with') : undefined;
  return isObjectLike(attributes) ? (attributes as Attributes) : {};
}

function requireOfAsync(path: string, from: string | undefined): Error {
  return nodeError(
    'ERR_REQUIRE_ASYNC_MODULE',
    `require() cannot be used on an ESM graph with top-level await. Use import() instead. To see where the top-level await comes from, use --experimental-print-required-tla.${from === undefined ? '' : `\n  From ${from} `}\n  Requiring ${path} `,
  );
}
