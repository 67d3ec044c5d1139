import { argTypeError, argValueError, nodeError } from '../builtins/internal/errors.ts';
import { isProxy, PlainProxy } from '../builtins/internal/proxies.ts';
import { nameToEngine, type Sources } from '../errors/sources.ts';
import { setArrow } from '../errors/uncaught.ts';
import { cjsCode } from './cjs-code.ts';
import { fileUrl, folderOf, joined, pathOfUrl, type LoaderFiles } from './files.ts';
import type { Packages } from './packages.ts';
import { isUsual, textOf, type Hooks, type Loaded } from './hooks.ts';
import { isRelative, modulePaths, type Resolver } from './resolve.ts';
import { arrowFor, asSyntaxError, isModuleSyntax } from './syntax-errors.ts';
import type { EditedText } from './edits.ts';
import type { TypeScript } from './typescript.ts';

/** Tracks each `await` of programs that use node:async_hooks. */
export interface AwaitTracking {
  /** Whether the awaits in a file with this text are tracked. */
  isFollowed(text: string, path: string): boolean;
  readonly take: (value: unknown) => unknown;
  readonly each: (iterable: unknown, shown: string) => unknown;
}

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

type Wrapper = (
  exports: unknown,
  require: unknown,
  module: CjsModule,
  filename: string,
  dirname: string,
) => unknown;

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

type Extension = (module: CjsModule, filename: string) => void;

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

/** Compiles text with indirect eval. Stack traces and developer tools show `name`. */
export function evaluate(code: string, name: string): unknown {
  return (0, eval)(`${code}\n//# sourceURL=${nameToEngine(name)}`);
}

/** Makes the CommonJS loader: `require`, and the `Module` class, whose internals many packages use. */
export function makeCjs(options: CjsOptions) {
  const { files, packages, resolver, sources } = options;
  let main: CjsModule | undefined;
  let preloading = false;

  const Module = function (this: CjsModule, id = '', parent?: CjsModule | null) {
    this.id = id;
    this.path = folderOf(id);
    this.exports = {};
    Object.defineProperty(this, 'parent', { value: parent, writable: true, configurable: true });
    if (parent && !parent.children.includes(this)) parent.children.push(this);
    this.filename = null;
    this.loaded = false;
    this.children = [];
  } as never as ModuleClass;

  Module._cache = Object.create(null) as ModuleClass['_cache'];
  Module._pathCache = Object.create(null) as Record<string, string>;
  Module._extensions = Object.create(null) as Record<string, Extension>;
  Module.globalPaths = [...options.globalPaths()];
  Module.builtinModules = options.builtinNames;
  Module.isBuiltin = (name) => resolver.builtin(String(name)) !== undefined;
  const ownWrapper = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'];
  Module.wrapper = [...ownWrapper];
  const ownWrap = (script: string) => Module.wrapper[0] + script + Module.wrapper[1];
  Module.wrap = ownWrap;
  const isPatched = () =>
    Module.wrap !== ownWrap || ownWrapper.some((each, index) => each !== Module.wrapper[index]);
  Module._initPaths = () => {
    Module.globalPaths = [...options.globalPaths()];
  };
  Module._nodeModulePaths = (from) => modulePaths(from);
  Module._resolveLookupPaths = (request, parent) => {
    if (resolver.builtin(request) !== undefined) return null;
    if (!isRelative(request)) return [...(parent?.paths ?? []), ...Module.globalPaths];
    return [parent?.filename ? folderOf(parent.filename) : '.'];
  };
  Module._findPath = (request, paths) => {
    for (const path of request.startsWith('/') ? [''] : (paths ?? [])) {
      const found = resolver.require(
        request.startsWith('/') ? request : `./${request}`,
        path || '/',
        [],
        extensions(),
        undefined,
      );
      if (found !== undefined) return found;
    }
    return false;
  };

  const extensions = () => Object.keys(Module._extensions);

  function notFound(request: string, parent: CjsModule | null | undefined): Error {
    const stack: string[] = [];
    for (let at = parent; at; at = at.parent) stack.push(at.filename || at.id);
    const trail = stack.length > 0 ? `\nRequire stack:\n- ${stack.join('\n- ')}` : '';
    const error = new Error(`Cannot find module '${request}'${trail}`);
    return Object.assign(error, { code: 'MODULE_NOT_FOUND', requireStack: stack });
  }

  Module._resolveFilename = (request, parent, _isMain, { paths, conditions } = {}) => {
    if (resolver.builtin(request) !== undefined) return request;
    if (paths !== undefined && !Array.isArray(paths)) throw argValueError('options.paths', paths);
    const folder = parent?.filename ? folderOf(parent.filename) : (parent?.path ?? options.mainFolder());
    let found: string | undefined;
    if (paths) {
      for (const path of paths as readonly unknown[]) {
        if (typeof path !== 'string') throw argTypeError('paths', 'array of strings', paths);
        const from = joined(options.mainFolder(), path);
        const lookup = [...modulePaths(from), ...Module.globalPaths];
        found ??= resolver.require(request, from, lookup, extensions(), `${from}/x`, conditions);
      }
    } else {
      const lookup = parent?.paths ?? modulePaths(folder);
      const globals = Module.globalPaths;
      found = resolver.require(
        request,
        folder,
        [...lookup, ...globals],
        extensions(),
        parent?.filename ?? undefined,
        conditions,
      );
    }
    if (found === undefined) throw notFound(request, parent);
    return found;
  };

  Module._load = (request, parent, isMain = false) => {
    if (!options.hooks.isEmpty) return loadHooked(request, parent, isMain);
    if (request.startsWith('node:')) {
      const name = resolver.builtin(request);
      if (name === undefined)
        throw nodeError('ERR_UNKNOWN_BUILTIN_MODULE', `No such built-in module: ${request}`);
      return options.builtin(name);
    }
    const filename = Module._resolveFilename(request, parent, isMain);
    const cached = Module._cache[filename];
    if (cached) {
      if (parent && !parent.children.includes(cached)) parent.children.push(cached);
      return cached.loaded ? cached.exports : unfinished(cached);
    }
    const name = resolver.builtin(filename);
    if (name !== undefined) return options.builtin(name);
    return loadFile(filename, parent, isMain, (module) => module.load(filename));
  };

  function loadFile(
    filename: string,
    parent: CjsModule | null | undefined,
    isMain: boolean,
    run: (module: CjsModule) => void,
  ): unknown {
    const module = new Module(filename, parent);
    if (isMain) {
      main = module;
      module.id = '.';
    }
    Module._cache[filename] = module;
    let loaded = false;
    try {
      run(module);
      loaded = true;
    } finally {
      const { exports } = module;
      if (isPlain(exports) && Object.getPrototypeOf(exports) === warning)
        Object.setPrototypeOf(exports, Object.prototype);
      if (!loaded) {
        delete Module._cache[filename];
        const at = parent?.children.indexOf(module) ?? -1;
        if (at >= 0) parent?.children.splice(at, 1);
      }
    }
    return module.exports;
  }

  /** Warns about access to a missing property. The exports of unfinished modules have `warning` as their prototype. */
  const warnMissing = (key: string | symbol) =>
    options.unfinished(
      `Accessing non-existent property '${String(key)}' of module exports inside circular dependency`,
    );
  const warning: object = new PlainProxy(
    {},
    {
      get(target, key) {
        if (!(key in target) && key !== '__esModule') warnMissing(key);
        return Reflect.get(target, key) as unknown;
      },
      getOwnPropertyDescriptor(target, key) {
        if (!Object.hasOwn(target, key) && key !== '__esModule') warnMissing(key);
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
    },
  );

  function unfinished({ exports, filename, parent }: CjsModule): unknown {
    if (filename && options.isRunningEsm(filename))
      throw requireCycle(filename, parent?.filename ?? undefined, '');
    if (isPlain(exports) && Object.getPrototypeOf(exports) === Object.prototype && !('__esModule' in exports))
      Object.setPrototypeOf(exports, warning);
    return exports;
  }

  /** Does the work of `_load` through the hooks of `module.registerHooks`. */
  function loadHooked(request: string, parent: CjsModule | null | undefined, isMain: boolean): unknown {
    const { hooks } = options;
    const from = parent?.filename ?? undefined;
    const context = {
      conditions: resolver.conditions.require,
      importAttributes: undefined,
      parentURL: from?.startsWith('/') ? fileUrl(from) : from,
    };
    const { url, format } = hooks.resolve(request, context, (specifier, { conditions }) => {
      const builtin = resolver.builtin(specifier);
      if (builtin !== undefined) return { url: `node:${builtin}`, format: undefined };
      const how = { conditions: conditionsOf(conditions, 'context.conditions') };
      return { url: fileUrl(Module._resolveFilename(specifier, parent, isMain, how)), format: undefined };
    });
    const filename = url.startsWith('file:') ? pathOfUrl(new URL(url)) : url;
    const cached = Module._cache[filename];
    if (cached) return cached.exports;
    let usual: Loaded | undefined;
    const builtin = url.startsWith('node:') ? resolver.builtin(url) : undefined;
    const given = { ...context, format: builtin === undefined ? format : 'builtin' };
    const loaded = hooks.load(url, given, (to, { format: as }) => {
      const source = to.startsWith('file:') ? files.readText(pathOfUrl(new URL(to))) : null;
      const answer = { format: as, source };
      if (to === url) usual = answer;
      return answer;
    });
    if (builtin !== undefined) return options.builtin(builtin);
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

  Module.prototype.load = function (filename) {
    this.filename = filename;
    this.paths = modulePaths(folderOf(filename));
    const extension = longestExtension(filename, Module._extensions);
    Module._extensions[extension]?.(this, filename);
    this.loaded = true;
  };

  Module.prototype.require = function (id) {
    if (typeof id !== 'string') throw argTypeError('id', 'string', id);
    if (id === '') throw argValueError('id', id, 'must be a non-empty string');
    return Module._load(id, this, false);
  };

  Module.prototype._compile = function (content, filename, format) {
    const asModule = () => void (this.exports = options.requireEsm(filename, fileOf(this.parent), content));
    if (format === 'module') return asModule();
    const code = compileText(content, filename);
    const { shown, placed } = options.typescript.readingOf(filename, content);
    sources.add(filename, shown, placed(code));
    let wrapper: Wrapper;
    try {
      const make = evaluate(code.code, filename) as (...given: unknown[]) => Wrapper;
      const importFrom = options.importFrom(filename.startsWith('/') ? fileUrl(filename) : filename);
      wrapper = make(importFrom, options.awaits.take, options.awaits.each);
    } catch (error) {
      const isModule = isModuleSyntax(error, content);
      if (isModule && (format === 'commonjs' || !options.requiresModules)) options.refusedModule(filename);
      if (isModule && format !== 'commonjs' && options.requiresModules) return asModule();
      const syntaxError = asSyntaxError(error, content, 'script');
      setArrow(syntaxError, arrowFor(syntaxError, content, filename, 'script'));
      throw syntaxError;
    }
    const { exports } = this;
    return Reflect.apply(wrapper, exports, [exports, requireOf(this), this, filename, folderOf(filename)]);
  };

  function compileText(content: string, filename: string): EditedText {
    try {
      return cjsCode(content, {
        strict: options.strict,
        followsAwait: options.awaits.isFollowed(content, filename),
        wrap: isPatched() ? Module.wrap : undefined,
      });
    } catch (error) {
      const syntaxError = asSyntaxError(error, content, 'script');
      setArrow(syntaxError, arrowFor(syntaxError, content, filename, 'script'));
      throw syntaxError;
    }
  }

  /** The format of a `.js` or `.ts` file, if its package or its name says it. */
  const formatOf = (filename: string): 'module' | 'commonjs' | undefined => {
    if (/\.c[jt]s$/.test(filename)) return 'commonjs';
    const type = packages.scopeOf(filename)?.type;
    return type === 'module' || type === 'commonjs' ? type : undefined;
  };

  const fileOf = (module: CjsModule | null | undefined) => module?.filename ?? undefined;

  const loadModule: Extension = (module, filename) => {
    const from = fileOf(module.parent);
    if (!options.requiresModules) {
      const isModule = options.looksLikeModule(files.readText(filename));
      throw requireOfModule(filename, from, isModule ? undefined : packages.scopeOf(filename)?.path);
    }
    module.exports = options.requireEsm(filename, from);
  };
  const loadScript = function (module: CjsModule, filename: string): void {
    // For `require`, a file with another extension, or none, is CommonJS, whatever its package says.
    const format = /\.c?js$/.test(filename) ? formatOf(filename) : undefined;
    if (format === 'module') loadModule(module, filename);
    else module._compile(withoutBom(files.readText(filename)), filename, format);
  };
  const loadTyped: Extension = (module, filename) => {
    const format = formatOf(filename);
    if (format === 'module') return loadModule(module, filename);
    refuseInPackages(filename);
    const { text } = options.typescript.read(withoutBom(files.readText(filename)), filename);
    module._compile(text, filename, format);
  };
  Object.defineProperty(loadScript, 'name', { value: '' });
  Module._extensions['.js'] = loadScript;
  Module._extensions['.json'] = (module, filename) => {
    try {
      module.exports = parseJson(withoutBom(files.readText(filename)));
    } catch (error) {
      if (error instanceof Error) error.message = `${filename}: ${error.message}`;
      throw error;
    }
  };
  Module._extensions['.node'] = (_module, filename) => {
    throw nodeError(
      'ERR_DLOPEN_FAILED',
      `${filename}: native addons cannot be loaded in this workspace: it has no machine code`,
    );
  };
  const typed = options.typescript.mode === 'none' ? [] : ['.ts', '.cts'];
  for (const extension of ['.cjs', ...typed])
    Object.defineProperty(Module._extensions, extension, {
      value: extension === '.cjs' ? loadScript : loadTyped,
      writable: true,
      configurable: true,
    });
  for (const extension of ['.mjs', ...(typed.length > 0 ? ['.mts'] : [])])
    Object.defineProperty(Module._extensions, extension, {
      value: loadModule,
      writable: true,
      configurable: true,
    });

  function requireOf(module: CjsModule) {
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

  Module.createRequire = (from) => {
    let path: string;
    if (from instanceof URL || (typeof from === 'string' && from.startsWith('file:')))
      path = pathOfUrl(new URL(from));
    else if (typeof from === 'string' && from.startsWith('/')) path = from;
    else
      throw argValueError(
        'filename',
        from,
        'must be a file URL object, file URL string, or absolute path string',
      );
    const module = new Module(path);
    module.filename = path;
    module.paths = modulePaths(path.endsWith('/') ? path.replace(/(?<=.)\/$/, '') : folderOf(path));
    return requireOf(module);
  };
  Module._preloadModules = (requests) => {
    const module = new Module('internal/preload', null);
    module.path = options.mainFolder();
    module.paths = modulePaths(options.mainFolder());
    preloading = true;
    for (const request of requests) module.require(request);
    preloading = false;
  };
  Module.Module = Module;
  Object.defineProperty(Module, 'name', { value: 'Module' });
  Object.defineProperty(Module.prototype, 'isPreloading', {
    get: () => preloading,
    configurable: true,
    enumerable: false,
  });

  return { Module, requireOf, formatOf };
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isProxy(value);
}

// Called as a plain function, as in node, because the stack trace shows the difference.
const { parse: parseJson } = JSON;

export type Cjs = ReturnType<typeof makeCjs>;

/** The conditions that a hook gives. Undefined means the default ones. */
export function conditionsOf(given: unknown, name: string): ReadonlySet<string> | undefined {
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) throw argValueError(name, given, 'expected an array');
  return new Set(given as string[]);
}

const CYCLE_ADVICE =
  ' A cycle involving require(esm) is not allowed to maintain invariants mandated by the ECMAScript specification. Try making at least part of the dependency in the graph lazily loaded.';

export function requireCycle(path: string, from: string | undefined, more = CYCLE_ADVICE): Error {
  return nodeError(
    'ERR_REQUIRE_CYCLE_MODULE',
    `Cannot require() ES Module ${path} in a cycle.${from === undefined ? '' : ` (from ${from})`}${more}`,
  );
}

/** The error for a required ECMAScript module under `--no-experimental-require-module`. */
function requireOfModule(path: string, from: string | undefined, packagePath: string | undefined): Error {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const why = path.endsWith('.mjs')
    ? `\nInstead change the require of ${path} to a dynamic import() which is available in all CommonJS modules.`
    : packagePath === undefined
      ? `\nInstead change the require of ${name} in ${from} to a dynamic import() which is available in all CommonJS modules.`
      : `\n${name} is treated as an ES module file as it is a .js file whose nearest parent package.json contains "type": "module" which declares all .js files in that package scope as ES modules.\nInstead either rename ${name} to end in .cjs, change the requiring code to use dynamic import() which is available in all CommonJS modules, or change "type": "module" to "type": "commonjs" in ${packagePath} to treat all .js files as CommonJS (using .mjs for all ES modules instead).\n`;
  return nodeError(
    'ERR_REQUIRE_ESM',
    `require() of ES Module ${path}${from === undefined ? '' : ` from ${from}`} not supported.${why}`,
  );
}

/** Throws for files in packages, where node does not strip types. `name` is a path or a URL. */
export function refuseInPackages(name: string): void {
  if (name.includes('/node_modules/'))
    throw nodeError(
      'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
      `Stripping types is currently unsupported for files under node_modules, for "${name}"`,
    );
}

export function withoutBom(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function longestExtension(filename: string, known: Record<string, unknown>): string {
  const name = filename.slice(filename.lastIndexOf('/') + 1);
  for (let at = name.indexOf('.', 1); at > 0; at = name.indexOf('.', at + 1))
    if (name.slice(at) in known) return name.slice(at);
  return '.js';
}
