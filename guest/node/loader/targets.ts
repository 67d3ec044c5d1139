import { nodeError } from '../builtins/internal/errors.ts';
import { fileUrl, pathOfUrl, type PackageJson } from './files.ts';

/** The result of a target in `exports` or `imports`: a file, or another name to resolve from the package. */
export type Target = { readonly path: string } | { readonly name: string };

interface Search {
  readonly from: PackageJson;
  readonly key: string;
  readonly match: string | null;
  readonly isImports: boolean;
  readonly conditions: ReadonlySet<string>;
  readonly base: string | undefined;
}

/** Looks up `subpath` (`.` or `./x`) in a package's `exports`. Throws ERR_PACKAGE_PATH_NOT_EXPORTED. */
export function exportTarget(
  from: PackageJson,
  subpath: string,
  conditions: ReadonlySet<string>,
  base?: string,
): string {
  const { exports } = from;
  const isSugar = !isRecord(exports) || Object.keys(exports).every((key) => !key.startsWith('.'));
  if (isRecord(exports) && isSugar === false && !Object.keys(exports).every((key) => key.startsWith('.')))
    throw nodeError(
      'ERR_INVALID_PACKAGE_CONFIG',
      `Invalid package config ${from.path}${base ? ` while importing ${base}` : ''}. "exports" cannot contain some keys starting with '.' and some not. The exports object must either be an object of package subpath keys or an object of main entry condition name keys only.`,
    );
  const map = isSugar ? { '.': exports } : exports;
  const target = lookUp(map, subpath, {
    from,
    isImports: false,
    conditions,
    base,
  });
  if (target && 'path' in target) return target.path;
  const what =
    subpath === '.'
      ? 'No "exports" main defined'
      : `Package subpath '${subpath}' is not defined by "exports"`;
  throw nodeError(
    'ERR_PACKAGE_PATH_NOT_EXPORTED',
    `${what} in ${from.path}${base ? ` imported from ${base}` : ''}`,
  );
}

/** Looks up `#name` in a package's `imports`. Undefined where it is not there. */
export function importTarget(
  from: PackageJson,
  name: string,
  conditions: ReadonlySet<string>,
  base?: string,
): Target | undefined {
  if (!isRecord(from.imports)) return undefined;
  return lookUp(from.imports, name, { from, isImports: true, conditions, base }) ?? undefined;
}

function lookUp(
  map: Record<string, unknown>,
  wanted: string,
  search: Omit<Search, 'key' | 'match'>,
): Target | null | undefined {
  if (Object.hasOwn(map, wanted) && !wanted.includes('*') && !wanted.endsWith('/'))
    return resolveTarget(map[wanted], { ...search, key: wanted, match: null });
  const keys = Object.keys(map).filter((key) => {
    const star = key.indexOf('*');
    if (star < 0 || star !== key.lastIndexOf('*') || !wanted.startsWith(key.slice(0, star))) return false;
    return (
      wanted.length >= key.length && wanted.endsWith(key.slice(star + 1)) && wanted !== key.slice(0, star)
    );
  });
  // The key with the longest part before its star wins; among equals, the longest key.
  keys.sort((a, b) => b.indexOf('*') - a.indexOf('*') || b.length - a.length);
  const [key] = keys;
  if (key === undefined) return undefined;
  const star = key.indexOf('*');
  const match = wanted.slice(star, wanted.length - (key.length - star - 1));
  return resolveTarget(map[key], { ...search, key, match });
}

function resolveTarget(target: unknown, search: Search): Target | null | undefined {
  if (typeof target === 'string') return pathTarget(target, search);
  if (Array.isArray(target)) {
    let last: unknown;
    for (const each of target) {
      try {
        const found = resolveTarget(each, search);
        if (found) return found;
        if (found === null) last = null;
      } catch (error) {
        if (!isInvalidTarget(error)) throw error;
        last = error;
      }
    }
    if (last instanceof Error) throw last;
    return last === null ? null : undefined;
  }
  if (isRecord(target)) {
    for (const [condition, value] of Object.entries(target)) {
      if (condition !== 'default' && !search.conditions.has(condition)) continue;
      const found = resolveTarget(value, search);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (target === null) return null;
  throw invalidTarget(JSON.stringify(target), search);
}

function pathTarget(target: string, search: Search): Target {
  const { from, match, isImports, base } = search;
  const filled = match === null ? target : target.replaceAll('*', () => match);
  if (!target.startsWith('./')) {
    if (isImports && !target.startsWith('../') && !target.startsWith('/') && !URL.canParse(target))
      return { name: filled };
    throw invalidTarget(target, search);
  }
  if (leavesPackage(target.slice(2))) throw invalidTarget(target, search);
  if (match !== null && leavesPackage(match))
    throw nodeError(
      'ERR_INVALID_MODULE_SPECIFIER',
      `Invalid module "${search.key.replace('*', match)}" request is not a valid match in pattern "${search.key}" for the "${isImports ? 'imports' : 'exports'}" resolution of ${from.path}${base ? ` imported from ${base}` : ''}`,
      TypeError,
    );
  const url = new URL(filled, fileUrl(from.path));
  if (/%2f|%5c/i.test(url.pathname))
    throw nodeError(
      'ERR_INVALID_MODULE_SPECIFIER',
      `Invalid module "${base ? url.pathname : url.href}" must not include encoded "/" or "\\" characters${base ? ` imported from ${base}` : ''}`,
      TypeError,
    );
  return { path: pathOfUrl(url) };
}

/** Whether a segment of the path, escaped or not, would lead out of the package. */
function leavesPackage(path: string): boolean {
  const plain = path.replace(/%(?!5c)(2e|[4-7][0-9a-f])/gi, (_all, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return /(?:^|\/|\\)(?:\.\.?|node_modules)(?:\/|\\|$)/i.test(plain);
}

function invalidTarget(target: string, { from, key, isImports, base }: Search): Error {
  const relative = !isImports && !target.startsWith('./') && target.length > 0;
  const what =
    key === '.'
      ? `Invalid "exports" main target "${target}"`
      : `Invalid "${isImports ? 'imports' : 'exports'}" target "${target}"`;
  const where = key === '.' ? '' : ` for '${key}'`;
  return nodeError(
    'ERR_INVALID_PACKAGE_TARGET',
    `${what} defined${where} in the package config ${from.path}${base ? ` imported from ${base}` : ''}${relative ? '; targets must start with "./"' : ''}`,
  );
}

function isInvalidTarget(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_PACKAGE_TARGET';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
