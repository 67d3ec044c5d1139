import { hashBytes, type Hash } from '../../src/base/hash.ts';
import { Listeners, type Unlisten } from '../../src/base/listeners.ts';
import {
  ROOT,
  type Capabilities,
  type Exit,
  type FileChange,
  type Process,
  type SnapshotEntry,
  type SnapshotSink,
  type SpawnOptions,
  type Workspace,
  type WorkspaceStatus,
} from '../../src/workspace/workspace.ts';
import { MemoryFiles } from './memory-files.ts';
import { isInside } from '../../src/protocol/paths.ts';
import { withoutIgnored } from '../../src/workspace/without-ignored.ts';
import { MemorySearch } from './memory-search.ts';

/** What a test's shell is given to run one command with; it resolves to the exit code. */
export interface Run {
  readonly command: string;
  readonly options: SpawnOptions;
  readonly files: MemoryFiles;
  print(text: string): void;
  /** Aborted when the process is killed or runs out of time. */
  readonly signal: AbortSignal;
}
export type Shell = (run: Run) => number | Promise<number>;

const noShell: Shell = ({ command, print }) => {
  print(`${command}: command not found\n`);
  return 127;
};

/** A workspace in memory for tests in Node: real files and search, a shell that the test passes in. */
export class MemoryWorkspace implements Workspace {
  readonly id: string;
  readonly kind = 'embedded';
  readonly files: MemoryFiles;
  readonly search: MemorySearch;
  /** Commands in the order they were started. */
  readonly spawned: { readonly command: string; readonly options: SpawnOptions }[] = [];
  /** How often `durable` was awaited. */
  durables = 0;
  status: WorkspaceStatus = { state: 'ready' };
  readonly #shell: Shell;
  readonly #statuses = new Listeners<WorkspaceStatus>();

  constructor(
    options: {
      readonly id?: string;
      readonly files?: Readonly<Record<string, string | Uint8Array>>;
      readonly shell?: Shell;
    } = {},
  ) {
    this.id = options.id ?? 'wsp_memory';
    this.files = new MemoryFiles(options.files);
    this.search = new MemorySearch(this.files);
    this.#shell = options.shell ?? noShell;
  }

  async capabilities(): Promise<Capabilities> {
    return { title: 'Memory · test shell', commands: [], separateStderr: false, notes: [] };
  }

  spawn(command: string, options: SpawnOptions = {}): Process {
    this.spawned.push({ command, options });
    return start(this.#shell, command, options, this.files, `prc_${this.spawned.length}`);
  }

  watch(listener: (changes: readonly FileChange[]) => void): Unlisten {
    return this.files.changes.add(listener);
  }

  async durable(): Promise<void> {
    this.durables++;
  }

  async snapshot(sink: SnapshotSink, { skipIgnored = false } = {}): Promise<readonly SnapshotEntry[]> {
    const all: SnapshotEntry[] = [];
    const contents = new Map<Hash, Uint8Array>();
    for (const [path, node] of this.files.nodes) {
      if (path === ROOT) continue;
      const relative = path.slice(ROOT.length + 1);
      if (node.type === 'directory') all.push({ path: relative, type: 'directory', mode: node.mode });
      else if (node.type === 'symlink') all.push({ path: relative, type: 'symlink', target: node.target });
      else {
        const hash = hashBytes(node.content);
        contents.set(hash, node.content);
        const { mode, modified } = node;
        all.push({ path: relative, type: 'file', mode, modified, size: node.content.length, hash });
      }
    }
    all.sort((a, b) => (a.path < b.path ? -1 : 1));
    const contentOf = (hash: Hash) => contents.get(hash) ?? new Uint8Array();
    const entries = skipIgnored ? await withoutIgnored(all, async (hashes) => hashes.map(contentOf)) : all;
    const hashes = new Set(entries.flatMap((entry) => (entry.type === 'file' ? entry.hash : [])));
    for (const hash of await sink.missing([...hashes])) await sink.put(hash, contentOf(hash));
    return entries;
  }

  async restore(
    entries: readonly SnapshotEntry[],
    contents: (hash: string) => Promise<Uint8Array>,
  ): Promise<void> {
    const left = entries.flatMap(({ type, path }) => (type === 'ignored' ? `${ROOT}/${path}` : []));
    const stays = (path: string) => left.some((each) => isInside(path, each) || isInside(each, path));
    for (const path of [...this.files.nodes.keys()])
      if (path !== ROOT && !stays(path)) this.files.nodes.delete(path);
    for (const entry of entries) {
      if (entry.type === 'ignored') continue;
      if (entry.type === 'directory') await this.files.makeDirectory(entry.path);
      else if (entry.type === 'symlink') this.files.link(entry.path, entry.target);
      else this.files.put(entry.path, await contents(entry.hash));
    }
  }

  onStatus(listener: (status: WorkspaceStatus) => void): Unlisten {
    return this.#statuses.add(listener);
  }

  async close(): Promise<void> {
    this.status = { state: 'closed' };
    this.#statuses.emit(this.status);
  }
}

function start(
  shell: Shell,
  command: string,
  options: SpawnOptions,
  files: MemoryFiles,
  id: string,
): Process {
  const chunks: string[] = [];
  let wake = () => {};
  let over = false;
  const stop = new AbortController();
  let resolveStopped: (reason: 'killed' | 'timeout') => void = () => {};
  const stopped = new Promise<'killed' | 'timeout'>((resolve) => (resolveStopped = resolve));
  const end = (reason: 'killed' | 'timeout') => {
    resolveStopped(reason);
    stop.abort();
  };
  const kill = () => end('killed');
  options.signal?.addEventListener('abort', kill, { once: true });
  if (options.signal?.aborted) kill();
  const timer =
    options.timeoutMs === undefined ? undefined : setTimeout(() => end('timeout'), options.timeoutMs);

  const print = (text: string) => {
    if (over) return;
    chunks.push(text);
    wake();
  };
  const run = async (): Promise<Exit> => {
    const started = Date.now();
    const finished = (async () => shell({ command, options, files, print, signal: stop.signal }))();
    const result = await Promise.race([finished, stopped]).catch((error: unknown) => {
      print(String(error));
      return 1;
    });
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', kill);
    over = true;
    wake();
    const exit = { durationMs: Date.now() - started, cwd: options.cwd ?? ROOT, outputMayBeCut: false };
    if (typeof result === 'number') return { ...exit, exitCode: result, reason: 'exit' };
    return { ...exit, exitCode: result === 'timeout' ? 124 : 137, reason: result };
  };
  const exited = run();

  async function* output(): AsyncGenerator<string> {
    for (;;) {
      const chunk = chunks.shift();
      if (chunk !== undefined) yield chunk;
      else if (over) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return { id, output: output(), write() {}, closeInput() {}, kill, exited };
}
