import type { Fault } from '../base/fault.ts';
import type { SettingsStore } from '../base/settings-store.ts';
import type { RuleStore } from '../permissions/types.ts';
import type { BlobStore, SessionStore } from '../session/log/store.ts';
import type { FileJournal } from '../protocol/journal.ts';
import type { WorkspaceRegistry } from '../workspace/registry.ts';

/** Everything that the app stores, behind its ports. */
export interface Storage {
  /** False if nothing survives this tab; the reason went to `onProblem`. */
  readonly persistent: boolean;
  readonly sessions: SessionStore;
  readonly blobs: BlobStore;
  readonly rules: RuleStore;
  readonly workspaces: WorkspaceRegistry;
  readonly settings: SettingsStore;
  /** The journal for one run of a workspace. Ask for a new one after another tab has written. */
  journal(workspaceID: string): FileJournal;
  /** Returns `undefined` if the browser does not tell. */
  usage(): Promise<Usage | undefined>;
  /** Asks the browser not to clear this site by itself, and returns whether it agreed. */
  requestPersistence(): Promise<boolean>;
  close(): void;
}

/**
 * Sizes in bytes, as the browser estimates them. `protected` is true if the browser does not clear this site by
 * itself.
 */
export interface Usage {
  readonly used: number;
  readonly quota: number;
  readonly protected: boolean;
}

export type OnProblem = (fault: Fault) => void;
