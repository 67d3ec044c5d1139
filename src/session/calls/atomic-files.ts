import { faultOf } from '../../base/fault.ts';
import type { Hash } from '../../base/hash.ts';
import type { ReadRegistry, Undone } from '../../tools/tool.ts';
import {
  ROOT,
  WorkspaceError,
  type Files,
  type SnapshotEntry,
  type Workspace,
} from '../../workspace/workspace.ts';
import type { CallContext } from './types.ts';
import { passingOwner, type SessionStore } from '../log/store.ts';

/**
 * Tracks the files that an atomic batch of calls changes, so that all changes can be undone. Writes of the
 * calls are tracked by path; once a call has run a command, the batch owns every later difference.
 */
export class AtomicFiles {
  readonly workspace: Workspace;
  /** The files that the calls have read and written. Only {@link keep} passes them on to the session. */
  readonly reads: ReadRegistry;
  readonly #real: Workspace;
  readonly #blobs: SessionStore['blobs'];
  readonly #owner: string;
  readonly #before: readonly SnapshotEntry[];
  readonly #touched = new Set<string>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #seen = new Map<string, Hash>();
  readonly #allReads: ReadRegistry;
  #spawned = false;
  #over = false;

  private constructor(context: CallContext, owner: string, before: readonly SnapshotEntry[]) {
    this.#real = context.workspace;
    this.#blobs = context.session.deps.store.blobs;
    this.#owner = owner;
    this.#before = before;
    this.#allReads = context.reads;
    this.workspace = this.#watched();
    this.reads = {
      seen: (path) => this.#seen.get(path) ?? context.reads.seen(path),
      record: (path, hash) => void this.#seen.set(path, hash),
    };
  }

  static async begin(context: CallContext): Promise<AtomicFiles> {
    const { log, deps } = context.session;
    const owner = passingOwner(log.state.sessionID);
    const { blobs } = deps.store;
    return new AtomicFiles(context, owner, await context.workspace.snapshot(sinkOf(blobs, owner)));
  }

  /** Call this when all calls have succeeded. */
  keep(): void {
    for (const [path, hash] of this.#seen) this.#allReads.record(path, hash);
    this.letGo();
  }

  /**
   * Undoes the calls' changes and returns the changed paths, sorted. Changes by others stay. Never rejects.
   */
  async undo(): Promise<Undone> {
    this.#over = true;
    await Promise.allSettled(this.#underWay);
    try {
      return { paths: await this.#putBack() };
    } catch (error) {
      return { paths: await this.#stillChanged(), fault: faultOf(error, 'not-put-back') };
    } finally {
      this.letGo();
    }
  }

  /** Releases the stored copies of the files. */
  letGo(): void {
    // Blobs that cannot be released here are released after the next interrupted turn, or with the session.
    this.#blobs.releaseOwner(this.#owner).catch(() => undefined);
  }

  /** The files that are still changed after a failed undo, as far as that can be determined. */
  async #stillChanged(): Promise<readonly string[]> {
    const before = byPath(this.#before);
    try {
      const after = byPath(await this.#real.snapshot(sinkOf(this.#blobs, this.#owner)));
      return filesOf(this.#changed(before, after), before, after);
    } catch {
      return [...this.#touched].sort();
    }
  }

  #changed(
    before: ReadonlyMap<string, SnapshotEntry>,
    after: ReadonlyMap<string, SnapshotEntry>,
  ): readonly string[] {
    return [...new Set([...before.keys(), ...after.keys()])]
      .filter((path) => !same(before.get(path), after.get(path)) && this.#isTheirs(path, before))
      .sort();
  }

  async #putBack(): Promise<readonly string[]> {
    const now = await this.#real.snapshot(sinkOf(this.#blobs, this.#owner));
    const before = byPath(this.#before);
    const after = byPath(now);
    const changed = this.#changed(before, after);
    if (changed.length === 0) return [];
    const files = filesOf(changed, before, after);
    for (const path of changed) {
      const entry = before.get(path);
      if (entry) after.set(path, entry);
      // A folder that the calls made stays while it contains files of others.
      else if (!isHolding(path, after, changed)) after.delete(path);
    }
    const entries = [...after.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    await this.#real.restore(entries, async (hash) => {
      const bytes = await this.#blobs.get(hash);
      if (!bytes) throw new Error('A file that was kept to be put back is gone from the store.');
      return bytes;
    });
    await this.#real.durable();
    return files;
  }

  #isTheirs(path: string, before: ReadonlyMap<string, SnapshotEntry>): boolean {
    if (this.#spawned) return true;
    for (const touched of this.#touched) {
      if (touched === path || path.startsWith(`${touched}/`)) return true;
      // The path is a new folder that leads to a file they wrote.
      if (touched.startsWith(`${path}/`) && !before.has(path)) return true;
    }
    return false;
  }

  #watched(): Workspace {
    const real = this.#real;
    const change = <T>(paths: readonly string[], run: () => Promise<T>): Promise<T> => {
      const done = this.#touch(paths).then(() => {
        if (this.#over) throw new WorkspaceError('ECANCELED', paths[0] ?? '');
        return run();
      });
      this.#during(done);
      return done;
    };
    const { files } = real;
    const watchedFiles: Files = {
      resolve: (path) => files.resolve(path),
      read: (path, options) => files.read(path, options),
      stat: (path) => files.stat(path),
      list: (path, options) => files.list(path, options),
      readLink: (path) => files.readLink(path),
      makeLink: (path, target) => change([path], () => files.makeLink(path, target)),
      write: (path, content, options) => change([path], () => files.write(path, content, options)),
      makeDirectory: (path) => change([path], () => files.makeDirectory(path)),
      remove: (path, options) => change([path], () => files.remove(path, options)),
      rename: (from, to, options) => change([from, to], () => files.rename(from, to, options)),
    };
    return {
      id: real.id,
      kind: real.kind,
      files: watchedFiles,
      search: real.search,
      ...(real.exposed && { exposed: (limits) => real.exposed?.(limits) ?? Promise.resolve([]) }),
      capabilities: () => real.capabilities(),
      spawn: (command, options) => {
        this.#spawned = true;
        const process = real.spawn(command, options);
        this.#during(process.exited);
        return process;
      },
      watch: (listener) => real.watch(listener),
      durable: () => real.durable(),
      snapshot: (sink, options) => real.snapshot(sink, options),
      restore: (entries, contents) => real.restore(entries, contents),
      get status() {
        return real.status;
      },
      onStatus: (listener) => real.onStatus(listener),
      close: () => real.close(),
    };
  }

  async #touch(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const absolute = await this.#real.files.resolve(path);
      this.#touched.add(absolute.slice(ROOT.length + 1));
    }
  }

  #during(work: Promise<unknown>): void {
    this.#underWay.add(work);
    const done = () => void this.#underWay.delete(work);
    work.then(done, done);
  }
}

function sinkOf(blobs: SessionStore['blobs'], owner: string) {
  return {
    missing: (hashes: readonly Hash[]) => blobs.retain(owner, hashes),
    put: async (hash: Hash, bytes: Uint8Array) => blobs.put(owner, [{ hash, bytes: new Uint8Array(bytes) }]),
  };
}

function byPath(entries: readonly SnapshotEntry[]): Map<string, SnapshotEntry> {
  return new Map(entries.map((entry) => [entry.path, entry]));
}

/** Leaves out folders. */
function filesOf(
  paths: readonly string[],
  ...states: readonly ReadonlyMap<string, SnapshotEntry>[]
): readonly string[] {
  return paths.filter((path) =>
    states.some((entries) => (entries.get(path) ?? { type: 'directory' }).type !== 'directory'),
  );
}

function same(a: SnapshotEntry | undefined, b: SnapshotEntry | undefined): boolean {
  if (!a || !b || a.type !== b.type) return a === b;
  if (a.type === 'symlink') return b.type === 'symlink' && a.target === b.target;
  if (a.type === 'directory') return b.type === 'directory' && a.mode === b.mode;
  if (a.type === 'ignored') return true;
  return b.type === 'file' && a.mode === b.mode && a.hash === b.hash;
}

function isHolding(
  path: string,
  entries: ReadonlyMap<string, SnapshotEntry>,
  changed: readonly string[],
): boolean {
  return [...entries.keys()].some((other) => other.startsWith(`${path}/`) && !changed.includes(other));
}
