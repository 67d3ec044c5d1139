import type { Sources } from '../../errors/sources.ts';
import type { AwaitTracking } from '../await-code.ts';
import type { LoaderFiles } from '../files.ts';
import type { Hooks } from '../hooks.ts';
import type { Packages } from '../packages.ts';
import type { Resolver } from '../resolve.ts';
import type { TypeScript } from '../typescript.ts';

export interface CjsOptions {
  readonly hooks: Hooks;
  readonly files: LoaderFiles;
  readonly packages: Packages;
  readonly resolver: Resolver;
  readonly sources: Sources;
  /** Returns the exports of a builtin, given its name without `node:`. */
  readonly builtin: (name: string) => unknown;
  readonly builtinNames: readonly string[];
  readonly mainFolder: () => string;
  /** Set by `--use-strict`. */
  readonly strict: boolean;
  readonly awaits: AwaitTracking;
  readonly typescript: TypeScript;
  /** The folders to search last, from the current environment (`NODE_PATH`). */
  readonly globalPaths: () => readonly string[];
  /** Returns the function that `import()` calls in a module with this URL. */
  readonly importFrom: (url: string) => (specifier: unknown, options?: unknown) => Promise<unknown>;
  /** Warns about access to a property that a module in a cycle does not have yet. */
  readonly unfinished: (text: string) => void;
  /** Called for a file with ECMAScript syntax whose package or name says that it is CommonJS. */
  readonly refusedModule: (path: string) => void;
  /** Runs an ECMAScript module synchronously, or throws where that is impossible. `from` is the module that requires it. */
  readonly requireEsm: (path: string, from: string | undefined, source?: string) => unknown;
  /** Whether the ECMAScript module at this path has started and not finished. */
  readonly isRunningEsm: (path: string) => boolean;
  /** Set by `--experimental-require-module`. */
  readonly requiresModules: boolean;
  readonly looksLikeModule: (text: string) => boolean;
}

export interface CjsModule {
  id: string;
  path: string;
  exports: unknown;
  filename: string | null;
  loaded: boolean;
  children: CjsModule[];
  paths: string[];
  parent?: CjsModule | null | undefined;
  require(id: string): unknown;
  load(filename: string): void;
  _compile(content: string, filename: string, format?: string): unknown;
}

export type Parent = CjsModule | null | undefined;
export type Extension = (module: CjsModule, filename: string) => void;

export interface ModuleClass {
  new (id?: string, parent?: CjsModule | null): CjsModule;
  prototype: CjsModule;
  _cache: Record<string, CjsModule | undefined>;
  _pathCache: Record<string, string>;
  _extensions: Record<string, Extension>;
  _load(request: string, parent?: CjsModule | null, isMain?: boolean): unknown;
  _resolveFilename(
    request: string,
    parent?: CjsModule | null,
    isMain?: boolean,
    options?: { readonly paths?: unknown; readonly conditions?: ReadonlySet<string> | undefined },
  ): string;
  _resolveLookupPaths(request: string, parent?: CjsModule | null): string[] | null;
  _nodeModulePaths(from: string): string[];
  _findPath(request: string, paths?: readonly string[] | null): string | false;
  _initPaths(): void;
  _preloadModules(requests: readonly string[]): void;
  runMain(main?: string): void;
  globalPaths: string[];
  wrap(script: string): string;
  wrapper: string[];
  builtinModules: readonly string[];
  isBuiltin(name: string): boolean;
  createRequire(from: string | URL): unknown;
  Module: ModuleClass;
  [more: string]: unknown;
}

/** The parts of the loader share this. Programs may replace any member of `Module`, so each is read where it is used. */
export interface CjsContext extends CjsOptions {
  readonly Module: ModuleClass;
  /** The module of the program. */
  main: CjsModule | undefined;
  /** Whether the modules of `--require` are being loaded. */
  isPreloading: boolean;
}
