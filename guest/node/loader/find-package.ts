import { needString, nodeError } from '../builtins/internal/errors.ts';
import { fileUrl, joined, pathOfUrl, type LoaderFiles } from './files.ts';
import type { Packages } from './packages.ts';
import { isRelative, modulePaths } from './resolve.ts';

/** Implements `module.findPackageJSON`: finds the package.json of a named package, or of a file's or folder's own package. */
export function findPackageJSON(
  files: LoaderFiles,
  packages: Packages,
  specifier: unknown,
  base: unknown,
): string | undefined {
  if (specifier === undefined)
    throw nodeError('ERR_MISSING_ARGS', 'The "specifier" argument must be specified', TypeError);
  if (base !== undefined && !(base instanceof URL)) needString(base, 'base');
  const given = String(specifier);
  const isPath = isRelative(given) || given.startsWith('/') || URL.canParse(given);
  if (base === undefined && !isPath) throw invalidUrl(given);
  const from = base === undefined ? undefined : urlOf(String(base));
  if (isPath) {
    const url = given.startsWith('/') ? new URL(fileUrl(given)) : new URL(given, from);
    if (url.protocol !== 'file:')
      throw nodeError('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file', TypeError);
    const path = pathOfUrl(url);
    const plain = joined('/', path);
    const found = files.look(plain);
    if (found === undefined)
      throw nodeError(
        'ERR_MODULE_NOT_FOUND',
        `Cannot find module '${path}'${from ? ` imported from ${pathOfUrl(from)}` : ''}`,
      );
    return packages.scopeOf(found === 'directory' ? `${plain}/x` : plain)?.path;
  }
  const [name = ''] = /^(?:@[^/]+\/[^/]+|[^/]+)/.exec(given) ?? [];
  const folder = joined('/', `${pathOfUrl(from ?? new URL('file:///'))}/..`);
  for (const path of modulePaths(folder)) {
    const found = packages.at(`${path}/${name}`);
    if (found) return found.path;
  }
  throw nodeError(
    'ERR_MODULE_NOT_FOUND',
    `Cannot find package '${name}' imported from ${from ? pathOfUrl(from) : folder}`,
  );
}

function urlOf(base: string): URL {
  if (base.startsWith('/')) return new URL(fileUrl(base));
  if (!URL.canParse(base)) throw invalidUrl(base);
  return new URL(base);
}

function invalidUrl(input: string): Error {
  return nodeError('ERR_INVALID_URL', 'Invalid URL', TypeError, { input });
}
