import type { Hash } from '../../base/hash.ts';
import { components, fromRoot, isInside } from '../../protocol/paths.ts';
import { ROOT, WorkspaceError, type FileChange, type Stat } from '../workspace.ts';

/** The facts about a node that are known without asking the container. */
export interface MirrorNode extends Stat {
  readonly target?: string;
  /** The SHA-256 of a file's content, where it is known to be current. */
  readonly hash?: Hash;
  /** Time and mode as the container reports them, which may differ from those set. Absent until seen after our own write. */
  readonly seen?: { readonly modified: number; readonly mode: number };
}

export interface MirrorLocation {
  /** The real absolute path. */
  readonly path: string;
  readonly node: MirrorNode | undefined;
  /** The components that do not exist, from the first missing one on. */
  readonly missing: readonly string[];
  /** True inside a `node_modules`, of which the mirror knows nothing. `path` is then followed only up to there. */
  readonly beyond: boolean;
}

const MAX_LINKS = 40;
const FOLDER: MirrorNode = { type: 'directory', size: 0, modified: 0, mode: 0o755 };

/** Knows the container's files, without contents and without packages, so that listings and checks need no call. */
export class Mirror {
  /** Keyed by the path relative to the root. */
  readonly nodes = new Map<string, MirrorNode>();

  /** Follows `path` as an operating system does. Throws EACCES where it is or leads outside the root. */
  locate(path: string, follow = true): MirrorLocation {
    checkPath(path);
    const rest = components(path).reverse();
    const trail: string[] = [];
    const missing: string[] = [];
    let last: MirrorNode | undefined;
    let links = 0;
    for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
      if (last) throw new WorkspaceError('ENOTDIR', path);
      if (part === '..') {
        if (missing.length > 0) missing.pop();
        else trail.pop();
        continue;
      }
      checkName(part, path);
      const here = `/${[...trail, part].join('/')}`;
      if (missing.length === 0 && isInside(here, ROOT) && trail.slice(2).includes('node_modules')) {
        const whole = [here, ...rest.reverse()].join('/');
        return { path: inside(whole, path), node: undefined, missing: [], beyond: true };
      }
      const node = missing.length > 0 ? undefined : this.#at(here);
      if (!node) missing.push(part);
      else if (node.type === 'directory') trail.push(part);
      else if (node.type === 'symlink' && (follow || rest.length > 0)) {
        if (++links > MAX_LINKS) throw new WorkspaceError('ELOOP', path);
        const target = node.target ?? '';
        if (target.startsWith('/')) trail.length = 0;
        for (const piece of components(target, '').reverse()) rest.push(piece);
      } else {
        last = node;
        trail.push(part);
      }
    }
    const real = inside(`/${[...trail, ...missing].join('/')}`, path);
    const node = last ?? (missing.length > 0 ? undefined : (this.#at(real) ?? FOLDER));
    return { path: real, node, missing, beyond: false };
  }

  children(path: string): { readonly name: string; readonly node: MirrorNode }[] {
    const prefix = path === ROOT ? '' : `${fromRoot(path)}/`;
    const children = [];
    for (const [each, node] of this.nodes)
      if (each.startsWith(prefix) && !each.includes('/', prefix.length))
        children.push({ name: each.slice(prefix.length), node });
    return children.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Yields the node and everything below it. */
  *below(path: string): Generator<[path: string, node: MirrorNode]> {
    for (const [each, node] of this.nodes) if (isInside(each, path)) yield [each, node];
  }

  delete(path: string): void {
    for (const [each] of [...this.below(path)]) this.nodes.delete(each);
  }

  /** Takes over the result of a scan, and returns the changes. A removed folder is one change for everything below it. */
  take(scanned: ReadonlyMap<string, MirrorNode>): FileChange[] {
    const changes: FileChange[] = [];
    const removed = [...this.nodes.keys()].filter((path) => !scanned.has(path)).sort();
    let above = '';
    for (const path of removed) {
      this.nodes.delete(path);
      if (above !== '' && isInside(path, above)) continue;
      above = path;
      changes.push({ path: `${ROOT}/${path}`, change: 'removed' });
    }
    for (const [path, node] of scanned) {
      const known = this.nodes.get(path);
      this.nodes.set(path, node);
      if (!known) changes.push({ path: `${ROOT}/${path}`, change: 'created' });
      else if (differ(known, node)) changes.push({ path: `${ROOT}/${path}`, change: 'modified' });
    }
    return changes;
  }

  #at(path: string): MirrorNode | undefined {
    if (path === ROOT || isInside(ROOT, path)) return FOLDER;
    // Nothing is known about paths outside. They are refused at the end, unless the path leads back inside.
    if (!isInside(path, ROOT)) return FOLDER;
    return this.nodes.get(fromRoot(path));
  }
}

/** Whether two nodes differ. Times of folders do not count, because they change with the entries, which are reported. */
function differ(one: MirrorNode, other: MirrorNode): boolean {
  if (one.type !== other.type || one.mode !== other.mode || one.target !== other.target) return true;
  if (one.type !== 'file') return false;
  return one.size !== other.size || one.modified !== other.modified || one.hash !== other.hash;
}

function inside(real: string, path: string): string {
  if (!isInside(real, ROOT))
    throw new WorkspaceError('EACCES', path, `EACCES: ${path} is outside the workspace`);
  return real;
}

const encoder = new TextEncoder();

/** Whether a text has more than this many bytes in UTF-8. Short texts are not encoded, because every call asks this. */
function isLonger(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && encoder.encode(text).length > bytes;
}

function checkPath(path: string): void {
  if (path.includes('\0')) throw new WorkspaceError('EINVAL', path, 'a path cannot hold NUL');
  if (isLonger(path, 4_096)) throw new WorkspaceError('EINVAL', `${path.slice(0, 200)}…`);
}

function checkName(name: string, path: string): void {
  if (isLonger(name, 255)) throw new WorkspaceError('EINVAL', path);
}
