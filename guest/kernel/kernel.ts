import type { Hash } from '../../src/base/hash.ts';
import { isInLargeTree } from '../../src/protocol/large-trees.ts';
import type { NodeFsCall } from '../shared/wire.ts';
import type { OutsideEntry } from '../../src/protocol/outside.ts';
import type { Call, FromKernel, Programs, ToKernel } from '../../src/protocol/frame.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { ROOT } from '../../src/base/places.ts';
import type { FileChange, GlobResult, GrepResult } from '../../src/protocol/workspace-values.ts';
import type { FsCall, Peer, SearchRequest } from '../shared/protocol.ts';
import { AppFiles } from './app-files.ts';
import { AppRequests } from './app-requests.ts';
import { toolAccess } from './access.ts';
import { FsError, failureOf } from './errors.ts';
import { CompiledModules } from './compiled-modules.ts';
import { Contents } from './contents.ts';
import { ChangeJournal } from './journal.ts';
import { Images } from './images.ts';
import { locate, type Located } from './locate.ts';
import { load, loadScratch } from './load.ts';
import { nearby } from './nearby.ts';
import { nodeFacts } from '../node/start/facts.ts';
import type { FileNode, KeptContent } from './nodes.ts';
import { ModuleCodes } from './module-codes.ts';
import { NamesVersion } from '../shared/names-version.ts';
import { NodePool } from './node-pool.ts';
import { OutsideMount } from './outside.ts';
import { Parts } from './parts.ts';
import { Processes } from './processes.ts';
import { scratchOf } from './scratch.ts';
import { SearchHost } from './search-host.ts';
import { ShellPool } from './shell-pool.ts';
import { pathOf } from './shell-files.ts';
import { Snapshots } from './snapshots.ts';
import type { StartWorkers } from './start-workers.ts';
import { FileTree } from './tree.ts';
import { WatchGatherer } from './watch.ts';

/** Returns functions that start the workers, given their scripts. */
export type PrepareWorkers = (programs: Programs) => StartWorkers;

/** Owns the files and the processes, and answers the app. It never runs guest code itself. */
export class Kernel {
  readonly #app: Peer<FromKernel, ToKernel>;
  readonly #tree: FileTree;
  readonly #files: AppFiles;
  readonly #snapshots: Snapshots;
  readonly #journal: ChangeJournal;
  readonly #watch: WatchGatherer;
  readonly #outside: OutsideMount;
  readonly #images: Images;
  readonly #node: Promise<NodePool | undefined>;
  readonly #processes: Processes;
  readonly #pool: Promise<ShellPool>;
  readonly #search: Promise<SearchHost>;
  readonly #cancels = new Map<number, AbortController>();
  readonly #contents: Contents;
  readonly #contentRequests = new AppRequests<readonly (Uint8Array | null)[]>();
  readonly #outsideRequests = new AppRequests<OutsideEntry | null>();
  readonly #moduleCodes = new ModuleCodes();
  readonly #parts = new Parts((part) => this.#app.post({ kind: 'wantPart', part }));
  #nodeRequest: { resolve(script: Blob): void; reject(error: Error): void } | undefined;
  #programs: (workers: StartWorkers) => void = () => {};
  readonly #prepare: PrepareWorkers;

  constructor(
    app: Peer<FromKernel, ToKernel>,
    start: Extract<ToKernel, { kind: 'start' }>,
    prepare: PrepareWorkers,
  ) {
    this.#app = app;
    this.#prepare = prepare;
    const watch = new WatchGatherer((changes) => app.post({ kind: 'changes', changes }));
    this.#watch = watch;
    let search: SearchHost | undefined;
    const changed = (path: string, change: FileChange['change'], isWritten = false) => {
      this.#journal.note(path, change);
      watch.note(path, change);
      search?.note(path, change);
      this.#processes.note(path, change, isWritten);
    };
    const { madeUpTime } = start;
    let time = madeUpTime ?? 0;
    // Only node shares memory, and it does not run where there is none.
    const names = typeof SharedArrayBuffer === 'undefined' ? undefined : new NamesVersion();
    this.#tree = new FileTree({
      quotaBytes: start.quotaBytes,
      quotaFiles: LIMITS.files,
      now: () => (madeUpTime === undefined ? Date.now() : time++),
      changed,
      namesChanged: () => names?.advance(),
    });
    this.#contents = new Contents(
      (hashes) => this.#askContents(hashes),
      (node) => this.#tree.isOpen(node),
    );
    this.#journal = new ChangeJournal(
      this.#tree.top,
      (changes, transfer) => app.post({ kind: 'batch', changes }, transfer),
      ({ node, content }, hash) => {
        this.#tree.keep(node, { hash, size: content.byteLength });
        this.#contents.stored(node);
      },
    );
    const read = (files: readonly KeptContent[]) => this.#contents.read(files);
    load(this.#tree, start.contents);
    loadScratch(this.#tree, start.scratch);
    this.#files = new AppFiles(this.#tree);
    this.#snapshots = new Snapshots(this.#tree, read);
    this.#outside = new OutsideMount(this.#tree, (path) => this.#askOutside(path));
    this.#images = new Images(this.#tree, start.images ?? [], (name) =>
      app.post({ kind: 'wantImage', name }),
    );
    const workers = new Promise<StartWorkers>((resolve) => (this.#programs = resolve));
    this.#pool = workers.then(({ shell }) => new ShellPool(shell));
    this.#search = workers.then((each) => (search = new SearchHost(this.#tree.top, each.search, read)));
    this.#node = workers.then(
      ({ node }) => node && names && new NodePool(() => this.#nodeScript(), node, names.shared),
    );
    this.#processes = this.#makeProcesses(madeUpTime !== undefined);
    app.post({ kind: 'hello' });
  }

  #makeProcesses(hasMadeUpTime: boolean): Processes {
    return new Processes({
      tree: this.#tree,
      pool: this.#pool,
      node: this.#node,
      prepare: (call) => this.#prepareCall(call),
      image: (name) => this.#images.about(name),
      sharedImages: () => this.#images.shared,
      output: (process, bytes) => this.#app.post({ kind: 'output', process, bytes }),
      lineDone: (process, state) => {
        this.#journal.flush();
        this.#watch.flush();
        this.#app.post({ kind: 'lineDone', process, state });
      },
      keyboard: (process, mode) => this.#app.post({ kind: 'keyboard', process, mode }),
      exited: (process, exit) => {
        this.#journal.flush();
        this.#watch.flush();
        const made = hasMadeUpTime ? { ...exit, durationMs: 0 } : exit;
        this.#app.post({ kind: 'exited', process, exit: made });
      },
      jobs: (jobs) => this.#app.post({ kind: 'jobs', jobs }),
      servers: (ports) => this.#app.post({ kind: 'servers', ports }),
      outside: (request, channel) => this.#app.post({ kind: 'reach', request, channel }, [channel]),
      part: (part) => this.#parts.source(part),
      moduleCodes: this.#moduleCodes,
      compiledModules: new CompiledModules(),
      idle: () => {
        this.#outside.forget();
        this.#contents.rest();
      },
    });
  }

  hear(message: Exclude<ToKernel, { kind: 'start' }>): void {
    switch (message.kind) {
      case 'ping':
        return this.#app.post({ kind: 'pong' });
      case 'programs':
        return this.#programs(this.#prepare(message.programs));
      case 'call':
        return void this.#answer(message.id, message.call);
      case 'cancel':
        return this.#cancels.get(message.id)?.abort();
      case 'stored':
        return this.#journal.ready(message.hashes, message.isBehind);
      case 'contents':
        return this.#contentRequests.answered(message.id, message.contents);
      case 'spawn':
        this.#contents.work();
        return void this.#processes.spawn(message.process, message.command, message.how);
      case 'input':
        return this.#processes.input(message.process, message.bytes);
      case 'endInput':
        return this.#processes.endInput(message.process);
      case 'line':
        return this.#processes.line(message.process, message.text);
      case 'connect':
        return this.#processes.connect(message.port, message.channel);
      case 'resize':
        return this.#processes.resize(message.process, message.columns, message.rows);
      case 'kill':
        return this.#processes.kill(message.process, message.signal);
      case 'node':
        if (message.script !== undefined) return this.#nodeRequest?.resolve(message.script);
        return this.#nodeRequest?.reject(new Error(message.failed));
      case 'part':
        if (message.source !== undefined) return this.#parts.arrived(message.part, message.source);
        return this.#parts.failed(message.part, message.failed ?? '');
      case 'image':
        return this.#images.arrived(message.name, message.packed, message.failed);
      case 'outside':
        return this.#outsideRequests.answered(message.id, message.entry);
    }
  }

  async #answer(id: number, call: Call): Promise<void> {
    try {
      const value = await this.#run(id, call);
      // It is sent before the answer, so that a crash of the frame cannot lose a change that was acknowledged.
      this.#journal.flush();
      this.#app.post({ kind: 'answer', id, value }, transferable(value));
    } catch (error) {
      const path = error instanceof FsError ? error.path : '';
      this.#app.post({ kind: 'failed', id, path, ...failureOf(error) });
    } finally {
      this.#cancels.delete(id);
    }
  }

  #run(id: number, call: Call): unknown {
    const files = this.#files;
    switch (call.method) {
      case 'resolve':
        return files.resolve(call.path);
      case 'read':
        return this.#readFile(call.path, call.real);
      case 'stat':
        return files.stat(call.path);
      case 'list':
        return files.list(call.path, call.real);
      case 'makeDirectory':
        return files.makeDirectory(call.path);
      case 'readLink':
        return files.readLink(call.path);
      case 'makeLink':
        return files.makeLink(call.path, call.target);
      case 'write':
        return files.write(call.path, call.content, call);
      case 'remove':
        return files.remove(call.path, call);
      case 'rename':
        return files.rename(call.from, call.to, call.real);
      case 'glob':
        return this.#find(id, {
          kind: 'glob',
          query: { ...call.query, path: this.#realPath(call.query.path) },
        });
      case 'grep':
        return this.#find(id, {
          kind: 'grep',
          query: { ...call.query, path: this.#realPath(call.query.path) },
        });
      case 'flush':
        // A client that hears that changes are safe has heard of the changes before.
        return this.#watch.flush();
      case 'leave':
        this.#watch.flush();
        return scratchOf(this.#tree.top);
      case 'stopJob':
        return this.#processes.stopJob(call.job);
      case 'stopJobsOf':
        return this.#processes.stopJobsOf(call.owner);
      case 'jobOutput':
        return this.#processes.jobOutput(call.job);
      case 'node':
        return this.#node.then((pool) => (pool ? nodeFacts : null));
      case 'snapshot':
        return this.#snapshots.take(call.since);
      case 'snapshotTaken':
        return this.#snapshots.taken();
      case 'snapshotContents':
        return this.#snapshots.contents(call.hashes);
      case 'restore':
        // Code that a program has kept since the snapshot must not run with the files that are put back.
        this.#moduleCodes.clear();
        return this.#snapshots.restore(call.entries, call.contents);
    }
  }

  async #readFile(path: string, real: boolean | undefined): Promise<Uint8Array> {
    await this.#contents.fetch(this.#files.fileAt(path));
    return this.#files.read(path, real);
  }

  /** Fetches what a process needs for a call on its files. Undefined where there is nothing to wait for. */
  #prepareCall(call: FsCall | NodeFsCall): Promise<void> | undefined {
    if ('handle' in call) return call.op === 'writeAt' ? this.#journal.room() : undefined;
    const path = pathOf(call);
    if (this.#outside.covers(path)) return this.#outside.refresh(path);
    // The names in an image are wanted for the sake of a path below.
    const image = this.#images.refresh(call.op === 'names' ? `${path}/x` : path);
    if (image) return image;
    if (call.op === 'write') return isInLargeTree(path) ? this.#journal.room() : undefined;
    if (!READS_CONTENT.has(call.op)) return undefined;
    const place = placeOf(this.#tree, path);
    return this.#contents.fetch(
      [...filesAt(place), ...(call.op === 'same' ? filesAt(placeOf(this.#tree, call.to)) : [])],
      () => (place && isInLargeTree(place.path) ? nearby(place) : []),
    );
  }

  #askContents(hashes: readonly Hash[]): Promise<readonly (Uint8Array | null)[]> {
    return this.#contentRequests.ask((id) => this.#app.post({ kind: 'wantContents', id, hashes }));
  }

  #realPath(path: string | undefined): string {
    return this.#tree.get(toolAccess, path ?? ROOT).path;
  }

  async #find(id: number, search: SearchRequest): Promise<GlobResult | GrepResult> {
    const cancel = new AbortController();
    this.#cancels.set(id, cancel);
    return (await this.#search).search(search, cancel.signal);
  }

  /** Asks the app for node's program, which it fetches on first use: most workspaces never need it. */
  #nodeScript(): Promise<Blob> {
    this.#app.post({ kind: 'wantNode' });
    return new Promise((resolve, reject) => (this.#nodeRequest = { resolve, reject }));
  }

  #askOutside(path: string): Promise<OutsideEntry | null> {
    return this.#outsideRequests.ask((id) => this.#app.post({ kind: 'outside', id, path }));
  }
}

/** Operations by path that need the content of a file. */
const READS_CONTENT: ReadonlySet<string> = new Set(['read', 'open', 'append', 'same']);

function placeOf(tree: FileTree, path: string): Located | undefined {
  try {
    return locate(tree.top, path, true);
  } catch {
    // The operation itself says why.
    return undefined;
  }
}

function filesAt(place: Located | undefined): FileNode[] {
  return place?.node?.type === 'file' ? [place.node] : [];
}

function transferable(value: unknown): Transferable[] {
  const buffers = (Array.isArray(value) ? value : [value]).flatMap((each) =>
    each instanceof Uint8Array && each.buffer instanceof ArrayBuffer ? [each.buffer] : [],
  );
  return [...new Set(buffers)];
}
