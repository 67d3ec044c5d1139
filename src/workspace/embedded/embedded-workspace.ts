import { faultOf } from '../../base/fault.ts';
import { Listeners, type Unlisten } from '../../base/listeners.ts';
import { timeoutTimer, type Timer } from '../../base/timer.ts';
import type { FileJournal, JournalContents } from '../journal.ts';
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
import { EmbeddedProcess, EmbeddedShell } from './embedded-process.ts';
import type { FromServer, NetRequest } from './exchange.ts';
import { JournalWriter } from '../journal-writer.ts';
import { LIMITS } from './limits.ts';
import { KernelLink, type Connection, type Pulse } from './kernel-link.ts';
import type { OutsideFiles } from './outside.ts';
import type { NodePart, Programs } from './protocol.ts';
import type { Reach } from './reach.ts';
import { answers } from './schemas.ts';
import { restoreSnapshot, takeSnapshotInto } from './snapshot-calls.ts';

export interface EmbeddedOptions {
  readonly id: string;
  readonly journal: FileJournal;
  /** Starts a fresh kernel; called again whenever one has died. */
  readonly connect: () => Promise<Connection>;
  readonly programs: () => Promise<Programs>;
  /** The source of `node`, asked for when a process first wants it. Without it there is no `node`. */
  readonly nodeProgram?: () => Promise<string>;
  /** The source of a part of `node`, asked for when a program first uses it. */
  readonly nodePart?: (part: NodePart) => Promise<string>;
  /** What a shell sees below `~/.opencode/truncate`; nothing without it. */
  readonly outside?: OutsideFiles;
  /** Without it programs reach nobody outside. */
  readonly reach?: Reach;
  /** Bytes that all files may take together. */
  readonly quotaBytes?: number;
  readonly pulse?: Pulse;
  /** Counts the pulse; one that does not slow down in hidden tabs finds a dead kernel there as soon as elsewhere. */
  readonly timer?: Timer;
  /** How long a kernel may take to say hello. */
  readonly startMs?: number;
}

const PULSE: Pulse = { everyMs: 500, misses: 4 };
const START_MS = 15_000;

/**
 * The workspace that always works: files and programs in an opaque frame of the page. The kernel in the frame has the
 * files; the journal has what survives. A kernel that dies is replaced from the journal.
 */
export class EmbeddedWorkspace implements Workspace {
  readonly id: string;
  readonly kind = 'embedded';
  readonly files: Files;
  readonly search: Search;
  readonly #options: EmbeddedOptions;
  readonly #writer: JournalWriter;
  readonly #changes = new Listeners<readonly FileChange[]>();
  readonly #statuses = new Listeners<WorkspaceStatus>();
  #status: WorkspaceStatus = { state: 'starting' };
  #link: Promise<KernelLink>;
  #nextProcess = 1;

  constructor(options: EmbeddedOptions) {
    this.id = options.id;
    this.#options = options;
    this.#writer = new JournalWriter(options.journal);
    const call: CallKernel = async (what, schema, signal, transfer) =>
      (await this.#link).call(what, schema, signal, transfer);
    this.files = embeddedFiles(call);
    this.search = embeddedSearch(call);
    this.#call = call;
    this.#link = this.#live();
  }

  readonly #call: CallKernel;

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
    const [commands, node, hosts] = await Promise.all([
      this.#call({ method: 'commands' }, answers.commands),
      this.#call({ method: 'node' }, answers.node),
      this.#options.reach?.hosts(),
    ]);
    return capabilitiesWith({ commands, node }, hosts);
  }

  spawn(command: string, options: SpawnOptions = {}): Process {
    return new EmbeddedProcess(`prc_${this.#nextProcess++}`, command, options, this.#link);
  }

  openShell(terminal: TerminalSize): TypedShell {
    return new EmbeddedShell(`prc_${this.#nextProcess++}`, terminal, this.#link);
  }

  async durable(): Promise<void> {
    // Batches come in order: once this is answered, all that was written before has arrived.
    await this.#call({ method: 'flush' }, answers.nothing);
    await this.#writer.stored();
  }

  snapshot(sink: SnapshotSink): Promise<readonly SnapshotEntry[]> {
    return takeSnapshotInto(this.#call, sink);
  }

  restore(entries: readonly SnapshotEntry[], contents: (hash: string) => Promise<Uint8Array>): Promise<void> {
    return restoreSnapshot(this.#call, entries, contents);
  }

  async close(): Promise<void> {
    if (this.#status.state === 'closed') return;
    const link = await this.#link.catch(() => undefined);
    await this.durable().catch(() => {});
    this.#link = gone('The workspace is closed.');
    this.#become({ state: 'closed' });
    link?.end();
    await this.#options.journal.close();
  }

  /** Starts a kernel and resolves once it answers; where none can be started, the workspace has failed. */
  #live(): Promise<KernelLink> {
    const link = this.#start();
    const become = (status: WorkspaceStatus) => {
      // A life that ended before its start was over has no say any more.
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
    try {
      const [connection, contents] = await Promise.all([connect(), this.#contents()]);
      const link = this.#linkTo(connection, pulse);
      link.post({ kind: 'start', contents, quotaBytes }, buffersOf(contents));
      await within(link.hello, startMs, () => link.end('It did not answer.'));
      programs().then(
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
        batch: (changes) => void this.#writer.add(changes).then(() => link.post({ kind: 'stored' })),
        changes: (changes) => this.#changes.emit(changes),
        outside: (id, path) => void this.#lookOutside(link, id, path),
        wantNode: () => void this.#giveNode(link),
        wantPart: (part) => void this.#givePart(link, part),
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

  /** What the journal holds and what it could not take yet. */
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
    this.#link = this.#live();
  }

  #fail(link: KernelLink, reason: string): void {
    if (this.#status.state === 'closed') return;
    this.#link = gone(reason);
    this.#become({ state: 'failed', reason });
    link.end();
  }

  async #lookOutside(link: KernelLink, id: number, path: string): Promise<void> {
    const entry = await this.#options.outside?.look(path).catch(() => null);
    link.post({ kind: 'outside', id, entry: entry ?? null });
  }

  async #giveNode(link: KernelLink): Promise<void> {
    try {
      if (!this.#options.nodeProgram) throw new Error('this workspace has no node');
      link.post({ kind: 'node', source: await this.#options.nodeProgram() });
    } catch (error) {
      link.post({ kind: 'node', failed: `node could not be loaded: ${faultOf(error).what}` });
    }
  }

  async #givePart(link: KernelLink, part: NodePart): Promise<void> {
    try {
      if (!this.#options.nodePart) throw new Error('this workspace does not have it');
      link.post({ kind: 'part', part, source: await this.#options.nodePart(part) });
    } catch (error) {
      const failed = `this part of node could not be loaded: ${faultOf(error).what}`;
      link.post({ kind: 'part', part, failed });
    }
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

function buffersOf({ packs, tail }: JournalContents): Transferable[] {
  const buffers = [...packs, ...tail].flatMap((each) => ('bytes' in each ? [each.bytes.buffer] : []));
  return [...new Set(buffers)];
}

function within(promise: Promise<void>, ms: number, late: () => void): Promise<void> {
  const timer = setTimeout(late, ms);
  return promise.finally(() => clearTimeout(timer));
}
