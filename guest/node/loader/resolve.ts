import { nodeError, unknownBuiltin } from '../builtins/internal/errors.ts';
import { fileUrl, folderOf, joined, pathOfUrl, type LoaderFiles, type PackageJson } from './files.ts';
import type { Packages } from './packages.ts';
import { exportTarget, importTarget } from './targets.ts';

export interface ResolveOptions {
  readonly files: LoaderFiles;
  readonly packages: Packages;
  /** Takes a name without `node:`. */
  readonly isBuiltin: (name: string) => boolean;
  /** The values of `--conditions`. */
  readonly conditions: readonly string[];
  /** The folder in which the hints of errors look for relative names. */
  readonly cwd: () => string;
  /** Emits a deprecation warning. */
  readonly deprecated: (text: string, code: string) => void;
}

/** The result of resolving a specifier: a builtin, a file or a `data:` URL. */
export type Resolved =
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string; readonly suffix?: string }
  | { readonly kind: 'data'; readonly url: string };

/** Resolves specifiers, for `require` and for `import`. */
export class Resolver {
  readonly #options: ResolveOptions;
  readonly #files: LoaderFiles;
  readonly #packages: Packages;
  readonly #requireConditions: ReadonlySet<string>;
  readonly #importConditions: ReadonlySet<string>;

  constructor(options: ResolveOptions) {
    this.#options = options;
    this.#files = options.files;
    this.#packages = options.packages;
    const more = options.conditions;
    this.#requireConditions = new Set(['require', 'node', 'node-addons', 'module-sync', ...more]);
    this.#importConditions = new Set(['node', 'import', 'module-sync', 'node-addons', ...more]);
  }

  /** The conditions of `require` and of `import`, as hooks get them. */
  get conditions(): { readonly require: readonly string[]; readonly import: readonly string[] } {
    return { require: [...this.#requireConditions], import: [...this.#importConditions] };
  }

  /** The name of a builtin without `node:`. Undefined where the specifier is no builtin. */
  builtin(specifier: string): string | undefined {
    const { isBuiltin } = this.#options;
    if (specifier.startsWith('node:')) return isBuiltin(specifier.slice(5)) ? specifier.slice(5) : undefined;
    return isBuiltin(specifier) && !SCHEME_ONLY.has(specifier) ? specifier : undefined;
  }

  /** Resolves `require(request)` in `folder`. Undefined where there is no file. `paths` are searched for bare names. */
  require(
    request: string,
    folder: string,
    paths: readonly string[],
    extensions: readonly string[],
    parentPath: string | undefined,
    conditions: ReadonlySet<string> = this.#requireConditions,
  ): string | undefined {
    if (isRelative(request) || request.startsWith('/'))
      return this.#fileOrFolder(joined(folder, request), request, extensions);
    const scope = request.startsWith('#') ? this.#packages.scopeOf(parentPath ?? `${folder}/x`) : undefined;
    if (scope?.imports !== undefined && scope.imports !== null) {
      const target = importTarget(scope, request, conditions, parentPath);
      if (!target)
        throw nodeError(
          'ERR_PACKAGE_IMPORT_NOT_DEFINED',
          `Package import specifier "${request}" is not defined in package ${scope.path}${parentPath ? ` imported from ${parentPath}` : ''}`,
          TypeError,
        );
      if ('path' in target) return this.#existing(target.path);
      return this.require(
        target.name,
        scope.folder,
        modulePaths(scope.folder),
        extensions,
        parentPath,
        conditions,
      );
    }
    const own = this.#self(request, parentPath ?? `${folder}/x`, conditions, parentPath);
    if (own !== undefined) return this.#existing(own);
    const { name, subpath } = split(request);
    for (const path of paths) {
      if (this.#files.look(path) !== 'directory') continue;
      const packageJson = name === '' ? undefined : this.#packages.at(`${path}/${name}`);
      if (packageJson && packageJson.exports !== undefined && packageJson.exports !== null)
        return this.#existing(exportTarget(packageJson, subpath, conditions));
      const found = this.#fileOrFolder(joined(path, request), request, extensions);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Resolves `import 'specifier'` in a module with this URL. Throws node's errors. */
  import(
    specifier: string,
    parentUrl: string,
    conditions: ReadonlySet<string> = this.#importConditions,
  ): Resolved {
    try {
      return this.#import(specifier, parentUrl, conditions);
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || !HINTED.has(String(error.code))) throw error;
      const hint = this.#required(specifier, parentUrl);
      if (hint === undefined || hint === specifier) throw error;
      const message = `${error.message}\nDid you mean to import ${JSON.stringify(hint)}?`;
      throw nodeError(String(error.code), message, Error, 'url' in error ? { url: error.url } : {});
    }
  }

  /** The specifier that would import the module that `require` finds by this name. Used as a hint in errors. */
  #required(specifier: string, parentUrl: string): string | undefined {
    if (!parentUrl.startsWith('file:')) return undefined;
    const parent = pathOfUrl(new URL(parentUrl));
    const request = specifier.startsWith('file:') ? pathOfUrl(new URL(specifier)) : specifier;
    let found: string | undefined;
    try {
      found = this.require(request, this.#options.cwd(), modulePaths(parent), HINT_EXTENSIONS, parent);
    } catch {
      return undefined;
    }
    if (found === undefined || request.startsWith('/')) return found;
    if (isRelative(request)) {
      const from = new URL('.', parentUrl).pathname.split('/').slice(0, -1);
      const to = new URL(fileUrl(found)).pathname.split('/');
      const same = from.findIndex((name, index) => name !== to[index]);
      const shared = same < 0 ? from.length : same;
      const up = '../'.repeat(from.length - shared);
      return `${up || './'}${to.slice(shared).join('/')}`;
    }
    const [name = ''] = request.split('/');
    const inside = found.split(`/node_modules/${name}/`);
    if (inside.length === 1) return fileUrl(found);
    return `${name}/${(inside.at(-1) ?? '').split('/').map(encodeURIComponent).join('/')}`;
  }

  #import(specifier: string, parentUrl: string, conditions: ReadonlySet<string>): Resolved {
    const builtin = this.builtin(specifier);
    if (builtin !== undefined) return { kind: 'builtin', name: builtin };
    if (specifier.startsWith('node:')) throw unknownBuiltin(specifier);
    if (specifier.startsWith('data:')) return { kind: 'data', url: specifier };
    const base = parentUrl.startsWith('file:') ? pathOfUrl(new URL(parentUrl)) : parentUrl;
    if (isRelative(specifier) || specifier.startsWith('/') || specifier.startsWith('file:')) {
      let url: URL;
      try {
        url = new URL(specifier, parentUrl);
      } catch {
        throw this.#unresolvable(specifier, parentUrl);
      }
      return this.#final(url, base);
    }
    if (specifier.startsWith('#')) return this.#hash(specifier, base, conditions);
    // A URL that cannot be loaded fails when it is loaded.
    if (URL.canParse(specifier)) return { kind: 'data', url: new URL(specifier).href };
    if (parentUrl.startsWith('data:')) throw this.#unresolvable(specifier, parentUrl);
    return this.#final(this.#bare(specifier, base, conditions), base);
  }

  #unresolvable(specifier: string, parentUrl: string): Error {
    return nodeError(
      'ERR_UNSUPPORTED_RESOLVE_REQUEST',
      `Failed to resolve module specifier "${specifier}" from "${parentUrl}": Invalid relative URL or base scheme is not hierarchical.`,
      TypeError,
    );
  }

  #hash(specifier: string, base: string, conditions: ReadonlySet<string>): Resolved {
    if (specifier === '#' || specifier.startsWith('#/'))
      throw nodeError(
        'ERR_INVALID_MODULE_SPECIFIER',
        `Invalid module "${specifier}" is not a valid internal imports specifier name imported from ${base}`,
        TypeError,
      );
    const scope = this.#packages.scopeOf(base);
    const target = scope && importTarget(scope, specifier, conditions, base);
    if (!target)
      throw nodeError(
        'ERR_PACKAGE_IMPORT_NOT_DEFINED',
        `Package import specifier "${specifier}" is not defined${scope ? ` in package ${scope.path}` : ''} imported from ${base}`,
        TypeError,
      );
    if ('path' in target) return this.#final(new URL(fileUrl(target.path)), base);
    return this.#import(target.name, fileUrl(`${scope.folder}/package.json`), conditions);
  }

  /** Resolves a package's own name inside the package, which works where it has `exports`. */
  #self(request: string, from: string, conditions: ReadonlySet<string>, base?: string): string | undefined {
    const scope = this.#packages.scopeOf(from);
    if (scope?.name === undefined || scope.exports === undefined || scope.exports === null) return undefined;
    if (request !== scope.name && !request.startsWith(`${scope.name}/`)) return undefined;
    return exportTarget(scope, `.${request.slice(scope.name.length)}`, conditions, base);
  }

  #bare(specifier: string, base: string, conditions: ReadonlySet<string>): URL {
    const { name, subpath } = split(specifier);
    if (specifier === '') throw this.#notFound(`Cannot find package ''`, base);
    if (name === '' || name.startsWith('.') || /[%\\]/.test(name))
      throw nodeError(
        'ERR_INVALID_MODULE_SPECIFIER',
        `Invalid module "${specifier}" is not a valid package name imported from ${base}`,
        TypeError,
      );
    const own = this.#self(specifier, base, conditions, base);
    if (own !== undefined) return new URL(fileUrl(own));
    for (const path of modulePaths(folderOf(base))) {
      const folder = `${path}/${name}`;
      if (this.#files.look(folder) !== 'directory') continue;
      const packageJson = this.#packages.at(folder);
      if (packageJson && packageJson.exports !== undefined && packageJson.exports !== null)
        return new URL(fileUrl(exportTarget(packageJson, subpath, conditions, base)));
      if (subpath !== '.') return new URL(subpath, `${fileUrl(folder)}/`);
      const main = this.#legacyMain(folder, packageJson);
      if (main !== undefined) {
        this.#warnLegacyMain(main, folder, packageJson, base);
        return new URL(fileUrl(main));
      }
      throw this.#notFound(`Cannot find package '${folder}'`, base, fileUrl(folder));
    }
    throw this.#notFound(`Cannot find package '${name}'`, base);
  }

  /** Warns where a package does not give the full file name of its main module. */
  #warnLegacyMain(path: string, folder: string, packageJson: PackageJson | undefined, base: string): void {
    const isModule = /\.m[jt]s$/.test(path) || this.#packages.scopeOf(path)?.type === 'module';
    const main = packageJson?.main;
    if (!isModule || (main !== undefined && joined(folder, main) === path)) return;
    const found = path.slice(folder.length + 1);
    this.#options.deprecated(
      main === undefined
        ? `No "main" or "exports" field defined in the package.json for ${folder}/ resolving the main entry point "${found}", imported from ${base}.\nDefault "index" lookups for the main are deprecated for ES modules.`
        : `Package ${folder}/ has a "main" field set to "${main}", excluding the full filename and extension to the resolved file at "${found}", imported from ${base}.\n Automatic extension resolution of the "main" field is deprecated for ES modules.`,
      'DEP0151',
    );
  }

  #legacyMain(folder: string, packageJson: PackageJson | undefined): string | undefined {
    const main = packageJson?.main;
    const tried =
      main === undefined ? [] : ['', '.js', '.json', '.node', '/index.js', '/index.json', '/index.node'];
    for (const end of tried) {
      const path = joined(folder, `${main}${end}`);
      if (this.#files.look(path) === 'file') return path;
    }
    return ['index.js', 'index.json', 'index.node']
      .map((name) => `${folder}/${name}`)
      .find((path) => this.#files.look(path) === 'file');
  }

  /** Checks that the file exists, and returns its real path. */
  #final(url: URL, base: string): Resolved {
    if (url.protocol !== 'file:') return { kind: 'data', url: url.href };
    if (/%2f|%5c/i.test(url.pathname))
      throw nodeError(
        'ERR_INVALID_MODULE_SPECIFIER',
        `Invalid module "${url.pathname}" must not include encoded "/" or "\\" characters imported from ${base}`,
        TypeError,
      );
    const path = pathOfUrl(url);
    const found = this.#files.look(path.replace(/(?<=.)\/$/, ''));
    if (found === 'directory')
      throw nodeError(
        'ERR_UNSUPPORTED_DIR_IMPORT',
        `Directory import '${path}' is not supported resolving ES modules imported from ${base}`,
        Error,
        { url: fileUrl(path) },
      );
    if (found !== 'file') throw this.#notFound(`Cannot find module '${path}'`, base, url.href);
    const suffix = url.search + url.hash;
    return { kind: 'file', path: this.#files.realpath(path), ...(suffix !== '' && { suffix }) };
  }

  #notFound(what: string, base: string, url?: string): Error {
    return nodeError(
      'ERR_MODULE_NOT_FOUND',
      `${what}${base ? ` imported from ${base}` : ''}`,
      Error,
      url === undefined ? {} : { url },
    );
  }

  #existing(path: string): string | undefined {
    if (this.#files.look(path) === 'file') return this.#files.realpath(path);
    throw nodeError('MODULE_NOT_FOUND', `Cannot find module '${path}'`, Error, { path });
  }

  #fileOrFolder(path: string, request: string, extensions: readonly string[]): string | undefined {
    const isFolder = /(?:^|\/)\.{0,2}\/?$|\/$/.test(request);
    const found = this.#files.look(path);
    if (!isFolder) {
      if (found === 'file') return this.#files.realpath(path);
      const file = this.#withExtension(path, extensions);
      if (file !== undefined) return file;
    }
    if (found !== 'directory') return undefined;
    const main = this.#packages.at(path)?.main;
    if (main !== undefined) {
      const to = joined(path, main);
      const kind = this.#files.look(to);
      const file =
        (kind === 'file' ? this.#files.realpath(to) : undefined) ??
        this.#withExtension(to, extensions) ??
        (kind === 'directory' ? this.#withExtension(`${to}/index`, extensions) : undefined);
      if (file !== undefined) return file;
    }
    const index = this.#withExtension(path === '/' ? '/index' : `${path}/index`, extensions);
    if (index === undefined && main !== undefined)
      throw nodeError(
        'MODULE_NOT_FOUND',
        `Cannot find module '${joined(path, main)}'. Please verify that the package.json has a valid "main" entry`,
        Error,
        { path: `${path}/package.json`, requestPath: request },
      );
    if (main !== undefined)
      this.#options.deprecated(
        `Invalid 'main' field in '${path}/package.json' of '${main}'. Please either fix that or report it to the module author`,
        'DEP0128',
      );
    return index;
  }

  #withExtension(path: string, extensions: readonly string[]): string | undefined {
    for (const extension of extensions)
      if (this.#files.look(path + extension) === 'file') return this.#files.realpath(path + extension);
    return undefined;
  }
}

/** Builtins that need the prefix `node:`. */
export const SCHEME_ONLY: ReadonlySet<string> = new Set(['sea', 'sqlite', 'test', 'test/reporters']);

/** Codes of import errors that can end with a hint. */
const HINTED: ReadonlySet<string> = new Set(['ERR_MODULE_NOT_FOUND', 'ERR_UNSUPPORTED_DIR_IMPORT']);
const HINT_EXTENSIONS = ['.js', '.json', '.node'];

export function isRelative(request: string): boolean {
  return /^\.{1,2}(?:\/|$)/.test(request);
}

/** The `node_modules` folders that are searched from a folder, nearest first. */
export function modulePaths(folder: string): string[] {
  const paths: string[] = [];
  for (let at = folder; ; at = folderOf(at)) {
    if (!at.endsWith('/node_modules')) paths.push(at === '/' ? '/node_modules' : `${at}/node_modules`);
    if (at === '/') return paths;
  }
}

function split(specifier: string): { readonly name: string; readonly subpath: string } {
  const match = /^(?:@[^/]+\/[^/]+|[^/@][^/]*)/.exec(specifier)?.[0] ?? '';
  return { name: match, subpath: `.${specifier.slice(match.length)}` };
}
