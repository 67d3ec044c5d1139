import { hashBytes, type Hash } from '../../src/base/hash.ts';
import type { WriteOptions } from '../../src/protocol/write-options.ts';
import { Listeners } from '../../src/base/listeners.ts';
import {
  ROOT,
  WorkspaceError,
  type Entry,
  type FileChange,
  type Files,
  type Stat,
} from '../../src/workspace/workspace.ts';

type Node =
  | { type: 'file'; content: Uint8Array; modified: number; mode: number }
  | { type: 'directory'; modified: number; mode: number }
  | { type: 'symlink'; target: string; modified: number; mode: number };

/** The files of a {@link MemoryWorkspace}: a map by absolute path, refusing what leaves the root as a real one does. */
export class MemoryFiles implements Files {
  readonly nodes = new Map<string, Node>();
  readonly changes = new Listeners<readonly FileChange[]>();
  /** How often a file was written, by absolute path. */
  readonly writes = new Map<string, number>();
  #time = 1_700_000_000_000;

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    this.nodes.set(ROOT, { type: 'directory', modified: this.#tick(), mode: 0o755 });
    for (const [path, content] of Object.entries(files)) this.put(path, content);
  }

  /** Synchronous, for setting a scene: as if somebody else had written it. */
  put(path: string, content: string | Uint8Array, mode = this.#modeOf(path)): void {
    const target = this.#locate(path);
    this.#makeParents(target);
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const created = !this.nodes.has(target);
    this.nodes.set(target, { type: 'file', content: bytes, modified: this.#tick(), mode });
    this.changes.emit([{ path: target, change: created ? 'created' : 'modified' }]);
  }

  #modeOf(path: string): number {
    const present = this.nodes.get(this.#locate(path));
    return present?.type === 'file' ? present.mode : 0o644;
  }

  link(path: string, target: string): void {
    const place = this.#locate(path);
    this.#makeParents(place);
    this.nodes.set(place, { type: 'symlink', target, modified: this.#tick(), mode: 0o777 });
  }

  text(path: string): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#file(path).content);
  }

  async resolve(path: string): Promise<string> {
    return this.#locate(path);
  }

  async read(path: string, { real = false } = {}): Promise<Uint8Array> {
    if (real) this.#expectReal(path);
    return this.#file(path).content.slice();
  }

  async write(path: string, content: Uint8Array, options?: WriteOptions): Promise<void> {
    if (options?.real) this.#expectReal(path);
    const target = this.#locate(path);
    const present = this.nodes.get(target);
    if (present?.type === 'directory') throw new WorkspaceError('EISDIR', path);
    if (options?.expect !== undefined) this.#expect(target, path, options.expect);
    this.writes.set(target, (this.writes.get(target) ?? 0) + 1);
    this.put(target, content.slice(), options?.executable ? 0o755 : undefined);
  }

  async stat(path: string): Promise<Stat | null> {
    const node = this.nodes.get(this.#locate(path));
    return node ? statOf(node) : null;
  }

  async readLink(path: string): Promise<string | null> {
    const node = this.nodes.get(this.#placeOf(path));
    return node?.type === 'symlink' ? node.target : null;
  }

  async makeLink(path: string, target: string): Promise<void> {
    const place = this.#placeOf(path);
    if (this.nodes.has(place)) throw new WorkspaceError('EEXIST', path);
    this.#makeParents(place);
    this.nodes.set(place, { type: 'symlink', target, modified: this.#tick(), mode: 0o777 });
    this.changes.emit([{ path: place, change: 'created' }]);
  }

  async list(path: string, { real = false } = {}): Promise<readonly Entry[]> {
    if (real) this.#expectReal(path);
    const directory = this.#locate(path);
    const node = this.nodes.get(directory);
    if (!node) throw new WorkspaceError('ENOENT', path);
    if (node.type !== 'directory') throw new WorkspaceError('ENOTDIR', path);
    return [...this.nodes]
      .filter(([child]) => parentOf(child) === directory)
      .map(([child, childNode]) => ({ name: child.slice(directory.length + 1), ...statOf(childNode) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async makeDirectory(path: string): Promise<void> {
    const target = this.#locate(path);
    this.#makeParents(target);
    if (!this.nodes.has(target)) {
      this.nodes.set(target, { type: 'directory', modified: this.#tick(), mode: 0o755 });
    }
  }

  async remove(
    path: string,
    options?: { recursive?: boolean; expect?: Hash; real?: boolean },
  ): Promise<void> {
    if (options?.real) this.#expectReal(path);
    if (options?.expect !== undefined) this.#expect(this.#locate(path), path, options.expect);
    const target = this.#placeOf(path);
    if (!this.nodes.has(target)) throw new WorkspaceError('ENOENT', path);
    const below = [...this.nodes.keys()].filter((key) => key.startsWith(`${target}/`));
    if (below.length > 0 && !options?.recursive) throw new WorkspaceError('ENOTEMPTY', path);
    for (const key of [...below, target]) this.nodes.delete(key);
    this.changes.emit([{ path: target, change: 'removed' }]);
  }

  async rename(from: string, to: string, { real = false } = {}): Promise<void> {
    if (real) for (const path of [from, to]) this.#expectReal(path);
    const source = this.#locate(from);
    const target = this.#locate(to);
    if (!this.nodes.has(source)) throw new WorkspaceError('ENOENT', from);
    this.#makeParents(target);
    for (const [key, node] of [...this.nodes]) {
      if (key !== source && !key.startsWith(`${source}/`)) continue;
      this.nodes.delete(key);
      this.nodes.set(target + key.slice(source.length), node);
    }
    this.changes.emit([
      { path: source, change: 'removed' },
      { path: target, change: 'created' },
    ]);
  }

  #expectReal(path: string): void {
    if (this.#locate(path) !== path) throw new WorkspaceError('ECHANGED', path);
  }

  #expect(target: string, path: string, expect: Hash | null): void {
    const present = this.nodes.get(target);
    const hash = present?.type === 'file' ? hashBytes(present.content) : null;
    if (hash !== expect) throw new WorkspaceError('ECHANGED', path);
  }

  #file(path: string): Node & { type: 'file' } {
    const node = this.nodes.get(this.#locate(path));
    if (!node) throw new WorkspaceError('ENOENT', path);
    if (node.type !== 'file') throw new WorkspaceError('EISDIR', path);
    return node;
  }

  #makeParents(path: string): void {
    for (let parent = parentOf(path); parent.startsWith(ROOT); parent = parentOf(parent)) {
      const node = this.nodes.get(parent);
      if (node && node.type !== 'directory') throw new WorkspaceError('ENOTDIR', path);
      if (!node) this.nodes.set(parent, { type: 'directory', modified: this.#tick(), mode: 0o755 });
    }
  }

  /** The real absolute path; `..` counts where it stands, after the symlinks before it. */
  #locate(path: string): string {
    if (path.includes('\0')) throw new WorkspaceError('EINVAL', path);
    const pending = (path.startsWith('/') ? path : `${ROOT}/${path}`).split('/');
    let here = '';
    for (let links = 0; pending.length > 0;) {
      const name = pending.shift() ?? '';
      if (name === '' || name === '.') continue;
      if (name === '..') {
        here = parentOf(here);
        continue;
      }
      const next = `${here}/${name}`;
      const node = this.nodes.get(next);
      if (node?.type !== 'symlink') {
        here = next;
        continue;
      }
      if (++links > 40) throw new WorkspaceError('ELOOP', path);
      if (node.target.startsWith('/')) here = '';
      pending.unshift(...node.target.split('/'));
    }
    if (here !== ROOT && !here.startsWith(`${ROOT}/`)) throw new WorkspaceError('EACCES', path);
    return here;
  }

  /** Where a path itself is: only the links in its folder are followed. */
  #placeOf(path: string): string {
    const whole = path.startsWith('/') ? path : `${ROOT}/${path}`;
    return `${this.#locate(parentOf(whole))}${whole.slice(whole.lastIndexOf('/'))}`;
  }

  #tick(): number {
    return (this.#time += 1000);
  }
}

function statOf(node: Node): Stat {
  const size = node.type === 'file' ? node.content.length : 0;
  return { type: node.type, size, modified: node.modified, mode: node.mode };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
