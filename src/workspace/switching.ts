import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { Jobs } from './jobs.ts';
import type { TerminalSize, TypedShell } from './typed-shell.ts';
import type {
  Capabilities,
  FileChange,
  Files,
  Process,
  ReadLimits,
  Search,
  Servers,
  SnapshotEntry,
  SnapshotSink,
  SpawnOptions,
  Workspace,
  WorkspaceKind,
  WorkspaceStatus,
} from './workspace.ts';

/**
 * A workspace whose kind can still change. Its users notice only a new status when it does. It can change only as long as
 * nothing was changed or run in it.
 */
export class SwitchingWorkspace implements Workspace {
  readonly id: string;
  readonly files: Files;
  readonly search: Search;
  readonly #changes = new Listeners<readonly FileChange[]>();
  readonly #statuses = new Listeners<WorkspaceStatus>();
  readonly #serversChanged = new Listeners<void>();
  readonly #jobsChanged = new Listeners<void>();
  readonly #servers: Servers;
  readonly #jobs: Jobs;
  #now: Workspace;
  #unlisten: Unlisten[] = [];
  #touched = false;

  constructor(first: Workspace) {
    this.id = first.id;
    this.#servers = this.#shownServers();
    this.#jobs = this.#shownJobs();
    this.#now = first;
    const files = () => this.#now.files;
    this.files = {
      resolve: (...given) => files().resolve(...given),
      read: (...given) => files().read(...given),
      stat: (...given) => files().stat(...given),
      list: (...given) => files().list(...given),
      readLink: (...given) => files().readLink(...given),
      makeLink: (...given) => (this.#touch(), files().makeLink(...given)),
      write: (...given) => (this.#touch(), files().write(...given)),
      makeDirectory: (...given) => (this.#touch(), files().makeDirectory(...given)),
      remove: (...given) => (this.#touch(), files().remove(...given)),
      rename: (...given) => (this.#touch(), files().rename(...given)),
    };
    this.search = {
      glob: (query) => this.#now.search.glob(query),
      grep: (query) => this.#now.search.grep(query),
    };
    this.#listen();
  }

  get kind(): WorkspaceKind {
    return this.#now.kind;
  }

  /** Whether something was changed or run. From then on the kind cannot change. */
  get touched(): boolean {
    return this.#touched;
  }

  get status(): WorkspaceStatus {
    return this.#now.status;
  }

  get servers(): Servers | undefined {
    return this.#now.servers && this.#servers;
  }

  /** Its `connect` is there whenever the present workspace has it. */
  #shownServers(): Servers {
    const present = () => this.#now.servers;
    return {
      list: () => present()?.list() ?? [],
      onChange: (listener) => this.#serversChanged.add(listener),
      get connect() {
        return present()?.connect?.bind(present());
      },
    };
  }

  get jobs(): Jobs | undefined {
    return this.#now.jobs && this.#jobs;
  }

  #shownJobs(): Jobs {
    const present = () => this.#now.jobs;
    return {
      list: () => present()?.list() ?? [],
      onChange: (listener) => this.#jobsChanged.add(listener),
      stop: async (id) => present()?.stop(id),
      stopAllOf: async (owner) => present()?.stopAllOf(owner),
      output: async (id) => (await present()?.output(id)) ?? '',
    };
  }

  get exposed(): ((limits: ReadLimits) => Promise<readonly string[]>) | undefined {
    const now = this.#now;
    return now.exposed && ((limits) => now.exposed?.(limits) ?? Promise.resolve([]));
  }

  get restart(): (() => Promise<void>) | undefined {
    const now = this.#now;
    return now.restart && (() => now.restart?.() ?? Promise.resolve());
  }

  get suspend(): (() => Promise<boolean>) | undefined {
    const now = this.#now;
    return now.suspend && (() => now.suspend?.() ?? Promise.resolve(false));
  }

  get openShell(): ((terminal: TerminalSize) => TypedShell) | undefined {
    const open = this.#now.openShell?.bind(this.#now);
    return open && ((terminal) => (this.#touch(), open(terminal)));
  }

  /**
   * Changes the kind. Returns false, with nothing done, once the workspace was touched. The next workspace may use the
   * journal at once, because an untouched one has nothing to write.
   */
  async change(next: () => Workspace): Promise<boolean> {
    if (this.#touched) return false;
    const before = this.#now;
    for (const unlisten of this.#unlisten) unlisten();
    this.#now = next();
    this.#listen();
    this.#statuses.emit(this.status);
    await before.close();
    return true;
  }

  capabilities(): Promise<Capabilities> {
    return this.#now.capabilities();
  }

  spawn(command: string, options?: SpawnOptions): Process {
    this.#touch();
    return this.#now.spawn(command, options);
  }

  watch(listener: (changes: readonly FileChange[]) => void): Unlisten {
    return this.#changes.add(listener);
  }

  durable(): Promise<void> {
    return this.#now.durable();
  }

  snapshot(sink: SnapshotSink, options?: { skipIgnored?: boolean }): Promise<readonly SnapshotEntry[]> {
    return this.#now.snapshot(sink, options);
  }

  restore(entries: readonly SnapshotEntry[], contents: (hash: string) => Promise<Uint8Array>): Promise<void> {
    this.#touch();
    return this.#now.restore(entries, contents);
  }

  onStatus(listener: (status: WorkspaceStatus) => void): Unlisten {
    return this.#statuses.add(listener);
  }

  close(): Promise<void> {
    this.#touch();
    return this.#now.close();
  }

  #touch(): void {
    this.#touched = true;
  }

  #listen(): void {
    this.#unlisten = [
      this.#now.watch((changes) => {
        this.#touch();
        this.#changes.emit(changes);
      }),
      this.#now.onStatus((status) => this.#statuses.emit(status)),
    ];
    const servers = this.#now.servers?.onChange(() => this.#serversChanged.emit());
    const jobs = this.#now.jobs?.onChange(() => this.#jobsChanged.emit());
    this.#unlisten.push(...[servers, jobs].filter((unlisten) => unlisten !== undefined));
  }
}
