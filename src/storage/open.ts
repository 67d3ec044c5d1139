import { timeoutTimer } from '../base/timer.ts';
import type { FileJournal } from '../workspace/journal.ts';
import { asStorageError, storageFault } from './faults.ts';
import { Database } from './database.ts';
import { HoldingJournal } from './holding-journal.ts';
import { IdbFileJournal } from './journal.ts';
import { memoryStorage } from './memory/storage.ts';
import { IdbRuleStore } from './rule-store.ts';
import { IdbSessionStore } from './session-store.ts';
import { IdbSettingsStore } from './settings-store.ts';
import type { OnProblem, Storage } from './storage.ts';
import { requestPersistence, usage } from './usage.ts';
import { IdbWorkspaceRegistry } from './workspace-registry.ts';

export interface OpenOptions {
  /** Of the database; default `vitrine`. */
  readonly name?: string;
  /** Everything the person must be told: storage that is full, blocked, lost, damaged, wiped or cannot be had. */
  readonly onProblem: OnProblem;
  /** What was told of a storage that is full or lost is over: writing works again. */
  readonly onMended?: () => void;
  /** Remembers outside of IndexedDB that there was a database, to notice when it was wiped. */
  readonly marks?: Pick<globalThis.Storage, 'getItem' | 'setItem'> | undefined;
}

/** Never rejects: where IndexedDB cannot be had, the reason goes to `onProblem` and everything is kept in memory. */
export async function openStorage({
  name = 'vitrine',
  onProblem,
  onMended = () => {},
  marks = localMarks(),
}: OpenOptions): Promise<Storage> {
  const mark = `${name}:stored`;
  const holding = new Set<FileJournal>();
  try {
    const database = await Database.open(name, {
      onProblem,
      onMended() {
        // Something could be written; files that are still held are not kept yet.
        if (holding.size === 0) onMended();
      },
      onCreated(known) {
        if (known || marks?.getItem(mark))
          onProblem(storageFault('storage-wiped', 'What was stored here was cleared by the browser.', name));
      },
    });
    remember(marks, mark);
    return idbStorage(database, onProblem, (journal, holds) => {
      if (holds) holding.add(journal);
      else if (holding.delete(journal) && holding.size === 0) onMended();
    });
  } catch (error) {
    const { fault } = asStorageError(error, name);
    // Whatever it was, the storage cannot be had now; its next step is another than for one that was lost while open.
    onProblem(fault.code === 'storage-lost' ? storageFault('storage-unavailable', fault.what, name) : fault);
    return memoryStorage();
  }
}

function idbStorage(
  database: Database,
  onProblem: OnProblem,
  onHolding: (journal: FileJournal, holds: boolean) => void,
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
      return new HoldingJournal(inner, timeoutTimer, (holds) => onHolding(inner, holds));
    },
    usage,
    requestPersistence,
    close: () => database.close(),
  };
}

/** Reading `localStorage` itself throws where the site may store nothing. */
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
    // Full or forbidden: then a wipe goes unnoticed, which is no reason to go without storage.
  }
}
