import { argTypeError, nodeError } from '../builtins/internal/errors.ts';
import type { Sources } from '../errors/sources.ts';
import { keepPlace, pointedAt, setArrow } from '../errors/uncaught.ts';
import {
  conditionsOf,
  evaluate,
  refuseInPackages,
  requireCycle,
  withoutBom,
  type AwaitTracking,
  type Cjs,
} from './cjs.ts';
import { positionAt } from './edits.ts';
import { esmCode, type EsmCode } from './esm-code.ts';
import { fileUrl, folderOf, pathOfUrl, type LoaderFiles } from './files.ts';
import { isUsual, textOf, type HookContext, type Hooks, type Loaded, type Resolution } from './hooks.ts';
import { namespaceOf } from './namespace.ts';
import type { MakeLexer } from './lexer/main.ts';
import type { Packages } from './packages.ts';
import type { Resolved, Resolver } from './resolve.ts';
import { arrowFor, asSyntaxError, isModuleSyntax } from './syntax-errors.ts';
import { asIs, type JavaScriptText, type TypeScript } from './typescript.ts';

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
  /** Set by `--experimental-import-meta-resolve`. */
  readonly resolvesFrom: boolean;
  /** Warns about an ECMAScript module whose package gives no type. */
  readonly typeless: (url: string, packagePath: string) => void;
}

type Getters = Record<string, () => unknown>;
type Steps = Generator<undefined, void> | AsyncGenerator<undefined, void>;

/** One module of the graph. */
interface ModuleRecord {
  readonly url: string;
  readonly code?: EsmCode;
  /** Returns the code that tracks each `await`, where that is needed. That is known only once the whole graph is read. */
  readonly following?: () => EsmCode | undefined;
  readonly name: string;
  /** The record of each request, in order. */
  requested: ModuleRecord[];
  /** An accessor for each of its exports, including re-exports. */
  readonly bindings: Record<string, unknown>;
  /** The getter of each exported name. Filled in while linking. */
  readonly exports: Map<string, () => unknown>;
  namespace?: object;
  /** The namespace that `require` returns, with `__esModule`. */
  marked?: object;
  state: 'new' | 'linking' | 'linked' | 'evaluating' | 'evaluated';
  steps?: Steps;
  /** Runs a module of another kind, and returns getters of its exports. */
  readonly run?: () => Getters;
  /** The exported names of a module of another kind, known before it runs. */
  readonly names?: readonly string[];
  /** The path of a CommonJS script. */
  readonly script?: string;
  isAsync: boolean;
  /** The offset in its text where it currently awaits. */
  readonly at: { place: number };
  /** Set once it is being evaluated asynchronously. */
  done?: Promise<void>;
  failed?: { readonly error: unknown };
}

/** Makes the ECMAScript loader, which reads the whole graph of a module, links it and runs it in order. */
export function makeEsm(options: EsmOptions) {
  let lexer: ReturnType<MakeLexer> | undefined;
  const lexCjs = (text: string) => (lexer ??= options.lexer()())(text);
  const { files, packages, resolver, sources, typescript } = options;
  const records = new Map<string, ModuleRecord>();
  /** Modules with a top-level await that are running. */
  const pending = new Set<ModuleRecord>();
  /** Each of these copies the current members of one builtin. */
  const builtinTakes: (() => void)[] = [];
  const found = new Map<string, Resolved>();
  /** The main module of the program. */
  let program: ModuleRecord | undefined;

  function urlOf(resolved: Resolved): string {
    if (resolved.kind === 'builtin') return `node:${resolved.name}`;
    return resolved.kind === 'file' ? fileUrl(resolved.path) + (resolved.suffix ?? '') : resolved.url;
  }

  function newRecord(url: string, more: Partial<ModuleRecord> = {}): ModuleRecord {
    const record: ModuleRecord = {
      url,
      name: url,
      requested: [],
      bindings: Object.create(null) as Record<string, unknown>,
      exports: new Map(),
      state: 'new',
      isAsync: false,
      at: { place: 0 },
      ...more,
    };
    records.set(url, record);
    return record;
  }

  function load(resolved: Resolved, attributes: Readonly<Record<string, string>>): ModuleRecord {
    const url = urlOf(resolved);
    const type = attributes.type;
    if (resolved.kind === 'data') {
      refuseScheme(url);
      refuseUnknownData(url);
    }
    if (type !== undefined && type !== 'json')
      throw nodeError(
        'ERR_IMPORT_ATTRIBUTE_UNSUPPORTED',
        `Import attribute "type" with value "${type}" is not supported in ${url}`,
        TypeError,
      );
    const [odd] = Object.entries(attributes).filter(([name]) => name !== 'type');
    if (odd)
      throw nodeError(
        'ERR_IMPORT_ATTRIBUTE_UNSUPPORTED',
        `Import attribute "${odd[0]}" with value "${odd[1]}" is not supported in ${url}`,
        TypeError,
      );
    const known = records.get(url);
    const isJson =
      resolved.kind === 'file' ? resolved.path.endsWith('.json') : /^data:application\/json/.test(url);
    if (isJson && type !== 'json')
      throw nodeError(
        'ERR_IMPORT_ATTRIBUTE_MISSING',
        `Module "${url}" needs an import attribute of "type: json"`,
        TypeError,
      );
    if (!isJson && type === 'json')
      throw nodeError(
        'ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE',
        `Module "${url}" is not of type "json"`,
        TypeError,
      );
    if (known) return known;
    if (resolved.kind === 'builtin') return builtinRecord(url, resolved.name);
    if (resolved.kind === 'data') return dataRecord(url);
    const { path } = resolved;
    if (isJson) return jsonRecord(url, path);
    return fileRecord(url, path);
  }

  function loadNamed(
    specifier: string,
    parentURL: string,
    attributes: Readonly<Record<string, string>>,
  ): ModuleRecord {
    const { hooks } = options;
    if (!hooks.isForImports) {
      // A specifier keeps its first result, whatever happens to the file later.
      const key = `${specifier}\n${parentURL}`;
      const resolved = found.get(key) ?? resolver.import(specifier, parentURL);
      const record = load(resolved, attributes);
      found.set(key, resolved);
      return record;
    }
    const context = contextOf(parentURL, attributes);
    const { url, format, importAttributes } = resolveHooked(specifier, context);
    const known = records.get(url);
    if (known) return known;
    let usual: Loaded | undefined;
    const given = { ...context, importAttributes: importAttributes ?? context.importAttributes, format };
    const loaded = hooks.load(url, given, (to, more) => {
      const plain = () => {
        const answer = usualLoad(to, more);
        if (to === url) usual = answer;
        return answer;
      };
      return hooks.thread ? hooks.thread.load(to, more, plain) : plain();
    });
    const isFile = loaded.format === 'builtin' || (loaded.source === null && loaded.format === 'commonjs');
    if (isFile || isUsual(loaded, usual)) return load(resolvedOf(url), given.importAttributes);
    return hookedRecord(url, loaded);
  }

  function contextOf(parentURL: string, attributes: Readonly<Record<string, string>>) {
    return {
      conditions: resolver.conditions.import,
      importAttributes: Object.assign(Object.create(null) as Record<string, string>, attributes),
      parentURL,
    };
  }

  function resolveHooked(specifier: string, context: HookContext): Resolution {
    const { hooks } = options;
    return hooks.resolve(specifier, context, (asked, more) =>
      hooks.thread ? hooks.thread.resolve(asked, more) : usualResolve(asked, more),
    );
  }

  function usualResolve(specifier: string, { parentURL, conditions }: HookContext): Resolution {
    const resolved = resolver.import(specifier, parentURL ?? 'data:', conditionsOf(conditions, 'conditions'));
    return { url: urlOf(resolved), format: formatOf(resolved) };
  }

  function refuseScheme(url: string): void {
    const { protocol } = new URL(url);
    if (!/^(?:file|data|node):$/.test(protocol))
      throw nodeError(
        'ERR_UNSUPPORTED_ESM_URL_SCHEME',
        `Only URLs with a scheme in: ${/^https?:$/.test(protocol) ? 'file and data' : 'file, data, and node'} are supported by the default ESM loader. Received protocol '${protocol}'`,
      );
  }

  function usualLoad(url: string, { format: given }: HookContext): Loaded {
    refuseScheme(url);
    const format = given ?? formatOf(resolvedOf(url));
    return { format, source: url.startsWith('file:') ? bytesAt(pathOfUrl(new URL(url))) : null };
  }

  /** The default `load` for hooks in their own thread. Scripts have no source there, because `require` reads them. */
  function usualInThread(url: string, context: HookContext): Loaded {
    refuseScheme(url);
    const resolved = resolvedOf(url);
    if (resolved.kind !== 'file') return { format: context.format ?? formatOf(resolved), source: null };
    const { path } = resolved;
    const isScript = /\.js$|\/[^./]*$/.test(path) || typescript.isFor(path);
    const format =
      context.format ??
      formatOf(resolved) ??
      (isScript ? (looksLikeModule(readAs(path, path).text) ? 'module' : 'commonjs') : undefined);
    if (format === undefined) throw unknownExtension(path);
    return { format, source: format.startsWith('commonjs') ? null : bytesAt(path) };
  }

  function unknownExtension(path: string): Error {
    const extension = /\.[^./]*$/.exec(path)?.[0] ?? '';
    return nodeError(
      'ERR_UNKNOWN_FILE_EXTENSION',
      `Unknown file extension "${extension}" for ${path}`,
      TypeError,
    );
  }

  /** The content of a file, in the form that hooks get. */
  function bytesAt(path: string): unknown {
    const { Buffer } = options.builtin('buffer') as { Buffer: { from(text: string): unknown } };
    return Buffer.from(files.readText(path));
  }

  function hookedRecord(url: string, { format, source }: Loaded): ModuleRecord {
    const text = textOf(source);
    switch (format) {
      case 'module':
      case 'module-typescript':
        return esmRecord(url, url, format === 'module' ? asIs(text) : typescript.read(text, url));
      case 'json':
        return valueRecord(url, () => parseJson(text, url));
      case 'commonjs':
      case 'commonjs-typescript':
        return cjsTextRecord(url, text);
      case undefined:
        return looksLikeModule(text) ? esmRecord(url, url, asIs(text)) : cjsTextRecord(url, text);
      default:
        throw nodeError(
          'ERR_UNKNOWN_MODULE_FORMAT',
          `Unknown module format: ${String(format)} for URL ${url}`,
          RangeError,
        );
    }
  }

  /** A CommonJS script whose text comes from a hook instead of its file. */
  function cjsTextRecord(url: string, text: string): ModuleRecord {
    const { Module } = options.cjs();
    const path = url.startsWith('file:') ? pathOfUrl(new URL(url)) : url;
    const names = [...new Set(['default', ...lexCjs(text).exports])];
    return newRecord(url, {
      names,
      run() {
        const module = new Module(path);
        module.filename = path;
        module.paths = Module._nodeModulePaths(folderOf(path));
        Module._cache[path] = module;
        module._compile(text, path, 'commonjs');
        module.loaded = true;
        const { exports } = module;
        const valueOf = (name: string) =>
          name === 'default'
            ? exports
            : isThing(exports)
              ? (Reflect.get(exports, name) as unknown)
              : undefined;
        return Object.fromEntries(names.map((name) => [name, () => valueOf(name)]));
      },
    });
  }

  function resolvedOf(url: string): Resolved {
    if (url.startsWith('node:')) return { kind: 'builtin', name: url.slice('node:'.length) };
    if (!url.startsWith('file:')) return { kind: 'data', url };
    const { search, hash } = new URL(url);
    return { kind: 'file', path: pathOfUrl(new URL(url)), suffix: search + hash };
  }

  function formatOf(resolved: Resolved): string | undefined {
    if (resolved.kind !== 'file') return resolved.kind === 'builtin' ? 'builtin' : undefined;
    const extension = /\.[^./]*$/.exec(resolved.path)?.[0] ?? '';
    if (extension === '.json') return 'json';
    if (/^\.m[jt]s$/.test(extension)) return extension === '.mjs' ? 'module' : 'module-typescript';
    if (/^\.c[jt]s$/.test(extension)) return extension === '.cjs' ? 'commonjs' : 'commonjs-typescript';
    const type = packages.scopeOf(resolved.path)?.type;
    return type === 'module' || type === 'commonjs' ? type : undefined;
  }

  function parseJson(text: string, path: string): unknown {
    try {
      return parseText(withoutBom(text));
    } catch (error) {
      if (error instanceof Error) error.message = `${path}: ${error.message}`;
      throw error;
    }
  }

  /** A JSON module. Its value is the same object that `require` returns. */
  function jsonRecord(url: string, path: string): ModuleRecord {
    const { Module } = options.cjs();
    const cached = url === fileUrl(path) ? Module._cache[path] : undefined;
    if (cached?.loaded) return valueRecord(url, () => cached.exports);
    const exports = parseJson(files.readText(path), path);
    if (url === fileUrl(path))
      Module._cache[path] = Object.assign(new Module(path), { exports, loaded: true });
    return valueRecord(url, () => exports);
  }

  function valueRecord(url: string, value: () => unknown): ModuleRecord {
    return newRecord(url, {
      names: ['default'],
      run() {
        const it = value();
        return { default: () => it };
      },
    });
  }

  function builtinRecord(url: string, name: string): ModuleRecord {
    const exports = options.builtin(name);
    const members = isThing(exports) ? Object.keys(exports).filter((key) => key !== 'default') : [];
    // The members keep their values until `syncBuiltinESMExports`. Those with a getter are not read here, because some
    // load their value on first use.
    let taken = new Map<string, unknown>();
    const take = () => {
      const own = members.flatMap((key) => {
        const found = Object.getOwnPropertyDescriptor(exports, key);
        return found?.get ? [] : [[key, found?.value as unknown] as const];
      });
      taken = new Map(own);
    };
    builtinTakes.push(take);
    return newRecord(url, {
      names: ['default', ...members],
      run: () => {
        take();
        const getters: [string, () => unknown][] = members.map((key) => [
          key,
          () => (taken.has(key) ? taken.get(key) : (Reflect.get(exports as object, key) as unknown)),
        ]);
        return Object.fromEntries([...getters, ['default', () => exports]]);
      },
    });
  }

  function partsOfData(url: string): readonly [type: string, parameters: string, body: string] {
    const match = /^data:([^,;]*)((?:;[^,]*)*),([\s\S]*)$/.exec(url);
    const [, type = '', parameters = '', body = ''] = match ?? [];
    return [type, parameters, body];
  }

  function refuseUnknownData(url: string): void {
    const [type] = partsOfData(url);
    if (!/^(?:application\/json|(?:text|application)\/javascript)$/.test(type))
      throw nodeError(
        'ERR_UNKNOWN_MODULE_FORMAT',
        `Unknown module format: ${type} for URL ${url}`,
        RangeError,
      );
  }

  function dataRecord(url: string): ModuleRecord {
    const [type, parameters, body] = partsOfData(url);
    const text = parameters.endsWith(';base64')
      ? new TextDecoder().decode(Uint8Array.from(atob(body), (char) => char.charCodeAt(0)))
      : decodeURIComponent(body);
    if (type === 'application/json') return valueRecord(url, () => parseJson(text, url));
    return esmRecord(url, url, asIs(text));
  }

  function fileRecord(url: string, path: string): ModuleRecord {
    const extension = /\.[^./]*$/.exec(path)?.[0] ?? '';
    const isTyped = typescript.isFor(path);
    if (extension === '.mjs' || (isTyped && extension === '.mts'))
      return esmRecord(url, url, readAs(path, url));
    if (extension === '.cjs' || (isTyped && extension === '.cts')) return cjsRecord(url, path);
    if (extension === '.js' || isTyped || extension === '') {
      const scope = packages.scopeOf(path);
      if (scope?.type === 'module') return esmRecord(url, url, readAs(path, url));
      if (scope?.type === 'commonjs' || path in options.cjs().Module._cache) return cjsRecord(url, path);
      const reading = readAs(path, path);
      if (looksLikeModule(reading.text)) {
        if (scope) options.typeless(url, scope.path);
        return esmRecord(url, url, reading);
      }
      return cjsRecord(url, path);
    }
    throw unknownExtension(path);
  }

  /** Reads a file as JavaScript. Errors show `name`, which is a path or a URL. */
  function readAs(path: string, name: string): JavaScriptText {
    const text = withoutBom(files.readText(path));
    if (!typescript.isFor(path)) return asIs(text);
    refuseInPackages(name);
    return typescript.read(text, name);
  }

  function looksLikeModule(text: string): boolean {
    if (!/\b(?:import|export|await)\b/.test(text)) return false;
    try {
      (0, eval)(
        `(function (exports, require, module, __filename, __dirname) {${text.replace(/^#!/, '//')}\n})`,
      );
      return false;
    } catch (error) {
      return isModuleSyntax(error, text);
    }
  }

  function esmRecord(url: string, name: string, { text, shown, placed }: JavaScriptText): ModuleRecord {
    let code: EsmCode;
    try {
      code = esmCode(text);
    } catch (error) {
      const syntaxError = asSyntaxError(error, text, 'module');
      setArrow(syntaxError, arrowFor(syntaxError, text, name, 'module'));
      throw syntaxError;
    }
    sources.add(name, shown, placed(code.text));
    const following = () => {
      if (!options.awaits.isFollowed(text, name)) return undefined;
      const tracked = esmCode(text, true);
      sources.add(name, shown, placed(tracked.text));
      return tracked;
    };
    const record = newRecord(url, { code, following, name, isAsync: code.isAsync });
    try {
      record.requested = code.requests.map(({ specifier, attributes }) =>
        loadNamed(specifier, url, attributes),
      );
    } catch (error) {
      records.delete(url);
      throw error;
    }
    return record;
  }

  /** A CommonJS module in the graph. Its names are found without running it, as node's lexer does. */
  function cjsRecord(url: string, path: string): ModuleRecord {
    const { Module } = options.cjs();
    const names = new Set<string>(['default']);
    const cached = Module._cache[path];
    if (cached?.loaded && isThing(cached.exports))
      for (const key of Object.keys(cached.exports)) names.add(key);
    else for (const name of cjsNames(path, new Set())) names.add(name);
    return newRecord(url, {
      names: [...names],
      script: path,
      run() {
        const exports = Module._load(path, undefined, false);
        const getters: Getters = Object.create(null) as Getters;
        for (const name of names)
          getters[name] = () => (isThing(exports) ? (Reflect.get(exports, name) as unknown) : undefined);
        getters.default = () => exports;
        // Importers see the values that the exports had when the script ended.
        return Object.fromEntries(
          Object.entries(getters).map(([name, get]) => {
            const value = get();
            return [name, () => value];
          }),
        );
      },
    });
  }

  function cjsNames(path: string, seen: Set<string>): Iterable<string> {
    if (seen.has(path)) return [];
    seen.add(path);
    try {
      const { exports, reexports } = lexCjs(readAs(path, path).text);
      const names = new Set(exports);
      for (const request of reexports) {
        const { Module } = options.cjs();
        const parent = new Module(path);
        parent.filename = path;
        parent.paths = Module._nodeModulePaths(folderOf(path));
        const to =
          resolver.builtin(request) === undefined ? Module._resolveFilename(request, parent) : undefined;
        if (to !== undefined && /\.(?:c?js|ts|cts)$/.test(to))
          for (const name of cjsNames(to, seen)) names.add(name);
      }
      return names;
    } catch {
      // A script that cannot be read has no names. Running it will report the error.
      return [];
    }
  }

  /** Creates the getters of a graph's exports, so that modules in a cycle see each other before any of them runs. */
  function link(record: ModuleRecord): void {
    if (record.state !== 'new') return;
    record.state = 'linking';
    const { code } = record;
    if (!code) {
      const run = record.run;
      let getters: Getters | undefined;
      for (const name of record.names ?? []) record.exports.set(name, () => getters?.[name]?.());
      define(record);
      record.state = 'linked';
      Object.assign(record, {
        steps: (function* (): Generator<undefined, void> {
          getters = run?.();
          yield;
        })(),
      });
      return;
    }
    for (const each of record.requested) link(each);
    instantiate(record, code);
    record.state = 'linked';
  }

  function instantiate(record: ModuleRecord, code: EsmCode): void {
    const meta = metaOf(record);
    const { text } = record.following?.() ?? code;
    const make = evaluate(text.code, record.name) as (...args: unknown[]) => Steps;
    let taken: Getters = {};
    record.steps = make(
      (getters: Getters) => (taken = getters),
      meta,
      importFrom(record.url),
      record.at,
      options.awaits.take,
      options.awaits.each,
      ...record.requested.map(({ bindings }) => bindings),
      ...code.namespaces.map((from) => namespace(at(record.requested, from))),
    );
    // The first step passes on the getters.
    void record.steps.next();
    for (const name of code.exports) record.exports.set(name, taken[name] ?? (() => undefined));
    const made = record.exports.get('default');
    if (made) record.exports.set('default', () => readDefault(made));
  }

  /** Adds the names that are re-exported from other modules, once each module of the graph has its own. */
  function join(record: ModuleRecord, seen = new Set<ModuleRecord>()): void {
    if (seen.has(record)) return;
    seen.add(record);
    for (const each of record.requested) join(each, seen);
    if (!record.code || record.state !== 'linked') return;
    const resolved = new Map<string, () => unknown>();
    for (const name of namesOf(record)) {
      const found = find(record, name, new Set());
      if (typeof found === 'function') resolved.set(name, found);
    }
    for (const [name, get] of resolved) record.exports.set(name, get);
    define(record);
  }

  function namesOf(record: ModuleRecord, seen = new Set<ModuleRecord>()): Set<string> {
    const names = new Set<string>();
    if (seen.has(record)) return names;
    seen.add(record);
    if (!record.code) return new Set(record.names);
    for (const name of record.code.exports) names.add(name);
    for (const { exported } of record.code.reexports) names.add(exported);
    for (const from of record.code.stars)
      for (const name of namesOf(at(record.requested, from), seen)) if (name !== 'default') names.add(name);
    return names;
  }

  /** The getter of an exported name. Undefined where there is none, `ambiguous` where there are two. */
  function find(
    record: ModuleRecord,
    name: string,
    seen: Set<string>,
  ): (() => unknown) | 'ambiguous' | undefined {
    const key = `${record.url}\n${name}`;
    if (seen.has(key)) return undefined;
    seen.add(key);
    const { code } = record;
    if (!code) return record.exports.get(name);
    if (code.exports.includes(name)) return record.exports.get(name);
    const reexport = code.reexports.find(({ exported }) => exported === name);
    if (reexport) {
      const from = at(record.requested, reexport.from);
      if (reexport.name === null) return () => namespace(from);
      return find(from, reexport.name, seen);
    }
    if (name === 'default') return undefined;
    let found: (() => unknown) | 'ambiguous' | undefined;
    for (const from of code.stars) {
      const next = find(at(record.requested, from), name, seen);
      if (next === undefined) continue;
      if (next === 'ambiguous' || (found !== undefined && found !== next)) return 'ambiguous';
      found = next;
    }
    return found;
  }

  function define(record: ModuleRecord): void {
    for (const [name, get] of record.exports)
      Object.defineProperty(record.bindings, name, {
        get,
        set: refuse,
        enumerable: true,
        configurable: true,
      });
  }

  /** Throws where an imported name does not exist. */
  function check(record: ModuleRecord, seen = new Set<ModuleRecord>()): void {
    if (seen.has(record)) return;
    seen.add(record);
    for (const each of record.requested) check(each, seen);
    for (const { from, name, start, end } of record.code?.imports ?? []) {
      const target = at(record.requested, from);
      const found = find(target, name, new Set());
      if (typeof found === 'function') continue;
      const specifier = record.code?.requests[from]?.specifier ?? '';
      const what =
        found === 'ambiguous'
          ? `The requested module '${specifier}' contains conflicting star exports for name '${name}'`
          : target.names && /\.c?js$/.test(target.url)
            ? cjsHint(specifier, name, lineAt(record, start))
            : `The requested module '${specifier}' does not provide an export named '${name}'`;
      const error = new SyntaxError(what);
      const { line, column } = placeOf(record, start);
      setArrow(
        error,
        pointedAt(record.name, line, sources.line(record.name, line) ?? '', column, end - start).trimEnd(),
      );
      throw error;
    }
  }

  function placeOf({ name }: ModuleRecord, start: number) {
    return positionAt(sources.text(name) ?? '', start);
  }

  function lineAt(record: ModuleRecord, start: number): string {
    return sources.line(record.name, placeOf(record, start).line) ?? '';
  }

  function cjsHint(specifier: string, name: string, line: string): string {
    const [names] = /\{.*\}/.exec(line) ?? [];
    const taken = names === undefined ? '' : `const ${names.replace(/\s+as\s+/g, ': ')} = pkg;\n`;
    return `Named export '${name}' not found. The requested module '${specifier}' is a CommonJS module, which may not support all module.exports as named exports.\nCommonJS modules can always be imported via the default export, for example using:\n\nimport pkg from '${specifier}';\n${taken}`;
  }

  function namespace(record: ModuleRecord): object {
    const names = () =>
      record.state === 'new' || record.state === 'linking' ? undefined : [...record.exports.keys()];
    return (record.namespace ??= namespaceOf(names, record.bindings));
  }

  function metaOf(record: ModuleRecord): object {
    const meta: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    if (record.url.startsWith('file:')) {
      const path = pathOfUrl(new URL(record.url));
      meta.dirname = folderOf(path);
      meta.filename = path;
    }
    meta.main = record === program;
    meta.resolve = (asked: unknown, given: unknown = record.url) => {
      const specifier = String(asked);
      const parent = options.resolvesFrom ? given : record.url;
      if (typeof parent !== 'string' && !(parent instanceof URL))
        throw argTypeError('parentURL', ['string', 'URL'], parent);
      try {
        return options.hooks.isForImports
          ? resolveHooked(specifier, contextOf(String(parent), {})).url
          : urlOf(resolver.import(specifier, String(parent)));
      } catch (error) {
        const url: unknown = error instanceof Error && 'url' in error ? error.url : undefined;
        const isMissing =
          error instanceof Error &&
          'code' in error &&
          (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'ERR_UNSUPPORTED_DIR_IMPORT');
        if (isMissing && typeof url === 'string') return url;
        throw error;
      }
    };
    meta.url = record.url;
    return meta;
  }

  function isGraphAsync(record: ModuleRecord, seen = new Set<ModuleRecord>()): boolean {
    return record.state !== 'evaluated' && awaits(record, seen, (each) => isGraphAsync(each, seen));
  }

  /** Whether any module of the graph has a top-level await, even if it is evaluated already. */
  function hasAwait(record: ModuleRecord, seen = new Set<ModuleRecord>()): boolean {
    return awaits(record, seen, (each) => hasAwait(each, seen));
  }

  function awaits(
    record: ModuleRecord,
    seen: Set<ModuleRecord>,
    isOther: (each: ModuleRecord) => boolean,
  ): boolean {
    if (seen.has(record)) return false;
    seen.add(record);
    return record.isAsync || record.requested.some(isOther);
  }

  /** Throws where a module of the graph that `require` wants to run is running already. */
  function refuseCycles(record: ModuleRecord, seen = new Set<ModuleRecord>()): void {
    if (seen.has(record) || record.state === 'evaluated') return;
    seen.add(record);
    for (const [index, each] of record.requested.entries()) {
      const module = each.script === undefined ? undefined : options.cjs().Module._cache[each.script];
      if (isInRun(each) || module?.loaded === false)
        throw nodeError(
          'ERR_REQUIRE_CYCLE_MODULE',
          `Cannot import ${isInRun(each) ? '' : 'CommonJS '}Module ${record.code?.requests[index]?.specifier} in a cycle. (from ${pathOr(record.url)})`,
        );
      refuseCycles(each, seen);
    }
  }

  /** Whether the module is running synchronously. One that awaits is not. */
  function isInRun({ state, done, failed }: ModuleRecord): boolean {
    return state === 'evaluating' && !done && !failed;
  }

  const pathOr = (url: string) => (url.startsWith('file:') ? pathOfUrl(new URL(url)) : url);

  /** Adds node's explanation to errors about names that only scripts have, such as `require`. */
  function explained(error: unknown, record: ModuleRecord): unknown {
    if (!(error instanceof ReferenceError)) return error;
    const name = /^(require|module|exports|__filename|__dirname) is not defined$/.exec(error.message)?.[1];
    if (name === undefined) return error;
    const before = error.message;
    const scope = /^file:.*\.js(?:\?[^#]*)?(?:#.*)?$/.test(record.url)
      ? packages.scopeOf(pathOr(record.url))
      : undefined;
    if (record.isAsync) {
      error.message =
        'Cannot determine intended module format because both require() and top-level await are present. If the code is intended to be CommonJS, wrap await in an async function. If the code is intended to be an ES module, replace require() with import.';
      Object.assign(error, { code: 'ERR_AMBIGUOUS_MODULE_SYNTAX' });
    } else {
      error.message += ` in ES module scope${name === 'require' ? ', you can use import instead' : ''}`;
      if (scope?.type === 'module')
        error.message += `\nThis file is being treated as an ES module because it has a '.js' file extension and '${scope.path}' contains "type": "module". To treat it as a CommonJS script, rename it to use the '.cjs' file extension.`;
    }
    const { message, stack } = error;
    Object.defineProperty(error, 'stack', {
      value: stack?.includes(message) ? stack : stack?.replace(before, () => message),
      configurable: true,
      writable: true,
    });
    return error;
  }

  /** Runs the graph of a module without top-level await. */
  function runNow(record: ModuleRecord): void {
    if (record.failed) throw record.failed.error;
    if (record.state === 'evaluating' || record.state === 'evaluated') return;
    record.state = 'evaluating';
    try {
      for (const each of record.requested) runNow(each);
      void record.steps?.next();
      record.state = 'evaluated';
    } catch (error) {
      record.failed = { error };
      throw error;
    }
  }

  /** Runs a module after its imports. Those with a top-level await run at the same time. */
  function runLater(record: ModuleRecord): Promise<void> {
    if (record.done) return record.done;
    if (record.failed) return Promise.reject(record.failed.error);
    if (record.state === 'evaluating' || record.state === 'evaluated') return Promise.resolve();
    if (!isGraphAsync(record)) {
      try {
        runNow(record);
        return Promise.resolve();
      } catch (error) {
        return Promise.reject(error);
      }
    }
    record.state = 'evaluating';
    const work = async () => {
      try {
        const waits: Promise<void>[] = [];
        for (const each of record.requested) {
          if (each.done) waits.push(each.done);
          else if (isGraphAsync(each)) waits.push(runLater(each));
          else runNow(each);
        }
        if (waits.length > 0) await Promise.all(waits);
        pending.add(record);
        await record.steps?.next();
        record.state = 'evaluated';
      } catch (error) {
        record.failed = { error };
        throw error;
      } finally {
        pending.delete(record);
      }
    };
    record.done = work();
    record.done.catch(() => {});
    return record.done;
  }

  function prepared(record: ModuleRecord): ModuleRecord {
    if (record.state !== 'new') return record;
    try {
      link(record);
      join(record);
      // The second pass resolves `export *` in cycles, which needs all other names.
      join(record);
      check(record);
    } catch (error) {
      // The records are dropped, so that the next import of them fails with the same error.
      for (const [url, each] of records)
        if (each.code && each.state !== 'evaluated' && each.state !== 'evaluating') records.delete(url);
      throw error;
    }
    return record;
  }

  function importFrom(url: string) {
    return async (specifier: unknown, how?: unknown): Promise<unknown> => {
      const attributes: unknown = isThing(how) ? Reflect.get(how, 'with') : undefined;
      const record = loadNamed(
        String(specifier),
        url,
        isThing(attributes) ? (attributes as Record<string, string>) : {},
      );
      // Messages that the thread of the hooks has sent meanwhile come first.
      if (options.hooks.thread) await new Promise((resolve) => setImmediate(resolve));
      return imported(record);
    };
  }

  async function importUrl(
    resolved: Resolved,
    attributes: Readonly<Record<string, string>> = {},
  ): Promise<unknown> {
    return imported(load(resolved, attributes));
  }

  /** Runs the program of the process. `parent` is the URL of the folder in which it started. */
  async function runProgram(resolved: Resolved, parent: string): Promise<unknown> {
    const { isForImports } = options.hooks;
    program = isForImports ? loadNamed(urlOf(resolved), parent, {}) : load(resolved, {});
    return imported(program);
  }

  async function imported(found: ModuleRecord): Promise<unknown> {
    const record = prepared(found);
    // These turns match the order in which node settles what the program awaits: a module starts only after them.
    for (let turns = 0; turns < 3; turns++) await undefined;
    await runProperly(record);
    return namespace(record);
  }

  async function runProperly(record: ModuleRecord): Promise<void> {
    try {
      await runLater(record);
    } catch (error) {
      throw explained(error, record);
    }
  }

  /** Runs a module for `require`, and returns its exports. */
  function requireEsm(path: string, from: string | undefined, source?: string): unknown {
    // A module that comes from a hook may have a URL in place of a path.
    const url = path.startsWith('/') ? fileUrl(path) : path;
    const reading = () =>
      source === undefined ? readAs(path, url) : typescript.readingOf(path, withoutBom(source));
    const record = prepared(records.get(url) ?? esmRecord(url, url, reading()));
    if (record.code && isInRun(record)) throw requireCycle(path, from);
    if (hasAwait(record))
      throw nodeError(
        'ERR_REQUIRE_ASYNC_MODULE',
        `require() cannot be used on an ESM graph with top-level await. Use import() instead. To see where the top-level await comes from, use --experimental-print-required-tla.${from === undefined ? '' : `\n  From ${from} `}\n  Requiring ${path} `,
      );
    refuseCycles(record);
    try {
      runNow(record);
    } catch (error) {
      keepPlace(sources, error);
      throw explained(error, record);
    }
    const own = namespace(record);
    if (record.exports.has('module.exports')) return Reflect.get(own, 'module.exports');
    if (!record.exports.has('default') || record.exports.has('__esModule')) return own;
    // Code that was compiled from modules looks for `__esModule`.
    return (record.marked ??= namespaceOf(
      () => [...record.exports.keys(), '__esModule'],
      Object.defineProperty(Object.create(record.bindings) as typeof record.bindings, '__esModule', {
        value: true,
        enumerable: true,
      }),
    ));
  }

  return {
    importFrom,
    importUrl,
    runProgram,
    requireEsm,
    isRunning(path: string): boolean {
      const record = records.get(fileUrl(path));
      return record?.code !== undefined && isInRun(record);
    },
    looksLikeModule,
    readAs,
    syncBuiltins(): void {
      for (const take of builtinTakes) take();
    },
    /** The end of the chain for hooks in their own thread. */
    usual: { resolve: usualResolve, load: usualInThread },
    /** Runs text that comes from no file as a module with this URL. */
    runText(url: string, name: string, reading: JavaScriptText): Promise<void> {
      program = esmRecord(url, name, reading);
      return runProperly(prepared(program));
    },
    /** The modules of the program whose top-level await never settled, and its offset in their text. */
    unsettled: () =>
      [...pending]
        .filter((each) => !program || reaches(program, each))
        .map(({ name, at: { place } }) => ({ name, place })),
  };
}

export type Esm = ReturnType<typeof makeEsm>;

function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error('a module asks for one that it has not named');
  return found;
}

/** Reads a default export. An anonymous one has an internal name, which errors must not show. */
function readDefault(get: () => unknown): unknown {
  try {
    return get();
  } catch (error) {
    if (error instanceof ReferenceError) {
      const named = (text: string) => text.replace("'__vtr_default'", "'default'");
      error.message = named(error.message);
      Object.defineProperty(error, 'stack', {
        value: named(error.stack ?? ''),
        configurable: true,
        writable: true,
      });
    }
    throw error;
  }
}

function reaches(from: ModuleRecord, to: ModuleRecord, seen = new Set<ModuleRecord>()): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return from.requested.some((each) => reaches(each, to, seen));
}

function refuse(): never {
  throw new TypeError('Assignment to constant variable.');
}

// Called as a plain function, as in node, because the stack trace shows the difference.
const { parse: parseText } = JSON;

function isThing(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
