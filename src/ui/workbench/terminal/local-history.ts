import * as z from 'zod';
import type { HistoryStore } from './history.ts';

const storedSchema = z.array(z.string());

/** A history in this browser, per workspace. If storage is off or full, it lasts as long as the tab. */
export function localHistory(workspaceID: string): HistoryStore {
  const key = `vitrine.terminal.history.${workspaceID}`;
  return {
    async load() {
      const stored = localStorage.getItem(key);
      return stored === null ? [] : storedSchema.parse(JSON.parse(stored));
    },
    async save(commands) {
      localStorage.setItem(key, JSON.stringify(commands));
    },
  };
}
