import { faultOf } from '../../base/fault.ts';
import { Listeners, type Unlisten } from '../../base/listeners.ts';
import { timeoutTimer, type Timer } from '../../base/timer.ts';
import type { OutsideFiles } from '../embedded/outside.ts';
import { JournalWriter } from '../journal-writer.ts';
import type { FileJournal, JournalChange } from '../journal.ts';
import { fromRoot } from '../paths.ts';
import { visibilityTest } from '../visibility.ts';
import {
  ROOT,
  WorkspaceError,
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
import type { Client } from './container.ts';
import { ContainerFiles, type Holder } from './container-files.ts';
import { ContainerProcess, type Started } from './container-process.ts';
import { containerSearch } from './container-search.ts';
import { keptNodes } from './journal-files.ts';
import { layKeptOutputs, namesKeptOutputs } from './kept-outputs.ts';
import { beginLife, layOut, type Life } from './life.ts';
import { Mirror } from './mirror.ts';
import { restoreSnapshot, takeSnapshot } from './snapshots.ts';
import { SourceWatch } from './source-watch.ts';
import { sync } from './sync.ts';

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

/** While something runs, what is known of the files is believed for this long. */
const STALE_MS = 1_000;

const AFTER_DEATH =
  'A restart brings the files back as they were last stored. What ran is ended, and packages have to be installed again.';

const ENVIRONMENT = { HOME: '/home', CI: '1', npm_config_yes: 'true', npm_config_update_notifier: 'false' };
const PLAIN = { NO_COLOR: '1', FORCE_COLOR: '0', TERM: 'dumb' };
const COLOURED = { FORCE_COLOR: '1', TERM: 'xterm-256color' };

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
  readonly #mirror = new Mirror();
  readonly #changes = new Listeners<readonly FileChange[]>();
  readonly #statuses = new Listeners<WorkspaceStatus>();
  readonly #serversChanged = new Listeners<void>();
  readonly #processes = new Set<ContainerProcess>();
  #status: WorkspaceStatus = { state: 'starting' };
  #life: Promise<Life>;
  #suspended = false;
  #current: Life | undefined;
  #watch: SourceWatch | undefined;
  #programs: Promise<readonly string[]> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** Counts what may have changed the files without us, and how far of it is known. */
  #touched = 0;
  #known = 0;
  #synced = 0;
  /** When we last changed the files ourselves. */
  #wrote = 0;
  #nextProcess = 1;

  constructor(options: WebContainerOptions) {
    this.id = options.id;
    this.#options = options;
    this.#timer = options.timer ?? timeoutTimer;
    this.#writer = new JournalWriter(options.journal);
    const holder: Holder = {
      mirror: this.#mirror,
      fresh: () => this.#fresh(),
      alone: (work) => this.#alone(work),
      changed: (changes, kept) => {
        this.#wrote = performance.now();
        this.#changed(changes, kept);
      },
    };
    this.files = new ContainerFiles(holder);
    this.search = containerSearch(holder);
    this.servers = {
      list: () => [...(this.#current?.servers.values() ?? [])].sort(byPort),
      onChange: (listener) => this.#serversChanged.add(listener),
    };
    this.#life = this.#live();
  }

  get status(): WorkspaceStatus {
    return this.#status;
  }

  onStatus(listener: (status: WorkspaceStatus) => void): Unlisten {
    return this.#statuses.add(listener);
  }

  watch(listener: (changes: readonly FileChange[]) => void): Unlisten {
    return this.#changes.add(listener);
  }

  async capabilities(): Promise<Capabilities> {
    const { helper, container } = await this.#alive();
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
        const started = await this.#start(command, options, () => {
          this.#processes.add(process);
          this.#touched++;
          if (!installs) return;
          watch = this.#watch;
          watch?.pause();
        });
        return started;
      },
      ended: (ended) => {
        watch?.resume();
        // Also where the install changed nothing that would begin it again.
        if (watch) this.#rewatch();
        if (!this.#processes.delete(ended)) return;
        this.#touched++;
        // Told and kept although nobody may ask.
        void this.#fresh().catch(() => {});
      },
      stuck: () => this.#stuck(command),
    });
    return process;
  }

  async exposed({ visibility, except }: ReadLimits): Promise<readonly string[]> {
    await this.#fresh();
    const isVisible = visibilityTest(visibility);
    const hidden = [...this.#mirror.nodes].flatMap(([path, { type }]) => {
      const real = `${ROOT}/${path}`;
      return type === 'file' && !isVisible(real) && !except.includes(real) ? [real] : [];
    });
    return hidden.sort();
  }

  async durable(): Promise<void> {
    await this.#fresh();
    await this.#writer.stored();
  }

  snapshot(sink: SnapshotSink): Promise<readonly SnapshotEntry[]> {
    return this.#alone((life) => takeSnapshot(life, this.#mirror, sink));
  }

  async restore(
    entries: readonly SnapshotEntry[],
    contents: (hash: string) => Promise<Uint8Array>,
  ): Promise<void> {
    await this.#alone(async (life) => {
      const { changes, kept } = await restoreSnapshot(life, this.#mirror, entries, contents);
      this.#changed(changes, kept);
    });
  }

  /** The runtime is torn down with all that runs in it, and booted again; the files go over in one piece. */
  async restart(): Promise<void> {
    if (this.#status.state === 'closed') return;
    const old = await this.#life.catch(() => undefined);
    const saved = old && !old.container.over ? await this.#save(old).catch(() => undefined) : undefined;
    this.#become({ state: 'restarting', reason: 'The container is being restarted.' });
    this.#end('the container was restarted');
    this.#suspended = false;
    this.#life = this.#live(saved);
    await this.#life;
  }

  /**
   * Gives the container up to another workspace until something is asked of this one again; its files are stored. False,
   * with nothing done, while something runs in it.
   */
  async suspend(): Promise<boolean> {
    if (this.#processes.size > 0) return false;
    if (this.#suspended || !this.#current) return true;
    await this.durable();
    if (this.#processes.size > 0) return false;
    this.#suspended = true;
    this.#end('another workspace uses the container');
    return true;
  }

  async close(): Promise<void> {
    if (this.#status.state === 'closed') return;
    await this.#life.catch(() => undefined);
    if (!this.#suspended) await this.durable().catch(() => {});
    this.#become({ state: 'closed' });
    this.#end('the workspace was closed');
    this.#life = gone('The workspace is closed.');
    await this.#options.journal.close();
  }

  /** The life that is now; one that was given up begins again. */
  #alive(): Promise<Life> {
    if (this.#suspended && this.#status.state !== 'closed') {
      this.#suspended = false;
      this.#become({ state: 'starting' });
      this.#life = this.#live();
    }
    return this.#life;
  }

  #live(saved?: Uint8Array<ArrayBuffer>): Promise<Life> {
    const life = this.#begin(saved);
    life.then(
      () => {
        if (this.#life === life) this.#become({ state: 'ready' });
      },
      (error: unknown) => {
        if (this.#life === life) this.#become({ state: 'failed', reason: faultOf(error).what });
      },
    );
    return life;
  }

  async #begin(saved: Uint8Array<ArrayBuffer> | undefined): Promise<Life> {
    const { boot, helper, journal, callMs } = this.#options;
    await this.#writer.settled();
    const [client, contents] = await Promise.all([boot(), journal.load()]);
    const life: Life = beginLife(
      client,
      { timer: this.#timer, helper, ...(callMs !== undefined && { callMs }) },
      {
        died: (reason) => this.#died(life, reason),
        stuck: () => this.#stuck('a search'),
        serversChanged: () => this.#serversChanged.emit(),
      },
    );
    this.#current = life;
    this.#programs = undefined;
    const tail = [...contents.tail, ...this.#writer.pending];
    if (saved) await life.container.mount(saved);
    await layOut(life, this.#mirror, keptNodes({ packs: contents.packs, tail }));
    this.#known = this.#touched;
    this.#watch = new SourceWatch(client, this.#timer, () => {
      // Nobody else can have been it.
      if (this.#processes.size === 0 && performance.now() - this.#wrote < STALE_MS) return;
      this.#touched++;
      void this.#fresh().catch(() => {});
    });
    this.#rewatch();
    return life;
  }

  /** The whole tree, packages too, in the runtime's own form. */
  async #save({ container }: Life): Promise<Uint8Array<ArrayBuffer>> {
    await this.#fresh();
    return container.save();
  }

  async #start(command: string, options: SpawnOptions, begin: () => void): Promise<Started> {
    const life = await this.#fresh();
    const { path, node, beyond } = this.#mirror.locate(options.cwd ?? ROOT);
    if (!beyond && !node) throw new WorkspaceError('ENOENT', path);
    if (node && node.type !== 'directory') throw new WorkspaceError('ENOTDIR', path);
    if (options.reads) {
      const [exposed] = await this.exposed(options.reads);
      if (exposed !== undefined)
        throw new WorkspaceError(
          'EACCES',
          exposed,
          `not run: a command here can read every file, and ${fromRoot(exposed)} may not be read`,
        );
    }
    const { outside } = this.#options;
    if (outside && namesKeptOutputs(command))
      await layKeptOutputs(life.helper, outside).catch((error: unknown) => {
        // Without them the command itself says that there is no such file.
        if (life.container.over) throw error;
      });
    begin();
    const { terminal } = options;
    const env = {
      ...ENVIRONMENT,
      ...(terminal ? COLOURED : PLAIN),
      ...(terminal && { COLUMNS: String(terminal.columns), LINES: String(terminal.rows) }),
      ...options.env,
    };
    const cwd = fromRoot(path);
    const { stdin } = options;
    if (stdin === undefined || stdin.length > 0) return life.helper.start({ ask: 'run', command, env }, cwd);
    const process = await life.container.spawn('jsh', ['-c', command], {
      ...(cwd !== '' && { cwd }),
      env,
      terminal: { cols: terminal?.columns ?? 500, rows: terminal?.rows ?? 50 },
    });
    process.exit.catch(() => {});
    return { process };
  }

  /** One after the other, with the mirror true. */
  #alone<T>(work: (life: Life) => Promise<T>): Promise<T> {
    const turn = this.#queue.then(async () => {
      const life = await this.#alive();
      await this.#sync(life);
      return work(life);
    });
    this.#queue = turn.catch(() => {});
    return turn;
  }

  #fresh(): Promise<Life> {
    const alive = this.#alive();
    // What is true needs no turn: thousands of reads come at once.
    if (this.#current && !this.#isStale()) return alive;
    return alive.then((life) => (this.#isStale() ? this.#alone(async (current) => current) : life));
  }

  #isStale(): boolean {
    return (
      this.#known !== this.#touched ||
      (this.#processes.size > 0 && performance.now() - this.#synced > STALE_MS)
    );
  }

  async #sync(life: Life): Promise<void> {
    while (this.#isStale()) {
      const touched = this.#touched;
      const { changes, kept } = await sync(life, this.#mirror);
      this.#known = touched;
      this.#synced = performance.now();
      this.#changed(changes, kept);
    }
  }

  #changed(changes: readonly FileChange[], kept: readonly JournalChange[]): void {
    if (kept.length > 0) void this.#writer.add(kept);
    if (changes.length > 0) this.#changes.emit(changes);
    if (changes.some(({ path }) => !fromRoot(path).includes('/'))) this.#rewatch();
  }

  #rewatch(): void {
    const folders = [...this.#mirror.nodes].flatMap(([path, { type }]) =>
      type === 'directory' && !path.includes('/') ? [path] : [],
    );
    this.#watch?.watch(folders);
  }

  #stuck(what: string): void {
    if (this.#status.state !== 'ready') return;
    const name = what.length > 60 ? `${what.slice(0, 60)}…` : what;
    this.#become({
      state: 'stuck',
      reason: `A process goes on although it was ended: ${name}. Restart the container to be rid of it.`,
    });
  }

  #died(life: Life, reason: string): void {
    if (this.#current !== life || this.#status.state === 'closed') return;
    const worked = this.#status.state === 'ready' || this.#status.state === 'stuck';
    this.#end(reason);
    this.#options.lost?.();
    this.#life = gone(`${reason} Restart the container to go on.`);
    if (!worked) return this.#become({ state: 'failed', reason });
    this.#become({ state: 'failed', reason: `${reason} ${AFTER_DEATH}`, restart: true });
  }

  #end(reason: string): void {
    const life = this.#current;
    this.#current = undefined;
    this.#watch?.end();
    this.#watch = undefined;
    for (const process of [...this.#processes]) process.lose(reason);
    this.#processes.clear();
    if (!life) return;
    const dead = life.container.over;
    life.container.end();
    life.servers.clear();
    this.#serversChanged.emit();
    // A dead one never answers, and whoever boots next would wait for it.
    if (!dead) life.container.client.teardown();
  }

  #become(status: WorkspaceStatus): void {
    if (this.#status.state === 'closed') return;
    this.#status = status;
    this.#statuses.emit(status);
  }
}

function gone(reason: string): Promise<never> {
  const life = Promise.reject<never>(new WorkspaceError('EGONE', '', reason));
  life.catch(() => {});
  return life;
}

function byPort(a: Server, b: Server): number {
  return a.port - b.port;
}
