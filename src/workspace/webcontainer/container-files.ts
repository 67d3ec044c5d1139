import { digestBytes, type Hash } from '../../base/hash.ts';
import type { WriteOptions } from '../../protocol/write-options.ts';
import type { JournalChange } from '../../protocol/journal.ts';
import { fromRoot, isInside } from '../../protocol/paths.ts';
import { ROOT, WorkspaceError, type Entry, type FileChange, type Files, type Stat } from '../workspace.ts';
import { packedOf, type ContainerInstance } from './instance.ts';
import type { Mirror, MirrorNode, MirrorLocation } from './mirror.ts';
import { packTree, treeOf } from './packed-tree.ts';
import { metaOf } from './sync.ts';

/** Access to the mirror and the container, for files and searches. */
export interface MirrorAccess {
  readonly mirror: Mirror;
  /** The current instance, once the mirror is up to date. */
  fresh(): Promise<ContainerInstance>;
  /** Runs `work` with an up-to-date mirror, while nothing else changes or scans the files. */
  alone<T>(work: (instance: ContainerInstance) => Promise<T>): Promise<T>;
  /** Reports changes to listeners and stores them in the journal. */
  changed(changes: readonly FileChange[], kept: readonly JournalChange[]): void;
}

type ReportChange = (change: FileChange['change'], path: string) => void;

export class ContainerFiles implements Files {
  readonly #access: MirrorAccess;

  constructor(access: MirrorAccess) {
    this.#access = access;
  }

  async resolve(path: string): Promise<string> {
    const { instance, place } = await this.#place(path);
    return place.beyond ? (await this.#look(instance, place, path)).real : place.path;
  }

  async read(path: string, { real = false } = {}): Promise<Uint8Array> {
    const { instance, place } = await this.#place(path);
    const target = place.beyond ? (await this.#look(instance, place, path)).real : place.path;
    if (real && target !== path) throw new WorkspaceError('ECHANGED', path);
    if (!place.beyond && !place.node) throw new WorkspaceError('ENOENT', path);
    if (place.node?.type === 'directory') throw new WorkspaceError('EISDIR', path);
    return instance.container.read(target);
  }

  async stat(path: string): Promise<Stat | null> {
    try {
      const { instance, place } = await this.#place(path);
      if (place.beyond) return (await this.#look(instance, place, path)).stat;
      return place.node ? statOf(place.node) : null;
    } catch (error) {
      if (error instanceof WorkspaceError && error.code === 'ENOTDIR') return null;
      throw error;
    }
  }

  async readLink(path: string): Promise<string | null> {
    await this.#access.fresh();
    return this.#access.mirror.locate(path, false).node?.target ?? null;
  }

  async makeLink(path: string, target: string): Promise<void> {
    await this.#change(
      path,
      async (instance, place, done) => {
        if (place.node) throw new WorkspaceError('EEXIST', path);
        if (place.beyond)
          throw new WorkspaceError('EACCES', path, 'Only package managers make links among packages here.');
        const link = packedOf('symlink', new Uint8Array(), target);
        await instance.container.mount(packTree(treeOf([[fromRoot(place.path), link]])));
        this.#parents(place, done);
        this.#set(place.path, {
          type: 'symlink',
          size: target.length,
          modified: Date.now(),
          mode: 0o777,
          target,
        });
        done('created', place.path);
      },
      undefined,
      false,
    );
  }

  async list(path: string, { real: asReal = false } = {}): Promise<readonly Entry[]> {
    const { instance, place } = await this.#place(path);
    if (asReal && !place.beyond && place.path !== path) throw new WorkspaceError('ECHANGED', path);
    if (place.beyond || place.path.endsWith('/node_modules')) {
      const { real, stat } = await this.#look(instance, place, path);
      if (asReal && real !== path) throw new WorkspaceError('ECHANGED', path);
      if (!stat) throw new WorkspaceError('ENOENT', path);
      if (stat.type !== 'directory') throw new WorkspaceError('ENOTDIR', path);
      const entries = await instance.helper.ask('list', { ask: 'list', path: real });
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    }
    directoryAt(place, path);
    const { mirror } = this.#access;
    return mirror.children(place.path).map(({ name, node }) => ({ name, ...statOf(node) }));
  }

  async write(
    path: string,
    content: Uint8Array,
    { expect, real = false, executable = false }: WriteOptions = {},
  ): Promise<void> {
    const copy = content.slice();
    await this.#change(
      path,
      async (instance, place, done) => {
        if (real && place.path !== path) throw new WorkspaceError('ECHANGED', path);
        if (expect !== undefined) await this.#expect(instance, place, path, expect);
        if (place.node?.type === 'directory') throw new WorkspaceError('EISDIR', path);
        if (place.beyond || place.missing.length > 1)
          await instance.container.makeDirectory(parentOf(place.path));
        await instance.container.write(place.path, copy);
        if (executable) {
          const nodes = [{ path: place.path, mode: 0o755 }];
          await instance.helper.ask('nothing', { ask: 'apply', nodes });
        }
        if (place.beyond) return;
        this.#parents(place, done);
        this.#set(place.path, {
          type: 'file',
          size: copy.length,
          modified: Date.now(),
          mode: executable ? 0o755 : (place.node?.mode ?? 0o644),
          hash: await digestBytes(copy),
        });
        done(place.node ? 'modified' : 'created', place.path);
      },
      () => copy,
    );
  }

  async makeDirectory(path: string): Promise<void> {
    await this.#change(path, async (instance, place, done) => {
      if (place.node?.type === 'directory') return;
      if (place.node) throw new WorkspaceError('EEXIST', path);
      await instance.container.makeDirectory(place.path);
      if (place.beyond) return;
      this.#parents(place, done);
      this.#set(place.path, folder());
      done('created', place.path);
    });
  }

  async remove(
    path: string,
    {
      recursive = false,
      expect,
      real = false,
    }: { readonly recursive?: boolean; readonly expect?: Hash; readonly real?: boolean } = {},
  ): Promise<void> {
    await this.#change(
      path,
      async (instance, place, done) => {
        if (real) await this.#expectReal(path);
        if (expect !== undefined)
          await this.#expect(instance, this.#access.mirror.locate(path), path, expect);
        if (place.beyond) return instance.container.remove(place.path, recursive);
        if (!place.node) throw new WorkspaceError('ENOENT', path);
        if (place.node.type === 'directory' && !recursive && (await this.#holdsAny(instance, place.path)))
          throw new WorkspaceError('ENOTEMPTY', path);
        if (place.path === ROOT) throw new WorkspaceError('EACCES', path, 'the root cannot be removed');
        await instance.container.remove(place.path, place.node.type === 'directory');
        this.#access.mirror.delete(fromRoot(place.path));
        done('removed', place.path);
      },
      undefined,
      false,
    );
  }

  async rename(from: string, to: string, { real = false } = {}): Promise<void> {
    const { mirror } = this.#access;
    const contents = new Map<string, Uint8Array>();
    await this.#change(
      from,
      async (instance, source, done) => {
        if (real) for (const path of [from, to]) await this.#expectReal(path);
        if (!source.beyond && !source.node) throw new WorkspaceError('ENOENT', from);
        if (source.path === ROOT) throw new WorkspaceError('EACCES', from);
        const target = mirror.locate(to, false);
        if (source.path === target.path) return;
        if (isInside(target.path, source.path)) throw new WorkspaceError('EINVAL', to);
        if (target.path === ROOT) throw new WorkspaceError('EACCES', to);
        if (target.missing.length > 1) throw new WorkspaceError('ENOENT', to);
        if (target.node) await this.#makeWay(instance, source, target, to);
        const moved = [...mirror.below(fromRoot(source.path))];
        await instance.container.rename(source.path, target.path);
        for (const [path, node] of moved) {
          mirror.nodes.delete(path);
          const there = fromRoot(target.path) + path.slice(fromRoot(source.path).length);
          if (!there.includes('/node_modules/') && !target.beyond) mirror.nodes.set(there, node);
          // The file is stored and reported again under its new path.
          if (node.type === 'file')
            contents.set(`${ROOT}/${there}`, await instance.container.read(`${ROOT}/${there}`));
        }
        done('removed', source.path);
        for (const [path] of mirror.below(fromRoot(target.path))) done('created', `${ROOT}/${path}`);
      },
      (path) => contents.get(path),
      false,
    );
  }

  async #place(path: string): Promise<{ instance: ContainerInstance; place: MirrorLocation }> {
    const instance = await this.#access.fresh();
    return { instance, place: this.#access.mirror.locate(path) };
  }

  /** Throws where the path leads through a symlink. This asks the container where the mirror does not know. */
  async #expectReal(path: string): Promise<void> {
    if ((await this.resolve(path)) !== path) throw new WorkspaceError('ECHANGED', path);
  }

  async #look(
    instance: ContainerInstance,
    { path: known }: MirrorLocation,
    path: string,
  ): Promise<{ real: string; stat: Stat | null }> {
    const { real, stat } = await instance.helper.ask('stat', { ask: 'stat', path: known });
    if (!isInside(real, ROOT)) throw new WorkspaceError('EACCES', path, `${path} is outside the workspace`);
    return { real, stat };
  }

  async #change(
    path: string,
    work: (instance: ContainerInstance, place: MirrorLocation, done: ReportChange) => Promise<void>,
    contentOf: (path: string) => Uint8Array | undefined = () => undefined,
    follow = true,
  ): Promise<void> {
    const { mirror } = this.#access;
    await this.#access.alone(async (instance) => {
      const changes: FileChange[] = [];
      try {
        await work(instance, mirror.locate(path, follow), (change, at) => changes.push({ path: at, change }));
      } finally {
        const kept = changes.map(({ path: at, change }): JournalChange => {
          const node = mirror.nodes.get(fromRoot(at));
          if (change === 'removed' || !node) return { op: 'remove', path: fromRoot(at) };
          return { op: 'put', node: metaOf(fromRoot(at), node), bytes: new Uint8Array(contentOf(at) ?? []) };
        });
        if (changes.length > 0) this.#access.changed(changes, kept);
      }
    });
  }

  async #expect(
    instance: ContainerInstance,
    place: MirrorLocation,
    path: string,
    expect: Hash | null,
  ): Promise<void> {
    // The content is read from the container, because the mirror may be out of date.
    const isFile = place.beyond || place.node?.type === 'file';
    const bytes = isFile ? await instance.container.read(place.path).catch(missing) : null;
    const actual = bytes ? await digestBytes(new Uint8Array(bytes)) : null;
    if (actual !== expect) throw new WorkspaceError('ECHANGED', path);
  }

  async #holdsAny(instance: ContainerInstance, path: string): Promise<boolean> {
    if (path.endsWith('/node_modules'))
      return (await instance.helper.ask('list', { ask: 'list', path })).length > 0;
    return this.#access.mirror.children(path).length > 0;
  }

  async #makeWay(
    instance: ContainerInstance,
    source: MirrorLocation,
    target: MirrorLocation,
    to: string,
  ): Promise<void> {
    if (target.node?.type === 'directory') {
      if (source.node?.type !== 'directory') throw new WorkspaceError('EISDIR', to);
      if (await this.#holdsAny(instance, target.path)) throw new WorkspaceError('ENOTEMPTY', to);
    } else if (source.node?.type === 'directory') throw new WorkspaceError('ENOTDIR', to);
    this.#access.mirror.delete(fromRoot(target.path));
  }

  /** Records the parent folders that were created for a new file. */
  #parents(place: MirrorLocation, done: ReportChange): void {
    const names = place.path.split('/');
    for (let depth = place.missing.length - 1; depth > 0; depth--) {
      const path = names.slice(0, names.length - depth).join('/');
      this.#set(path, folder());
      done('created', path);
    }
  }

  #set(path: string, node: MirrorNode): void {
    this.#access.mirror.nodes.set(fromRoot(path), node);
  }
}

function folder(): MirrorNode {
  return { type: 'directory', size: 0, modified: Date.now(), mode: 0o755 };
}

function statOf({ type, size, modified, mode }: MirrorNode): Stat {
  return { type, size: type === 'directory' ? 0 : size, modified, mode };
}

function directoryAt({ node }: MirrorLocation, path: string): void {
  if (!node) throw new WorkspaceError('ENOENT', path);
  if (node.type !== 'directory') throw new WorkspaceError('ENOTDIR', path);
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function missing(error: unknown): null {
  if (error instanceof WorkspaceError && error.code === 'ENOENT') return null;
  throw error;
}
