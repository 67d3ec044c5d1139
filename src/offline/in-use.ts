import { lockPrefix } from './build.ts';
import type { WindowClient } from './scope.ts';

/**
 * The builds that open pages belong to, by the locks that they hold; null while some page holds none yet, because its
 * build could be any.
 */
export function buildsInUse(
  scope: string,
  locks: readonly { readonly name?: string }[],
  clients: readonly WindowClient[],
): ReadonlySet<string> | null {
  const prefix = lockPrefix(new URL(scope).pathname);
  const builds = locks.flatMap(({ name = '' }) =>
    name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  );
  const pages = clients.filter(({ url, frameType }) => {
    const address = url.replace(/[?#].*$/, '');
    return frameType !== 'nested' && (address === scope || address === `${scope}index.html`);
  });
  return builds.length < pages.length ? null : new Set(builds);
}
