import type { Fault } from '../../base/fault.ts';
import type { Unlisten } from '../../base/listeners.ts';
import type { Workspace, WorkspaceKind } from '../../workspace/workspace.ts';

export interface AppWorkspaces {
  list(): Promise<readonly WorkspaceSummary[]>;
  /**
   * `auto` starts embedded, and a container can take over until something is changed. If `kind` is absent,
   * the page's address decides. Without `mayTryContainer`, an `auto` workspace stays embedded and StackBlitz
   * is not contacted.
   */
  create(options?: {
    readonly name?: string;
    readonly kind?: WorkspaceKind | 'auto';
    readonly mayTryContainer?: boolean;
  }): Promise<WorkspaceSummary>;
  rename(id: string, name: string): Promise<void>;
  delete(id: string): Promise<void>;
  restore(id: string): Promise<void>;
  /** The running workspace: its files, processes and status. */
  open(id: string): Promise<Workspace>;
  /**
   * Marks the workspace as visible, which keeps it from being suspended until the returned function is
   * called.
   */
  look(id: string): Unlisten;
  /** Makes this tab the writer; resolves once the sessions of this workspace are writable here. */
  takeOver(id: string): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

export interface WorkspaceSummary {
  readonly id: string;
  readonly name: string;
  readonly kind: WorkspaceKind;
  /** Milliseconds since the epoch. */
  readonly updated: number;
}

/** WebContainers: whether the person allows them, and what became of each attempt to start one. */
export interface AppContainers {
  choice(): { readonly allowed: boolean; readonly offBySite: boolean; readonly key: string };
  choose(change: { readonly allowed?: boolean; readonly key?: string }): Promise<void>;
  news(workspaceID: string): ContainerNews | null;
  /** Tries again to start a container for a workspace that stayed embedded. */
  retry(workspaceID: string): Promise<void>;
  /**
   * Resolves to true if the workspace now uses the container, and to false if it was changed in the meantime.
   * Only a new workspace can then have one.
   */
  accept(workspaceID: string): Promise<boolean>;
  dismiss(workspaceID: string): void;
  /**
   * Makes a workspace embedded whose container did not start. Rejects with a fault if something was changed
   * in it.
   */
  useEmbedded(workspaceID: string): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

export type ContainerNews =
  | { readonly state: 'trying' }
  /** The page shows this only in the workspace's status and its details. */
  | { readonly state: 'unavailable'; readonly fault: Fault; readonly mayRetry: boolean }
  | { readonly state: 'offered' };

/** Outside hosts that programs in embedded workspaces may reach. */
export interface AppHosts {
  hosts(): Promise<readonly string[]>;
  /**
   * Takes one host per line and resolves to the hosts it kept. Rejects with a fault that names the wrong
   * line, and then changes nothing.
   */
  setHosts(lines: string): Promise<readonly string[]>;
  /** Adds hosts to those that are allowed. Rejects with a fault that names the wrong one. */
  addHosts(more: readonly string[]): Promise<void>;
  /** The request that a program waits for the person to allow. */
  readonly wanted: Wanted | null;
  /** Answers for what is wanted. Allowing hosts adds them to those that are allowed. */
  answer(allowed: boolean): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

/** A program asks the person for hosts, or for the use of the GitHub token in one repository. */
export interface Wanted {
  /** Empty where it is about the token. */
  readonly hosts: readonly string[];
  readonly token?: {
    readonly workspaceID: string;
    /** `owner/name` */
    readonly repository: string;
    readonly access: 'read' | 'write';
  };
}

/** A repository of GitHub that the person wants to open. */
export interface RepositoryRequest {
  /** `owner/name` */
  readonly repository: string;
  /** A branch or tag; the default branch if it is undefined. */
  readonly ref?: string | undefined;
}

export interface AppRepositories {
  opening(request: RepositoryRequest): RepositoryOpening;
}

export interface RepositoryOpening {
  /**
   * Clones into a new workspace and resolves to its id. Lets programs reach GitHub from then on. `report` gets how much has
   * come, in percent. Rejects with a fault; another run goes on with what has come.
   */
  run(report: (percent: number) => void, signal: AbortSignal): Promise<string>;
  /** Removes the workspace of a run that has failed or was stopped. */
  discard(): Promise<void>;
}
