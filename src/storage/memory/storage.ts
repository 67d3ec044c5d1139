import type { Storage } from '../storage.ts';
import { MemoryRuleStore } from './rule-store.ts';
import { MemorySessionStore } from './session-store.ts';
import { MemorySettingsStore } from './settings-store.ts';
import { MemoryWorkspaceRegistry } from './workspace-registry.ts';

/** Storage that exists only as long as the tab. */
export function memoryStorage(): Storage {
  const sessions = new MemorySessionStore();
  const rules = new MemoryRuleStore();
  const workspaces = new MemoryWorkspaceRegistry(async (id) => {
    rules.removeAll(id);
    await sessions.purgeWorkspace(id);
  });
  return {
    persistent: false,
    sessions,
    blobs: sessions.blobs,
    rules,
    workspaces,
    settings: new MemorySettingsStore(),
    journal: (workspaceID) => workspaces.journal(workspaceID),
    usage: async () => undefined,
    requestPersistence: async () => false,
    close() {},
  };
}
