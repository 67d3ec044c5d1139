import type { LoadBuiltin, MakeBuiltin, NodeHost } from './builtin.ts';
import { builtins as shared } from './index.ts';
import { each, take } from './async/context.ts';
import { nodeError } from './internal/errors.ts';
import type { FsCore } from '../fs/core.ts';
import type { FolderNames, NodeStat, SharedImage } from '../../shared/wire.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { AwaitTracking } from '../loader/await-code.ts';
import { makeCjs, type Cjs } from '../loader/cjs.ts';
import { makeEsm, type Esm } from '../loader/esm.ts';
import { Hooks } from '../loader/hooks.ts';
import type { LoaderFiles } from '../loader/files.ts';
import { ImageFiles } from '../loader/image-files.ts';
import { KnownPaths } from '../loader/known-paths.ts';
import { Packages } from '../loader/packages.ts';
import { Resolver, SCHEME_ONLY } from '../loader/resolve.ts';
import type { MakeLexer } from '../loader/lexer/main.ts';
import type { TypeScript } from '../loader/typescript.ts';
import { usesHooks } from '../loader/uses-hooks.ts';
import type { Sources } from '../errors/sources.ts';

/** The builtins of a process. Each is made once, on first use. */
export class Builtins {
  readonly #makers: Readonly<Record<string, MakeBuiltin>>;
  readonly #made = new Map<string, unknown>();
  readonly #host: NodeHost;

  constructor(host: NodeHost, own: Readonly<Record<string, MakeBuiltin>>) {
    this.#host = host;
    this.#makers = { ...shared, ...own };
  }

  get names(): string[] {
    return Object.keys(this.#makers)
      .filter((name) => !name.startsWith('internal/'))
      .map((name) => (SCHEME_ONLY.has(name) ? `node:${name}` : name))
      .sort();
  }

  /** The names that work without a scheme, as `module.builtinModules` lists them. */
  get plainNames(): string[] {
    return this.names.filter((name) => !name.startsWith('node:'));
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#makers, name) && !name.startsWith('internal/');
  }

  isMade(name: string): boolean {
    return this.#made.has(name);
  }

  readonly load = ((name: string): unknown => {
    if (this.#made.has(name)) return this.#made.get(name);
    const make = Object.hasOwn(this.#makers, name) ? this.#makers[name] : undefined;
    if (!make) throw nodeError('ERR_UNKNOWN_BUILTIN_MODULE', `No such built-in module: ${name}`);
    const made = make(this.#host, this.load);
    this.#made.set(name, made);
    return made;
  }) as LoadBuiltin;
}

export interface ModulesOptions {
  readonly link: KernelLink;
  readonly builtins: Builtins;
  readonly sources: Sources;
  readonly core: () => FsCore;
  readonly cwd: () => string;
  readonly conditions: readonly string[];
  readonly warn: (text: string, code?: string) => void;
  readonly deprecated: (text: string, code: string) => void;
  /** Warns about a missing property in a cycle of modules. */
  readonly unfinished: (text: string) => void;
  /** Where `require` looks last. */
  readonly globalPaths: () => readonly string[];
  readonly requiresModules: boolean;
  readonly resolvesFrom: boolean;
  /** Whether `--use-strict` is set. */
  readonly strict: boolean;
  /** Called with the path of each loaded file. */
  readonly loaded: (path: string) => void;
  readonly images: readonly SharedImage[];
  /** `kept`: whether `--preserve-symlinks` is set. */
  readonly links: { readonly kept: boolean };
  readonly typescript: TypeScript;
  readonly lexer: () => MakeLexer;
}

export interface Modules {
  readonly cjs: Cjs;
  readonly esm: Esm;
  readonly resolver: Resolver;
  readonly files: LoaderFiles;
  readonly awaits: AwaitTracking;
  readonly hooks: Hooks;
  readonly typescript: TypeScript;
}

/** Makes the loaders of CommonJS and ES modules over the files of the workspace. */
export function makeModules(options: ModulesOptions): Modules {
  const { link, builtins, sources, cwd, warn, typescript } = options;
  const files = loaderFiles(options);
  const packages = new Packages(files);
  const resolver = new Resolver({
    files,
    packages,
    conditions: options.conditions,
    isBuiltin: (name) => builtins.has(name),
    cwd,
    deprecated: options.deprecated,
  });
  const builtin = (name: string) => builtins.load(name);
  const hooks = new Hooks();
  const awaits: AwaitTracking = {
    isFollowed: (text, path) =>
      /\bawait\b/.test(text) && (builtins.isMade('async_hooks') || usesHooks(text, path, files, resolver)),
    take,
    each,
  };
  const shared = { files, packages, resolver, sources, builtin, awaits, hooks, typescript };
  const cjs: Cjs = makeCjs({
    ...shared,
    builtinNames: builtins.names,
    mainFolder: cwd,
    importFrom: (url) => esm.importFrom(url),
    globalPaths: options.globalPaths,
    requiresModules: options.requiresModules,
    strict: options.strict,
    unfinished: options.unfinished,
    refusedModule: (path) =>
      warn(
        `Failed to load the ES module: ${path}. Make sure to set "type": "module" in the nearest package.json file or use the .mjs extension.`,
      ),
    requireEsm: (path, from, source) => esm.requireEsm(path, from, source),
    looksLikeModule: (text) => esm.looksLikeModule(text),
    isRunningEsm: (path) => esm.isRunning(path),
  });
  const esm: Esm = makeEsm({
    ...shared,
    cjs: () => cjs,
    lexer: options.lexer,
    codes: {
      find: (name) => link.findModuleCode(name),
      keep: (name, code) => link.keepModuleCode(name, code),
    },
    resolvesFrom: options.resolvesFrom,
    typeless: (url, path) =>
      warn(
        `Module type of ${url} is not specified and it doesn't parse as CommonJS.\nReparsing as ES module because module syntax was detected. This incurs a performance overhead.\nTo eliminate this warning, add "type": "module" to ${path}.`,
        'MODULE_TYPELESS_PACKAGE_JSON',
      ),
  });
  return { cjs, esm, resolver, files, awaits, hooks, typescript };
}

/** Makes the files of the workspace and of images as the loaders read them. */
function loaderFiles({
  link,
  core,
  loaded,
  links,
  images,
}: Pick<ModulesOptions, 'link' | 'core' | 'loaded' | 'links' | 'images'>): LoaderFiles {
  const programs = images.map((image) => new ImageFiles(image));
  const holding = (path: string) => programs.find((program) => program.holds(path));
  const known = new KnownPaths({
    version: () => link.namesVersion,
    look: (path) => link.look(path),
    names: (folder) => typesOf(link.namesIn(folder)),
    realpath: (path) => String(core().realpath(path)),
  });
  return {
    look(path) {
      const program = holding(path);
      if (program) return program.look(path);
      const found = known.look(path);
      return found === undefined || found === 'directory' ? found : 'file';
    },
    readText(path) {
      loaded(path);
      return holding(path)?.read(path) ?? String(core().readFile(path, 'utf8'));
    },
    // There are no links in an image.
    realpath: (path) => (links.kept || holding(path)?.look(path) ? path : known.realpath(path)),
  };
}

function typesOf(names: FolderNames | null): ReadonlyMap<string, NodeStat['type']> | null {
  if (!names) return null;
  const types = new Map<string, NodeStat['type']>();
  for (const name of names.files) types.set(name, 'file');
  for (const name of names.folders) types.set(name, 'directory');
  for (const name of names.links) types.set(name, 'symlink');
  return types;
}
