import { Listeners, type Unlisten } from '../../base/listeners.ts';
import { timeoutTimer, type Timer } from '../../base/timer.ts';
import type { OutsideFiles } from '../embedded/outside.ts';
import { JournalWriter } from '../journal-writer.ts';
import type { FileJournal, JournalChange } from '../../protocol/journal.ts';
import { fromRoot } from '../../protocol/paths.ts';
import { lockTest, visibilityTest } from '../../protocol/visibility.ts';
import {
  ROOT,
  type Capabilities,
  type FileChange,
  type Files,
  type Process,
  type ReadLimits,
  type Search,
  type Server,
  type Servers,
  type SnapshotEntry,
  type SnapshotSink,
  type SpawnOptions,
  type Workspace,
  type WorkspaceStatus,
} from '../workspace.ts';
import { capabilitiesWith } from './capabilities.ts';
import { startCommand } from './command.ts';
import type { Client } from './container.ts';
import { ContainerFiles, type MirrorAccess } from './container-files.ts';
import { ContainerProcess } from './container-process.ts';
import { containerSearch } from './container-search.ts';
import { keptNodes } from './journal-files.ts';
import { startInstance, layOut, type ContainerInstance } from './instance.ts';
import { ContainerLifecycle } from './lifecycle.ts';
import { restoreSnapshot, takeSnapshot } from './snapshots.ts';
import { SourceWatch } from './source-watch.ts';
import { MirrorSync } from './mirror-sync.ts';

export interface WebContainerOptions {
  readonly id: string;
  readonly journal: FileJournal;
  /** Boots the runtime. Called again for a restart, after the previous container was torn down. */
  readonly boot: () => Promise<Client>;
  /** Called when a container died. It would not even confirm a teardown, so the next boot needs another runtime. */
  readonly lost?: () => void;
  /** Returns the helper's program text. */
  readonly helper: () => Promise<string>;
  /** The files that commands see below `~/.opencode` and `~/.config/opencode`. */
  readonly outside?: OutsideFiles;
  readonly timer?: Timer;
  /** How long the runtime may take to answer a small call, in milliseconds. */
  readonly callMs?: number;
}

/** A workspace with Node in StackBlitz's WebContainer. Its files last as long as the page, and the journal stores them. */
export class WebContainerWorkspace implements Workspace {
  readonly id: string;
  readonly kind = 'webcontainer';
  readonly files: Files;
  readonly search: Search;
  readonly servers: Servers;
  readonly #options: WebContainerOptions;
  readonly #timer: Timer;
  readonly #writer: JournalWriter;
  readonly #mirrorSync: MirrorSync;
  readonly #lifecycle: ContainerLifecycle;
  readonly #changes = new Listeners<readonly FileChange[]>();
  readonly #serversChanged = new Listeners<void>();
  readonly #processes = new Set<ContainerProcess>();
  #watch: SourceWatch | undefined;
  #programs: Promise<readonly string[]> | undefined;
  #nextProcess = 1;

  constructor(options: WebContainerOptions) {
    this.id = options.id;
    this.#options = options;
    this.#timer = options.timer ?? timeoutTimer;
    this.#writer = new JournalWriter(options.journal);
    const mirrorSync = new MirrorSync({
      alive: () => this.#lifecycle.alive(),
      isAlive: () => this.#lifecycle.current !== undefined,
      isRunning: () => this.#processes.size > 0,
      changed: (changes, kept) => this.#changed(changes, kept),
    });
    this.#mirrorSync = mirrorSync;
    const access: MirrorAccess = {
      mirror: mirrorSync.mirror,
      fresh: () => mirrorSync.fresh(),
      alone: (work) => mirrorSync.alone(work),
      changed: (changes, kept) => {
        mirrorSync.wrote();
        this.#changed(changes, kept);
      },
    };
    this.files = new ContainerFiles(access);
    this.search = containerSearch(access);
    this.servers = {
      list: () => [...(this.#lifecycle.current?.servers.values() ?? [])].sort(byPort),
      onChange: (listener) => this.#serversChanged.add(listener),
    };
    this.#lifecycle = new ContainerLifecycle({
      begin: (saved, came) => this.#begin(saved, came),
      save: async ({ container }) => {
        await mirrorSync.fresh();
        return container.save();
      },
      ended: (reason) => this.#ended(reason),
      lost: () => options.lost?.(),
    });
  }

  get status(): WorkspaceStatus {
    return this.#lifecycle.status;
  }

  onStatus(listener: (status: WorkspaceStatus) => void): Unlisten {
    return this.#lifecycle.onStatus(listener);
  }

  watch(listener: (changes: readonly FileChange[]) => void): Unlisten {
    return this.#changes.add(listener);
  }

  async capabilities(): Promise<Capabilities> {
    const { helper, container } = await this.#lifecycle.alive();
    this.#programs ??= helper.ask('programs', { ask: 'programs', folders: container.client.path.split(':') });
    return capabilitiesWith(await this.#programs);
  }

  spawn(command: string, options: SpawnOptions = {}): Process {
    const installs = SourceWatch.installs(command);
    let watch: SourceWatch | undefined;
    const process: ContainerProcess = new ContainerProcess({
      id: `prc_${this.#nextProcess++}`,
      options,
      timer: this.#timer,
      start: async () => {
        const instance = await this.#mirrorSync.fresh();
        const begin = () => {
          this.#processes.add(process);
          this.#mirrorSync.touch();
          if (!installs) return;
          watch = this.#watch;
          watch?.pause();
        };
        const { mirror } = this.#mirrorSync;
        const { outside } = this.#options;
        const exposed = (limits: ReadLimits) => this.exposed(limits);
        return startCommand({ instance, mirror, outside, exposed, begin }, command, options);
      },
      ended: (ended) => {
        watch?.resume();
        // Watching resumes here even if the installation changed nothing.
        if (watch) this.#rewatch();
        if (!this.#processes.delete(ended)) return;
        this.#mirrorSync.touch();
        // This reports and stores the changes, even if nothing else asks for them.
        void this.#mirrorSync.fresh().catch(() => {});
      },
      stuck: () => this.#lifecycle.stuck(command),
    });
    return process;
  }

  async exposed({ visibility, except, locks }: ReadLimits): Promise<readonly string[]> {
    await this.#mirrorSync.fresh();
    const isVisible = visibilityTest(visibility);
    const isLocked = lockTest(locks);
    const kept = [...this.#mirrorSync.mirror.nodes].flatMap(([path, { type }]) => {
      const real = `${ROOT}/${path}`;
      const isHidden = !isVisible(real) && !except.includes(real);
      return type === 'file' && (isHidden || isLocked(real)) ? [real] : [];
    });
    return kept.sort();
  }

  async durable(): Promise<void> {
    await this.#mirrorSync.fresh();
    await this.#writer.stored();
  }

  snapshot(sink: SnapshotSink, options?: { skipIgnored?: boolean }): Promise<readonly SnapshotEntry[]> {
    return this.#mirrorSync.alone((instance) =>
      takeSnapshot(instance, this.#mirrorSync.mirror, sink, options),
    );
  }

  async restore(
    entries: readonly SnapshotEntry[],
    contents: (hash: string) => Promise<Uint8Array>,
  ): Promise<void> {
    await this.#mirrorSync.alone(async (instance) => {
      try {
        const { changes, kept } = await restoreSnapshot(instance, this.#mirrorSync.mirror, entries, contents);
        this.#changed(changes, kept);
      } catch (error) {
        // A part may be done, of which the mirror knows nothing.
        this.#mirrorSync.touch();
        throw error;
      }
    });
  }

  /** Tears the container down with everything that runs in it, and boots it again with the same files. */
  restart(): Promise<void> {
    return this.#lifecycle.restart();
  }

  /**
   * Leaves the container to another workspace until this one is used again. Its files are stored. False, with nothing done,
   * while something runs in it.
   */
  async suspend(): Promise<boolean> {
    if (this.#processes.size > 0) return false;
    if (this.#lifecycle.suspended || !this.#lifecycle.current) return true;
    await this.durable();
    if (this.#processes.size > 0) return false;
    this.#lifecycle.suspend();
    return true;
  }

  async close(): Promise<void> {
    if (this.status.state === 'closed') return;
    await this.#lifecycle.close(() => this.durable());
    await this.#options.journal.close();
  }

  async #begin(
    saved: Uint8Array<ArrayBuffer> | undefined,
    came: (instance: ContainerInstance) => void,
  ): Promise<ContainerInstance> {
    const { boot, helper, journal, callMs } = this.#options;
    await this.#writer.settled();
    const [booted, loaded] = await Promise.allSettled([boot(), journal.load()]);
    if (booted.status === 'rejected') throw booted.reason;
    const client = booted.value;
    if (loaded.status === 'rejected') {
      client.teardown();
      throw loaded.reason;
    }
    const contents = loaded.value;
    const instance: ContainerInstance = startInstance(
      client,
      { timer: this.#timer, helper, ...(callMs !== undefined && { callMs }) },
      {
        died: (reason) => this.#lifecycle.died(instance, reason),
        stuck: () => this.#lifecycle.stuck('a search'),
        serversChanged: () => this.#serversChanged.emit(),
      },
    );
    came(instance);
    this.#programs = undefined;
    const tail = [...contents.tail, ...this.#writer.pending];
    if (saved) await instance.container.mount(saved);
    await layOut(instance, this.#mirrorSync.mirror, keptNodes({ packs: contents.packs, tail }));
    this.#mirrorSync.settle();
    this.#watch = new SourceWatch(client, this.#timer, () => this.#mirrorSync.seen());
    this.#rewatch();
    // Prepared now, because the first command would wait for it.
    instance.helper.prepare().catch(() => {});
    return instance;
  }

  #changed(changes: readonly FileChange[], kept: readonly JournalChange[]): void {
    if (kept.length > 0) void this.#writer.add(kept);
    if (changes.length > 0) this.#changes.emit(changes);
    if (changes.some(({ path }) => !fromRoot(path).includes('/'))) this.#rewatch();
  }

  #rewatch(): void {
    const folders = [...this.#mirrorSync.mirror.nodes].flatMap(([path, { type }]) =>
      type === 'directory' && !path.includes('/') ? [path] : [],
    );
    this.#watch?.watch(folders);
  }

  #ended(reason: string): void {
    this.#watch?.end();
    this.#watch = undefined;
    for (const process of [...this.#processes]) process.lose(reason);
    this.#processes.clear();
  }
}

function byPort(a: Server, b: Server): number {
  return a.port - b.port;
}
