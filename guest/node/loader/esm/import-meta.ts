import { argTypeError } from '../../builtins/internal/errors.ts';
import { folderOf, pathOfUrl } from '../files.ts';
import type { Hooks } from '../hooks.ts';
import type { Resolver } from '../resolve.ts';
import type { HookedImports } from './hooked.ts';
import { urlOf } from './urls.ts';

export interface ImportMetaContext {
  readonly hooks: Hooks;
  readonly hooked: HookedImports;
  readonly resolver: Resolver;
  /** Set by `--experimental-import-meta-resolve`. */
  readonly resolvesFrom: boolean;
}

/** Makes the `import.meta` of a module. */
export function makeImportMeta(context: ImportMetaContext, url: string, isMain: boolean): object {
  const meta: Record<string, unknown> = { __proto__: null };
  if (url.startsWith('file:')) {
    const path = pathOfUrl(new URL(url));
    meta.dirname = folderOf(path);
    meta.filename = path;
  }
  meta.main = isMain;
  meta.resolve = (name: unknown, given: unknown = url) => {
    const specifier = String(name);
    const parent = context.resolvesFrom ? given : url;
    if (typeof parent !== 'string' && !(parent instanceof URL))
      throw argTypeError('parentURL', ['string', 'URL'], parent);
    return resolvedUrl(context, specifier, String(parent));
  };
  meta.url = url;
  return meta;
}

function resolvedUrl(
  { hooks, hooked, resolver }: ImportMetaContext,
  specifier: string,
  parent: string,
): string {
  try {
    return hooks.isForImports
      ? hooked.resolve(specifier, hooked.contextOf(parent, {})).url
      : urlOf(resolver.import(specifier, parent));
  } catch (error) {
    const url = urlOfMissing(error);
    if (url === undefined) throw error;
    return url;
  }
}

/** The URL under which a module was not found: `import.meta.resolve` returns it all the same. */
function urlOfMissing(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('url' in error)) return undefined;
  if (error.code !== 'ERR_MODULE_NOT_FOUND' && error.code !== 'ERR_UNSUPPORTED_DIR_IMPORT') return undefined;
  return typeof error.url === 'string' ? error.url : undefined;
}
