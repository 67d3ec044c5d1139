import type { Usage } from './storage.ts';

export async function usage(): Promise<Usage | undefined> {
  if (!navigator.storage?.estimate) return undefined;
  const [{ usage: used, quota }, isProtected] = await Promise.all([
    navigator.storage.estimate(),
    navigator.storage.persisted(),
  ]);
  return used === undefined || quota === undefined ? undefined : { used, quota, protected: isProtected };
}

/** Some browsers ask the person, so call it after an action that created something worth keeping. */
export async function requestPersistence(): Promise<boolean> {
  if (!navigator.storage?.persist) return false;
  return (await navigator.storage.persisted()) || navigator.storage.persist();
}
