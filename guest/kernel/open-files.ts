import { isInside } from '../../src/protocol/paths.ts';
import {
  BLOCKED,
  OPEN,
  type FolderNames,
  type Looked,
  type NodeFsCall,
  type NodeStat,
} from '../shared/wire.ts';
import type { FsCall } from '../shared/protocol.ts';
import { APP_FOLDERS, type Access } from './access.ts';
import { FsError } from './errors.ts';
import type { Located } from './locate.ts';
import {
  EMPTY,
  contentOf,
  inodeOf,
  lengthOf,
  namesOf,
  nodeAt,
  pathOfNode,
  type DeviceNode,
  type DirectoryNode,
  type FileNode,
  type Node,
} from './nodes.ts';
import { answerShell, statOf } from './shell-files.ts';
import type { FileTree } from './tree.ts';

interface OpenFile {
  readonly node: FileNode | DeviceNode | DirectoryNode;
  path: string;
  readonly flags: number;
  /** The failure of an append that nobody waited for. The next call with the handle throws it. */
  failure?: FsError | undefined;
}

/** How many files a process may have open. */
const MAX_OPEN = 4096;
/** A folder with more entries is not listed for a search, which would take longer than some looks. */
const MAX_NAMES = 2000;

/** The open files of one process. A handle keeps its file when the file is renamed or removed. */
export class OpenFiles {
  readonly #tree: FileTree;
  readonly #access: Access;
  readonly #open = new Map<number, OpenFile>();
  #next = 1;

  constructor(tree: FileTree, access: Access) {
    this.#tree = tree;
    this.#access = access;
  }

  /** Carries out a call. Throws {@link FsError}. */
  answer(call: NodeFsCall): unknown {
    const tree = this.#tree;
    switch (call.op) {
      case 'open':
        return this.#openAt(call.path, call.flags, call.mode);
      case 'close':
        return this.#close(call.handle);
      case 'fstat':
        return withInode(this.#get(call.handle).node);
      case 'readAt': {
        const { node, flags } = this.#get(call.handle);
        if (node.type === 'directory') throw new FsError('EISDIR', '');
        if (!(flags & OPEN.read)) throw new FsError('EBADF', '');
        return contentOf(node).slice(call.position, call.position + call.length);
      }
      case 'writeAt':
        return this.#write(call.handle, call.position, call.content);
      case 'truncate':
        return this.#truncate(call.handle, call.length);
      case 'fchmod': {
        const path = this.#currentPath(this.#get(call.handle));
        return path === undefined ? undefined : tree.chmod(this.#access, path, call.mode);
      }
      case 'futimes': {
        const path = this.#currentPath(this.#get(call.handle));
        return path === undefined
          ? undefined
          : tree.utimes(this.#access, path, call.modified, true, call.accessed);
      }
      case 'look':
      case 'lookLink':
        return this.#look(call.path, call.op === 'look');
      case 'names':
        return this.#names(call.path);
      case 'access':
        return this.#checkAccess(call.path, call.mode);
      case 'unlink':
        if (tree.get(this.#access, call.path, false).node.type === 'directory')
          throw new FsError('EISDIR', call.path);
        return tree.remove(this.#access, call.path, false);
      case 'rmdir':
        if (tree.get(this.#access, call.path, false).node.type !== 'directory')
          throw new FsError('ENOTDIR', call.path);
        return tree.remove(this.#access, call.path, false);
      case 'statfs':
        tree.get(this.#access, call.path);
        return { total: tree.quota, used: tree.used };
      case 'lutimes':
        return tree.utimes(this.#access, call.path, call.modified, false, call.accessed);
      case 'read': {
        // A view is enough, because it is copied into shared memory.
        return tree.read(this.#access, call.path);
      }
      default:
        return answerShell(tree, this.#access, call satisfies FsCall);
    }
  }

  #openAt(path: string, flags: number, mode: number): number {
    if (this.#open.size >= MAX_OPEN) throw new FsError('EMFILE', path);
    const writes = (flags & OPEN.write) !== 0;
    const exclusive = (flags & OPEN.create) !== 0 && (flags & OPEN.exclusive) !== 0;
    const noFollow = (flags & OPEN.noFollow) !== 0;
    const entry = exclusive || noFollow ? this.#tree.locate(this.#access, path, false).node : undefined;
    if (exclusive && entry) throw new FsError('EEXIST', path);
    if (noFollow && entry?.type === 'symlink') throw new FsError('ELOOP', path);
    let { node, path: real } = this.#tree.locate(this.#access, path);
    if (node && node.type !== 'directory' && flags & OPEN.directory) throw new FsError('ENOTDIR', path);
    if (node?.type === 'directory' && writes) throw new FsError('EISDIR', path);
    if (node && (flags & OPEN.read) !== 0 && node.type === 'file') this.#access(real, 'content');
    if (writes) this.#tree.checkWritable(this.#access, real, node);
    if (!node) {
      if (!(flags & OPEN.create)) throw new FsError('ENOENT', path);
      real = this.#tree.write(this.#access, path, EMPTY, { mode: mode & 0o7777 });
      node = nodeAt(this.#tree.top, real);
    } else if (writes && (flags & OPEN.truncate) !== 0 && node.type === 'file')
      this.#tree.change(node, real, EMPTY);
    if (!node || node.type === 'symlink') throw new FsError('ELOOP', path);
    if (node.type === 'file') this.#tree.opened(node);
    this.#open.set(this.#next, { node, path: real, flags });
    return this.#next++;
  }

  #close(handle: number): void {
    const { node, failure } = this.#opened(handle);
    this.#open.delete(handle);
    if (node.type === 'file') this.#tree.closed(node);
    if (failure) throw failure;
  }

  /** Called when the process is over. */
  closeAll(): void {
    for (const { node } of this.#open.values()) if (node.type === 'file') this.#tree.closed(node);
    this.#open.clear();
  }

  /** Adds bytes to the end of an open file. If that fails, the next call with the handle throws the reason. */
  append(handle: number, bytes: Uint8Array): void {
    const open = this.#open.get(handle);
    // Bytes that follow a failed append are dropped too, because the file would have a gap before them.
    if (!open || open.failure) return;
    try {
      this.#write(handle, -1, bytes);
    } catch (error) {
      if (!(error instanceof FsError)) throw error;
      open.failure = error;
    }
  }

  #opened(handle: number): OpenFile {
    const open = this.#open.get(handle);
    if (!open) throw new FsError('EBADF', '');
    return open;
  }

  /** Returns the open file of a call. Throws the failure of an append before it, once. */
  #get(handle: number): OpenFile {
    const open = this.#opened(handle);
    const { failure } = open;
    if (!failure) return open;
    open.failure = undefined;
    throw failure;
  }

  /** The current path of the file. Undefined after its removal: its content then lasts until the handle is closed. */
  #currentPath(open: OpenFile): string | undefined {
    if (nodeAt(this.#tree.top, open.path) === open.node) return open.path;
    const path = pathOfNode(this.#tree.top, open.node);
    if (path !== undefined) open.path = path;
    return path;
  }

  #writable(handle: number): { readonly node: FileNode; readonly path: string | undefined } | undefined {
    const open = this.#get(handle);
    const { node, flags } = open;
    if (!(flags & OPEN.write)) throw new FsError('EBADF', '');
    if (node.type === 'directory') throw new FsError('EISDIR', '');
    if (node.type === 'device') return undefined;
    return { node, path: this.#currentPath(open) };
  }

  #write(handle: number, position: number, content: Uint8Array): number {
    const target = this.#writable(handle);
    if (!target) return 0;
    const { node, path } = target;
    const size = lengthOf(node);
    const atEnd = position < 0 || (this.#get(handle).flags & OPEN.append) !== 0 || position === size;
    if (atEnd && path !== undefined) this.#tree.extend(node, path, content);
    else {
      const start = atEnd ? size : position;
      const end = Math.max(size, start + content.byteLength);
      this.#tree.checkRoom(node, end - size, path ?? '');
      const whole = new Uint8Array(end);
      whole.set(contentOf(node));
      whole.set(content, start);
      this.#change(node, path, whole);
    }
    return lengthOf(node);
  }

  #truncate(handle: number, length: number): void {
    const target = this.#writable(handle);
    if (!target) return;
    const { node, path } = target;
    this.#tree.checkRoom(node, length - lengthOf(node), path ?? '');
    const whole = new Uint8Array(length);
    whole.set(contentOf(node).subarray(0, length));
    this.#change(node, path, whole);
  }

  #change(node: FileNode, path: string | undefined, content: Uint8Array): void {
    if (path === undefined) this.#tree.changeUnnamed(node, content);
    else this.#tree.change(node, path, content);
  }

  #look(path: string, follow: boolean): Looked {
    const found = this.#find(path, follow);
    if (found === BLOCKED) return BLOCKED;
    return found?.node && withInode(found.node);
  }

  #find(path: string, follow: boolean): Located | typeof BLOCKED | undefined {
    try {
      return this.#tree.locate(this.#access, path, follow);
    } catch (error) {
      if (error instanceof FsError && error.code === 'ENOTDIR') return BLOCKED;
      if (error instanceof FsError && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  #names(path: string): FolderNames | null {
    const found = this.#find(path, true);
    if (!found || found.node?.type !== 'directory') return { files: [], folders: [], links: [] };
    const { children } = found.node;
    if (children.size > MAX_NAMES || APP_FOLDERS.some((folder) => isInside(found.path, folder))) return null;
    for (const name of children.keys()) this.#access(`${found.path}/${name}`, 'read');
    const named = (type: Node['type']) =>
      [...children].flatMap(([name, node]) => (node.type === type ? name : []));
    return {
      files: [...named('file'), ...named('device')],
      folders: named('directory'),
      links: named('symlink'),
    };
  }

  #checkAccess(path: string, mode: number): void {
    const { path: real, node } = this.#tree.get(this.#access, path);
    if (mode & 4 && node.type === 'file') this.#access(real, 'content');
    if (mode & 2) this.#tree.checkWritable(this.#access, real, node);
    if (mode & 1 && node.type === 'file' && (node.mode & 0o111) === 0) throw new FsError('EACCES', path);
  }
}

function withInode(node: Node): NodeStat {
  const { accessed = node.modified, changed = node.modified, born = node.modified } = node;
  return { ...statOf(node), inode: inodeOf(node), names: namesOf(node), accessed, changed, born };
}
