import { timeoutTimer } from '../base/timer.ts';
import type { FileJournal } from '../protocol/journal.ts';
import { asStorageError, storageFault } from './faults.ts';
import { Database } from './database.ts';
import { BufferingJournal } from './buffering-journal.ts';
import { IdbFileJournal } from './journal.ts';
import { IdbRuleStore } from './rule-store.ts';
import { IdbSessionStore } from './session-store.ts';
import { IdbSettingsStore } from './settings-store.ts';
import type { OnProblem, Storage } from './storage.ts';
import { requestPersistence, usage } from './usage.ts';
import { IdbWorkspaceRegistry } from './workspace-registry.ts';

export interface OpenOptions {
  /** The name of the database; default `vitrine`. */
  readonly name?: string;
  /**
   * Receives everything that the person must know: storage that is full, blocked, lost, damaged, wiped or
   * unavailable.
   */
  readonly onProblem: OnProblem;
  /** Called when a full or lost storage accepts writes again. */
  readonly onRecovered?: () => void;
  /** Remembers outside IndexedDB that there was a database, so that a wipe is noticed. */
  readonly marks?: Pick<globalThis.Storage, 'getItem' | 'setItem'> | undefined;
}

/**
 * If IndexedDB is unavailable, reports the reason to `onProblem` and keeps everything in memory. Rejects only if the
 * code for that cannot be loaded.
 */
export async function openStorage({
  name = 'vitrine',
  onProblem,
  onRecovered = () => {},
  marks = localMarks(),
}: OpenOptions): Promise<Storage> {
  const mark = `${name}:stored`;
  const buffering = new Set<FileJournal>();
  try {
    const database = await Database.open(name, {
      onProblem,
      onRecovered() {
        // A write succeeded, but buffered files are not stored yet.
        if (buffering.size === 0) onRecovered();
      },
      onCreated(known) {
        if (known || marks?.getItem(mark))
          onProblem(storageFault('storage-wiped', 'What was stored here was cleared by the browser.', name));
      },
    });
    remember(marks, mark);
    return idbStorage(database, onProblem, (journal, isBuffering) => {
      if (isBuffering) buffering.add(journal);
      else if (buffering.delete(journal) && buffering.size === 0) onRecovered();
    });
  } catch (error) {
    const { fault } = asStorageError(error, name);
    // Whatever the reason, the storage is unavailable now, and the advice differs from that for storage lost while
    // open.
    onProblem(fault.code === 'storage-lost' ? storageFault('storage-unavailable', fault.what, name) : fault);
    // Loaded on demand, since few pages need it.
    const { memoryStorage } = await import('./memory/storage.ts');
    return memoryStorage();
  }
}

function idbStorage(
  database: Database,
  onProblem: OnProblem,
  onBuffering: (journal: FileJournal, isBuffering: boolean) => void,
): Storage {
  const sessions = new IdbSessionStore(database, onProblem);
  return {
    persistent: true,
    sessions,
    blobs: sessions.blobs,
    rules: new IdbRuleStore(database, onProblem),
    workspaces: new IdbWorkspaceRegistry(database, (id) => sessions.purgeWorkspace(id), onProblem),
    settings: new IdbSettingsStore(database),
    journal(workspaceID) {
      const inner = new IdbFileJournal(database, workspaceID, onProblem);
      return new BufferingJournal(inner, timeoutTimer, (isBuffering) => onBuffering(inner, isBuffering));
    },
    usage,
    requestPersistence,
    close: () => database.close(),
  };
}

/** Even reading `localStorage` throws if the site may not store anything. */
function localMarks(): globalThis.Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

function remember(marks: OpenOptions['marks'], mark: string): void {
  try {
    marks?.setItem(mark, '1');
  } catch {
    // Full or forbidden: a wipe then goes unnoticed, which is no reason to do without storage.
  }
}
