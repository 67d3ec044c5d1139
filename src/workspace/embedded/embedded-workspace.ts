import { faultOf } from '../../base/fault.ts';
import { Listeners, type Unlisten } from '../../base/listeners.ts';
import { timeoutTimer, type Timer } from '../../base/timer.ts';
import type { FileJournal, JournalChange, JournalContents } from '../../protocol/journal.ts';
import {
  WorkspaceError,
  type Capabilities,
  type FileChange,
  type Files,
  type Process,
  type Search,
  type SnapshotEntry,
  type SnapshotSink,
  type SpawnOptions,
  type Workspace,
  type WorkspaceStatus,
} from '../workspace.ts';
import { embeddedFiles, embeddedSearch, type CallKernel } from './calls.ts';
import { capabilitiesWith } from './capabilities.ts';
import type { TerminalSize, TypedShell } from '../typed-shell.ts';
import { EmbeddedJobs } from './embedded-jobs.ts';
import { EmbeddedServers } from './embedded-servers.ts';
import { EmbeddedProcess, EmbeddedShell } from './embedded-process.ts';
import type { FromServer, NetRequest } from '../../protocol/exchange.ts';
import { JournalWriter } from '../journal-writer.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { SHELL_COMMANDS } from '../../protocol/shell-commands.ts';
import { KernelLink, type Connection, type Pulse } from './kernel-link.ts';
import type { Programs, ScratchNode } from '../../protocol/frame.ts';
import type { Reach } from './reach.ts';
import { answers } from './schemas.ts';
import { restoreSnapshot, SnapshotCalls } from './snapshot-calls.ts';
import { KernelSupplies, type SupplyOptions } from './supplies.ts';

export interface EmbeddedOptions extends SupplyOptions {
  readonly id: string;
  readonly journal: FileJournal;
  /** Starts a new kernel. Called again whenever one has died. */
  readonly connect: () => Promise<Connection>;
  readonly programs: () => Promise<Programs>;
  /** Without this, programs cannot reach hosts outside. */
  readonly reach?: Reach;
  /** How many bytes all files together may take. */
  readonly quotaBytes?: number;
  /** Returns the time that files count from where time is made up, else `undefined`. */
  readonly madeUpTime?: () => number | undefined;
  readonly pulse?: Pulse;
  /** Times the checks that the kernel is alive. It should not slow down in hidden tabs. */
  readonly timer?: Timer;
  /** How long a kernel may take to start. */
  readonly startMs?: number;
}

const PULSE: Pulse = { everyMs: 500, misses: 4 };
const START_MS = 15_000;

/**
 * The workspace that works in every browser: files and programs in an opaque frame of the page. The kernel in the frame
 * holds the files, and the journal stores them. A kernel that dies is replaced from the journal.
 */
export class EmbeddedWorkspace implements Workspace {
  readonly id: string;
  readonly kind = 'embedded';
  readonly files: Files;
  readonly search: Search;
  readonly jobs: EmbeddedJobs;
  readonly servers: EmbeddedServers;
  readonly #options: EmbeddedOptions;
  readonly #supplies: KernelSupplies;
  readonly #writer: JournalWriter;
  readonly #changes = new Listeners<readonly FileChange[]>();
  readonly #statuses = new Listeners<WorkspaceStatus>();
  #status: WorkspaceStatus = { state: 'starting' };
  #link: Promise<KernelLink>;
  #nextProcess = 1;
  readonly #shells = new Set<EmbeddedShell>();
  /** How many calls and processes are under way, and how many were ever begun. */
  readonly #uses = { underWay: 0, begun: 0 };
  /** Scratch files for the next kernel, which are not in the journal. */
  #scratch: readonly ScratchNode[] = [];

  constructor(options: EmbeddedOptions) {
    this.id = options.id;
    this.#options = options;
    this.#supplies = new KernelSupplies(options);
    this.#writer = new JournalWriter(options.journal, { apart: true });
    const call: CallKernel = (what, schema, signal, transfer) =>
      this.#use(async (link) => (await link).call(what, schema, signal, transfer));
    this.files = embeddedFiles(call);
    this.search = embeddedSearch(call);
    this.jobs = new EmbeddedJobs(call, () => this.#begin());
    this.servers = new EmbeddedServers(
      (port, channel) =>
        this.#use(async (link) => (await link).post({ kind: 'connect', port, channel }, [channel])),
      options.timer ?? timeoutTimer,
    );
    this.#call = call;
    this.#snapshotCalls = new SnapshotCalls(call);
    this.#link = this.#startKernel();
  }

  readonly #call: CallKernel;
  readonly #snapshotCalls: SnapshotCalls;
  #snapshots: Promise<unknown> = Promise.resolve();

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
    const [node, hosts] = await Promise.all([
      this.#call({ method: 'node' }, answers.node),
      this.#options.reach?.hosts(),
    ]);
    const npm = this.#options.images?.facts.find(({ name }) => name === 'npm')?.version;
    return capabilitiesWith({ commands: SHELL_COMMANDS, node, npm }, hosts);
  }

  spawn(command: string, options: SpawnOptions = {}): Process {
    const id = `prc_${this.#nextProcess++}`;
    return this.#runs((link) => new EmbeddedProcess(id, command, options, link));
  }

  openShell(terminal: TerminalSize): TypedShell {
    const id = `prc_${this.#nextProcess++}`;
    const opened = this.#begin();
    const shell = new EmbeddedShell(id, terminal, () => this.#begin(), this.#link);
    this.#shells.add(shell);
    void shell.exited.then(() => this.#shells.delete(shell));
    opened();
    return shell;
  }

  async durable(): Promise<void> {
    // A workspace is suspended only after everything was stored.
    if (this.#status.state === 'suspended') return;
    // Batches come in order, so once this is answered, everything written before has arrived.
    await this.#call({ method: 'flush' }, answers.nothing);
    await this.#writer.stored();
  }

  snapshot(sink: SnapshotSink, { skipIgnored = false } = {}): Promise<readonly SnapshotEntry[]> {
    return this.#use(() => {
      // One after another: the kernel keeps the contents of one snapshot while it is taken.
      const taken = this.#snapshots.then(() => this.#snapshotCalls.takeInto(sink, skipIgnored));
      this.#snapshots = taken.catch(() => undefined);
      return taken;
    });
  }

  restore(entries: readonly SnapshotEntry[], contents: (hash: string) => Promise<Uint8Array>): Promise<void> {
    return this.#use(() => restoreSnapshot(this.#call, entries, contents));
  }

  async suspend(): Promise<boolean> {
    if (this.#status.state === 'suspended') return true;
    if (this.#status.state !== 'ready' || this.#uses.underWay > 0) return false;
    const { begun } = this.#uses;
    const used = this.#link;
    try {
      const link = await used;
      const scratch = await link.call({ method: 'leave' }, answers.scratch);
      await this.#writer.stored();
      // Something has begun meanwhile, so the kernel stays.
      if (this.#uses.begun !== begun || this.#link !== used) return false;
      this.#scratch = scratch;
      for (const shell of this.#shells) shell.suspend();
      this.#become({ state: 'suspended' });
      link.end();
      return true;
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    if (this.#status.state === 'closed') return;
    const isSuspended = this.#status.state === 'suspended';
    const link = await this.#link.catch(() => undefined);
    // A suspended workspace has stored everything, so it need not start for this.
    if (!isSuspended) await this.durable().catch(() => {});
    this.#link = gone('The workspace is closed.');
    this.jobs.lose();
    this.servers.heard([]);
    this.#become({ state: 'closed' });
    link?.end();
    await this.#options.journal.close();
  }

  /** Starts a suspended workspace again, and keeps it from being suspended before `work` is over. */
  async #use<Result>(work: (link: Promise<KernelLink>) => Promise<Result>): Promise<Result> {
    const done = this.#begin();
    try {
      return await work(this.#link);
    } finally {
      done();
    }
  }

  /** Starts a process, and keeps the workspace from being suspended before it has ended. */
  #runs<Started extends { readonly exited: Promise<unknown> }>(
    start: (link: Promise<KernelLink>) => Started,
  ): Started {
    const done = this.#begin();
    const started = start(this.#link);
    void started.exited.then(done);
    return started;
  }

  #begin(): () => void {
    this.#uses.begun++;
    this.#uses.underWay++;
    if (this.#status.state === 'suspended') {
      this.#become({ state: 'starting' });
      this.#link = this.#startKernel();
    }
    return () => void this.#uses.underWay--;
  }

  /** Starts a kernel and resolves once it answers. If none can be started, the workspace has failed. */
  #startKernel(): Promise<KernelLink> {
    const link = this.#start();
    const become = (status: WorkspaceStatus) => {
      // A kernel that has been replaced no longer sets the status.
      if (this.#link === link) this.#become(status);
    };
    link.then(
      () => become({ state: 'ready' }),
      (error: unknown) => become({ state: 'failed', reason: faultOf(error).what }),
    );
    return link;
  }

  async #start(): Promise<KernelLink> {
    const {
      connect,
      programs,
      quotaBytes = LIMITS.fileBytes,
      pulse = PULSE,
      startMs = START_MS,
    } = this.#options;
    // The scripts of the shell and the search are fetched while the kernel starts.
    const loading = programs();
    loading.catch(() => undefined);
    try {
      const [connection, contents] = await Promise.all([connect(), this.#contents()]);
      const link = this.#linkTo(connection, pulse);
      const scratch = this.#scratch;
      this.#scratch = [];
      const { facts = [] } = this.#options.images ?? {};
      const madeUpTime = this.#options.madeUpTime?.();
      const made = madeUpTime !== undefined && { madeUpTime };
      link.post(
        { kind: 'start', contents, scratch, quotaBytes, images: facts, ...made },
        buffersOf(contents, scratch),
      );
      await withTimeout(link.hello, startMs, () => link.end('It did not answer.'));
      loading.then(
        (sources) => link.post({ kind: 'programs', programs: sources }),
        (error: unknown) => this.#fail(link, `The shell could not be loaded: ${faultOf(error).what}`),
      );
      return link;
    } catch (error) {
      throw new WorkspaceError('EGONE', '', `The workspace could not be started: ${faultOf(error).what}`);
    }
  }

  #linkTo(connection: Connection, pulse: Pulse): KernelLink {
    const link: KernelLink = new KernelLink(
      connection,
      {
        batch: (changes) => void this.#store(link, changes),
        changes: (changes) => this.#changes.emit(changes),
        wantContents: (id, hashes) => void this.#supplies.contents(link, id, hashes),
        outside: (id, path) => void this.#supplies.outside(link, id, path),
        jobs: (jobs) => this.jobs.heard(jobs),
        servers: (ports) => this.servers.heard(ports),
        wantNode: () => void this.#supplies.node(link),
        wantPart: (part) => void this.#supplies.part(link, part),
        wantImage: (name) => void this.#supplies.image(link, name),
        reach: (request, channel, over) =>
          this.#options.reach
            ? this.#options.reach.exchange(request, channel, over)
            : refuse(request, channel),
        died: (reason) => this.#restart(reason),
      },
      pulse,
      this.#options.timer ?? timeoutTimer,
    );
    return link;
  }

  /** The contents of the journal, and the changes that it could not store yet. */
  async #contents(): Promise<JournalContents> {
    await this.#writer.settled();
    const { packs, tail } = await this.#options.journal.load();
    const pending = this.#writer.pending.map((change) =>
      change.op === 'put' ? { ...change, bytes: change.bytes.slice() } : change,
    );
    return { packs, tail: [...tail, ...pending] };
  }

  #restart(reason: string): void {
    if (this.#status.state === 'closed') return;
    this.#become({ state: 'restarting', reason });
    this.jobs.lose();
    this.servers.heard([]);
    this.#link = this.#startKernel();
  }

  #fail(link: KernelLink, reason: string): void {
    if (this.#status.state === 'closed') return;
    this.#link = gone(reason);
    this.#become({ state: 'failed', reason });
    link.end();
  }

  async #store(link: KernelLink, changes: readonly JournalChange[]): Promise<void> {
    const hashes = await this.#writer.add(changes);
    link.post({ kind: 'stored', hashes, isBehind: this.#writer.isBehind });
  }

  #become(status: WorkspaceStatus): void {
    if (this.#status.state === 'closed') return;
    this.#status = status;
    this.#statuses.emit(status);
  }
}

function refuse({ url }: NetRequest, channel: MessagePort): void {
  channel.postMessage({
    kind: 'failed',
    code: 'EACCES',
    message: `${URL.canParse(url) ? new URL(url).hostname : url} cannot be reached: programs of this workspace reach only its own servers`,
  } satisfies FromServer);
  channel.close();
}

function gone(reason: string): Promise<never> {
  const link = Promise.reject<never>(new WorkspaceError('EGONE', '', reason));
  link.catch(() => {});
  return link;
}

function buffersOf({ packs, tail }: JournalContents, scratch: readonly ScratchNode[]): Transferable[] {
  const buffers = [...packs, ...tail, ...scratch].flatMap((each) =>
    'bytes' in each ? [each.bytes.buffer] : [],
  );
  return [...new Set(buffers)];
}

function withTimeout(promise: Promise<void>, ms: number, late: () => void): Promise<void> {
  const timer = setTimeout(late, ms);
  return promise.finally(() => clearTimeout(timer));
}
