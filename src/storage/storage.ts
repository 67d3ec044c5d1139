import type { Fault } from '../base/fault.ts';
import type { SettingsStore } from '../base/settings-store.ts';
import type { RuleStore } from '../permissions/types.ts';
import type { BlobStore, SessionStore } from '../session/store.ts';
import type { FileJournal } from '../workspace/journal.ts';
import type { WorkspaceRegistry } from '../workspace/registry.ts';

/** Everything the app keeps, behind its ports. */
export interface Storage {
  /** False where nothing survives this tab: it was said why through `onProblem`. */
  readonly persistent: boolean;
  readonly sessions: SessionStore;
  readonly blobs: BlobStore;
  readonly rules: RuleStore;
  readonly workspaces: WorkspaceRegistry;
  readonly settings: SettingsStore;
  /** One journal for one run of a workspace: ask for it again after another tab has written. */
  journal(workspaceID: string): FileJournal;
  /** `undefined` where the browser does not tell. */
  usage(): Promise<Usage | undefined>;
  /** Asks the browser not to clear this site by itself; whether it will not. */
  requestPersistence(): Promise<boolean>;
  close(): void;
}

/** Bytes, as the browser estimates them. `protected`: the browser does not clear this site by itself. */
export interface Usage {
  readonly used: number;
  readonly quota: number;
  readonly protected: boolean;
}

export type OnProblem = (fault: Fault) => void;
