import { Listeners, type Unlisten } from '../../base/listeners.ts';
import { timeoutTimer, type Timer } from '../../base/timer.ts';
import type { OutsideFiles } from '../embedded/outside.ts';
import { JournalWriter } from '../journal-writer.ts';
import type { FileJournal, JournalChange } from '../journal.ts';
import { fromRoot } from '../paths.ts';
import { visibilityTest } from '../visibility.ts';
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
import { ContainerFiles, type Holder } from './container-files.ts';
import { ContainerProcess } from './container-process.ts';
import { containerSearch } from './container-search.ts';
import { keptNodes } from './journal-files.ts';
import { beginLife, layOut, type Life } from './life.ts';
import { Lives } from './lives.ts';
import { restoreSnapshot, takeSnapshot } from './snapshots.ts';
import { SourceWatch } from './source-watch.ts';
import { Truth } from './truth.ts';

export interface WebContainerOptions {
  readonly id: string;
  readonly journal: FileJournal;
  /** Boots the runtime; called again for a restart, after the one before was torn down. */
  readonly boot: () => Promise<Client>;
  /** What was booted answers no more, not even that it was torn down: the next boot needs another runtime. */
  readonly lost?: () => void;
  /** Program text of the helper. */
  readonly helper: () => Promise<string>;
  /** What commands see of `~/.opencode/truncate`. */
  readonly outside?: OutsideFiles;
  readonly timer?: Timer;
  /** How long the runtime may take for one small answer. */
  readonly callMs?: number;
}

/** Node in the tab: StackBlitz's WebContainer, whose files live as long as the page; the journal has what survives. */
export class WebContainerWorkspace implements Workspace {
  readonly id: string;
  readonly kind = 'webcontainer';
  readonly files: Files;
  readonly search: Search;
  readonly servers: Servers;
  readonly #options: WebContainerOptions;
  readonly #timer: Timer;
  readonly #writer: JournalWriter;
  readonly #truth: Truth;
  readonly #lives: Lives;
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
    const truth = new Truth({
      alive: () => this.#lives.alive(),
      isAlive: () => this.#lives.current !== undefined,
      isRunning: () => this.#processes.size > 0,
      changed: (changes, kept) => this.#changed(changes, kept),
    });
    this.#truth = truth;
    const holder: Holder = {
      mirror: truth.mirror,
      fresh: () => truth.fresh(),
      alone: (work) => truth.alone(work),
      changed: (changes, kept) => {
        truth.wrote();
        this.#changed(changes, kept);
      },
    };
    this.files = new ContainerFiles(holder);
    this.search = containerSearch(holder);
    this.servers = {
      list: () => [...(this.#lives.current?.servers.values() ?? [])].sort(byPort),
      onChange: (listener) => this.#serversChanged.add(listener),
    };
    this.#lives = new Lives({
      begin: (saved, came) => this.#begin(saved, came),
      save: async ({ container }) => {
        await truth.fresh();
        return container.save();
      },
      ended: (reason) => this.#ended(reason),
      lost: () => options.lost?.(),
    });
  }

  get status(): WorkspaceStatus {
    return this.#lives.status;
  }

  onStatus(listener: (status: WorkspaceStatus) => void): Unlisten {
    return this.#lives.onStatus(listener);
  }

  watch(listener: (changes: readonly FileChange[]) => void): Unlisten {
    return this.#changes.add(listener);
  }

  async capabilities(): Promise<Capabilities> {
    const { helper, container } = await this.#lives.alive();
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
        const life = await this.#truth.fresh();
        const begin = () => {
          this.#processes.add(process);
          this.#truth.touch();
          if (!installs) return;
          watch = this.#watch;
          watch?.pause();
        };
        const { mirror } = this.#truth;
        const { outside } = this.#options;
        const exposed = (limits: ReadLimits) => this.exposed(limits);
        return startCommand({ life, mirror, outside, exposed, begin }, command, options);
      },
      ended: (ended) => {
        watch?.resume();
        // Also where the install changed nothing that would begin it again.
        if (watch) this.#rewatch();
        if (!this.#processes.delete(ended)) return;
        this.#truth.touch();
        // Told and kept although nobody may ask.
        void this.#truth.fresh().catch(() => {});
      },
      stuck: () => this.#lives.stuck(command),
    });
    return process;
  }

  async exposed({ visibility, except }: ReadLimits): Promise<readonly string[]> {
    await this.#truth.fresh();
    const isVisible = visibilityTest(visibility);
    const hidden = [...this.#truth.mirror.nodes].flatMap(([path, { type }]) => {
      const real = `${ROOT}/${path}`;
      return type === 'file' && !isVisible(real) && !except.includes(real) ? [real] : [];
    });
    return hidden.sort();
  }

  async durable(): Promise<void> {
    await this.#truth.fresh();
    await this.#writer.stored();
  }

  snapshot(sink: SnapshotSink): Promise<readonly SnapshotEntry[]> {
    return this.#truth.alone((life) => takeSnapshot(life, this.#truth.mirror, sink));
  }

  async restore(
    entries: readonly SnapshotEntry[],
    contents: (hash: string) => Promise<Uint8Array>,
  ): Promise<void> {
    await this.#truth.alone(async (life) => {
      const { changes, kept } = await restoreSnapshot(life, this.#truth.mirror, entries, contents);
      this.#changed(changes, kept);
    });
  }

  /** The runtime is torn down with all that runs in it, and booted again; the files go over in one piece. */
  restart(): Promise<void> {
    return this.#lives.restart();
  }

  /**
   * Gives the container up to another workspace until something is asked of this one again; its files are stored. False,
   * with nothing done, while something runs in it.
   */
  async suspend(): Promise<boolean> {
    if (this.#processes.size > 0) return false;
    if (this.#lives.suspended || !this.#lives.current) return true;
    await this.durable();
    if (this.#processes.size > 0) return false;
    this.#lives.suspend();
    return true;
  }

  async close(): Promise<void> {
    if (this.status.state === 'closed') return;
    await this.#lives.close(() => this.durable());
    await this.#options.journal.close();
  }

  async #begin(saved: Uint8Array<ArrayBuffer> | undefined, came: (life: Life) => void): Promise<Life> {
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
    const life: Life = beginLife(
      client,
      { timer: this.#timer, helper, ...(callMs !== undefined && { callMs }) },
      {
        died: (reason) => this.#lives.died(life, reason),
        stuck: () => this.#lives.stuck('a search'),
        serversChanged: () => this.#serversChanged.emit(),
      },
    );
    came(life);
    this.#programs = undefined;
    const tail = [...contents.tail, ...this.#writer.pending];
    if (saved) await life.container.mount(saved);
    await layOut(life, this.#truth.mirror, keptNodes({ packs: contents.packs, tail }));
    this.#truth.settle();
    this.#watch = new SourceWatch(client, this.#timer, () => this.#truth.seen());
    this.#rewatch();
    // The first command waits for it.
    life.helper.prepare().catch(() => {});
    return life;
  }

  #changed(changes: readonly FileChange[], kept: readonly JournalChange[]): void {
    if (kept.length > 0) void this.#writer.add(kept);
    if (changes.length > 0) this.#changes.emit(changes);
    if (changes.some(({ path }) => !fromRoot(path).includes('/'))) this.#rewatch();
  }

  #rewatch(): void {
    const folders = [...this.#truth.mirror.nodes].flatMap(([path, { type }]) =>
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
