import { cachePrefix } from '../../offline/build.ts';
import { ask } from './worker-link.ts';

const STOP_MS = 500;

/**
 * Removes this app's worker and what it keeps. Other apps of the same origin have other scopes, and are left alone.
 */
export async function removeOffline(
  scope: string,
  workers: Pick<ServiceWorkerContainer, 'getRegistrations'>,
  kept: Pick<CacheStorage, 'keys' | 'delete'>,
): Promise<void> {
  for (const registration of await workers.getRegistrations()) {
    if (registration.scope !== scope) continue;
    const { active } = registration;
    // It serves the open pages for as long as they live, and must not go on downloading. It may also be broken.
    if (active) await ask(() => active, { kind: 'stop' }, undefined, STOP_MS).catch(() => undefined);
    await registration.unregister();
  }
  const prefix = cachePrefix(new URL(scope).pathname);
  for (const name of await kept.keys()) if (name.startsWith(prefix)) await kept.delete(name);
}
