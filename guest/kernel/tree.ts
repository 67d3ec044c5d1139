import { HOME, OWN_FILES } from '../../src/base/places.ts';
import { components, isInside } from '../../src/protocol/paths.ts';
import { ROOT } from '../../src/base/places.ts';
import type { StoredContent } from '../../src/protocol/journal.ts';
import type { FileChange } from '../../src/protocol/workspace-values.ts';
import type { Access } from './access.ts';
import { FsError } from './errors.ts';
import { locate, type Located } from './locate.ts';
import { SYSTEM_FILES, SYSTEM_PROGRAMS } from './system-files.ts';
import { merge } from './merge.ts';
import {
  EMPTY,
  contentOf,
  countedLength,
  lengthOf,
  haveEqualContents,
  directoryNode,
  fileNode,
  folderOf,
  nameOf,
  nodeAt,
  walk,
  countOf,
  totalWeight,
  weight,
  appended,
  namesOf,
  pathsOf,
  type DeviceNode,
  type DirectoryNode,
  type FileNode,
  type KeptContent,
  type Node,
} from './nodes.ts';

export interface TreeOptions {
  /** How many bytes all files together may take, counting 256 for each node. Beyond that, writes fail with ENOSPC. */
  readonly quotaBytes: number;
  /** How many files, folders and links there may be. Default: no limit. */
  readonly quotaFiles?: number;
  readonly now: () => number;
  /** Called for each node that was created, changed or removed. For a removed directory, there is one call for everything. */
  /** `isWritten` where the file was made with a content, rather than empty, by a link or by a move. */
  readonly changed: (path: string, change: FileChange['change'], isWritten?: boolean) => void;
  /** Called when a name has come, gone or got another node, whoever did it. */
  readonly namesChanged?: () => void;
}

/** The longest allowed target of a symlink, in characters. */
const MAX_TARGET = 4096;

/** The largest time that a JavaScript date can hold; the smallest is its negative. */
const LAST_TIME = 8.64e15;

const clampTime = (time: number) => Math.max(-LAST_TIME, Math.min(time, LAST_TIME));

const FULL = 'no space left on device';
const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;

/** Folders that nobody may remove or replace: the workspace itself, and folders that a shell relies on. */
const FIXED = new Set(['/', HOME, ROOT, folderOf(OWN_FILES), '/tmp', '/dev']);

/**
 * The file system, which behaves like POSIX for a shell and its tools. Paths are absolute or relative to the root. Every
 * operation is one step, asks `access` with the real path, and throws {@link FsError}.
 */
export class FileTree {
  readonly top: DirectoryNode;
  readonly #options: TreeOptions;
  #used = 0;
  #count = 0;
  /** The files that processes have open. `unnamedBytes` is how much a file takes once it has no name any more. */
  readonly #open = new Map<FileNode, { handles: number; unnamedBytes: number }>();

  constructor(options: TreeOptions) {
    this.#options = options;
    this.top = directoryNode(options.now());
    for (const path of [ROOT, '/tmp', '/dev', '/bin', '/usr/bin', '/etc', '/proc']) this.#plant(path);
    for (const [files, mode] of [[SYSTEM_PROGRAMS, 0o755] as const, [SYSTEM_FILES, 0o444] as const])
      for (const [path, text] of Object.entries(files))
        this.#plant(folderOf(path)).children.set(
          nameOf(path),
          fileNode(new TextEncoder().encode(text), options.now(), mode),
        );
    const devices = this.#plant('/dev').children;
    for (const name of ['null', 'zero', 'tty', 'stdin', 'stdout', 'stderr', 'full', 'random', 'urandom'])
      devices.set(name, device(name));
  }

  /** Bytes counted towards the quota. */
  get used(): number {
    return this.#used;
  }

  get quota(): number {
    return this.#options.quotaBytes;
  }

  locate(access: Access, path: string, follow = true): Located {
    const found = locate(this.top, path, follow);
    access(found.path, 'read');
    return found;
  }

  /** The node at `path`, symlinks followed unless `follow` is false. */
  get(access: Access, path: string, follow = true): { readonly path: string; readonly node: Node } {
    const { path: real, node } = this.locate(access, path, follow);
    if (!node) throw new FsError('ENOENT', path);
    return { path: real, node };
  }

  read(access: Access, path: string): Uint8Array {
    const { path: real, node } = this.fileAt(access, path);
    access(real, 'content');
    return contentOf(node);
  }

  fileAt(access: Access, path: string): { readonly path: string; readonly node: FileNode | DeviceNode } {
    const { path: real, node } = this.get(access, path);
    if (node.type === 'file' || node.type === 'device') return { path: real, node };
    throw new FsError('EISDIR', path);
  }

  directoryAt(access: Access, path: string): { readonly path: string; readonly node: DirectoryNode } {
    const { path: real, node } = this.get(access, path);
    if (node.type !== 'directory') throw new FsError('ENOTDIR', path);
    return { path: real, node };
  }

  /** Writes the whole file and returns its real path. The caller must not change `content` afterwards. */
  write(
    access: Access,
    path: string,
    content: Uint8Array | KeptContent,
    options: { readonly parents?: boolean; readonly mode?: number } = {},
  ): string {
    const file = content instanceof Uint8Array ? { content } : content;
    const place = this.locate(access, path);
    const { node } = place;
    this.checkWritable(access, place.path, node);
    if (node?.type === 'directory') throw new FsError('EISDIR', path);
    if (node?.type === 'device') return place.path;
    if (node?.type === 'file') {
      this.#grow(node, countedLength({ ...node, stored: undefined, ...file }) - countedLength(node), path);
      if (options.mode !== undefined) node.mode = options.mode;
      node.buffer = undefined;
      this.#fill(node, place.path, file);
      return place.path;
    }
    const made = { ...fileNode(EMPTY, this.#options.now(), options.mode), ...file };
    const parent = this.#parentFor(place, path, options.parents ?? false, weight(made));
    this.#attach(parent, place, made, lengthOf(made) > 0);
    return place.path;
  }

  /** Replaces the content of an open file. Access was checked when it was opened. */
  change(node: FileNode, path: string, content: Uint8Array): void {
    this.#grow(node, content.byteLength - countedLength(node), path);
    node.buffer = undefined;
    this.#fill(node, path, { content });
  }

  /** Adds to the end of an open file. Access was checked when it was opened. */
  extend(node: FileNode, path: string, content: Uint8Array): void {
    const whole = appended(node, content);
    this.#grow(node, whole.byteLength - countedLength(node), path);
    this.#fill(node, path, { content: whole });
  }

  /** Notes that the app has stored the content of a file apart from the tree. It no longer counts towards the quota. */
  keep(node: FileNode, stored: StoredContent): void {
    this.#used -= countedLength(node) * Math.max(1, namesOf(node));
    node.stored = stored;
    node.hash = stored.hash;
  }

  isOpen(node: FileNode): boolean {
    return this.#open.has(node);
  }

  /** Notes that a process has opened a file. Its bytes count until {@link closed}, even if it is removed before. */
  opened(node: FileNode): void {
    const open = this.#open.get(node);
    if (open) open.handles++;
    else this.#open.set(node, { handles: 1, unnamedBytes: 0 });
  }

  closed(node: FileNode): void {
    const open = this.#open.get(node);
    if (!open || --open.handles > 0) return;
    this.#open.delete(node);
    this.#used -= open.unnamedBytes;
  }

  /** Replaces the content of an open file that has no name any more. */
  changeUnnamed(node: FileNode, content: Uint8Array): void {
    const open = this.#open.get(node);
    if (!open) return;
    this.#reserve(content.byteLength - open.unnamedBytes, '');
    open.unnamedBytes = content.byteLength;
    Object.assign(node, { content, stored: undefined, hash: undefined });
  }

  /** Throws ENOSPC where there is no room for so many more bytes in a file. */
  checkRoom(node: FileNode, bytes: number, path: string): void {
    this.#reserve(bytes * Math.max(1, namesOf(node)), path, 0, false);
  }

  /** Throws where what is at a real path may not be changed, under this name or, for a file, under another that it has. */
  checkWritable(access: Access, path: string, node: Node | undefined): void {
    access(path, 'write');
    if (node && namesOf(node) > 1 && node.type === 'file')
      for (const each of pathsOf(this.top, path, node)) access(each, 'write');
  }

  append(access: Access, path: string, content: Uint8Array): string {
    const { node, path: real } = this.locate(access, path);
    if (node?.type !== 'file') return this.write(access, path, content);
    this.checkWritable(access, real, node);
    // Writing nothing changes nothing, not even the time: a shell checks so whether it may append.
    if (content.byteLength > 0) this.extend(node, real, content);
    return real;
  }

  /** Returns how many directories it made: the last ones of the path. */
  makeDirectory(access: Access, path: string, recursive: boolean): number {
    // Access to the whole path is checked first, so that a refusal leaves no parents behind.
    const whole = this.locate(access, path, recursive);
    if (!recursive && whole.node) throw new FsError('EEXIST', path);
    if (recursive && whole.node?.type === 'directory') return 0;
    access(whole.path, 'write');
    let made = 0;
    const parts = components(path);
    for (let length = recursive ? 1 : parts.length; length <= parts.length; length++) {
      const place = locate(this.top, `/${parts.slice(0, length).join('/')}`, true);
      if (recursive && place.node?.type === 'directory') continue;
      // A symlink without a target exists too.
      if (place.node || locate(this.top, `/${parts.slice(0, length).join('/')}`, false).node)
        throw new FsError('EEXIST', path);
      access(place.path, 'write');
      const parent = this.#parentFor(place, path, false, 256);
      this.#attach(parent, place, directoryNode(this.#options.now()));
      made++;
    }
    return made;
  }

  /** Removes a file, a symlink (never its target), an empty directory or, with `recursive`, any directory. */
  remove(access: Access, path: string, recursive: boolean): void {
    const place = this.locate(access, path, false);
    if (!place.node) throw new FsError('ENOENT', path);
    access(place.path, 'write');
    const { node } = place;
    if (node.type === 'directory' && node.children.size > 0 && !recursive)
      throw new FsError('ENOTEMPTY', path);
    if (FIXED.has(place.path)) throw new FsError('EACCES', path, 'this directory cannot be removed');
    checkAllBelow(access, place.path, node);
    this.#detach(place, node);
  }

  rename(access: Access, from: string, to: string): void {
    const source = this.locate(access, from, false);
    if (!source.node) throw new FsError('ENOENT', from);
    access(source.path, 'write');
    if (FIXED.has(source.path)) throw new FsError('EACCES', from, 'this directory cannot be moved');
    const target = this.locate(access, to, false);
    access(target.path, 'write');
    if (target.path === source.path) return;
    if (isInside(target.path, source.path))
      throw new FsError('EINVAL', to, 'a directory cannot be moved into itself');
    this.#keepHidden(access, source.node, source.path, target.path);
    checkAllBelow(access, source.path, source.node);
    checkAllBelow(access, target.path, source.node);
    // Renaming one name of a file to another of its names does nothing, as POSIX says.
    if (target.node === source.node) return;
    if (target.node) this.#makeWay(source.node, target, to);
    const parent = this.#parentFor(target, to, false, 0);
    this.#takeAway(source);
    source.node.changed = this.#options.now();
    this.#attach(parent, target, source.node);
  }

  symlink(access: Access, target: string, path: string): void {
    if (target === '' || target.includes('\0')) throw new FsError('EINVAL', path);
    if (target.length > MAX_TARGET) throw new FsError('ENAMETOOLONG', path);
    const place = this.locate(access, path, false);
    if (place.node) throw new FsError('EEXIST', path);
    access(place.path, 'write');
    const parent = this.#parentFor(place, path, false, 256);
    this.#attach(parent, place, { type: 'symlink', target, mode: 0o777, modified: this.#options.now() });
  }

  /** Gives a file a second name. That needs permission to write the file, because a write to either name changes both. */
  link(access: Access, existing: string, path: string): void {
    const own = this.get(access, existing, false).node;
    // As on Linux, a link to a symlink is a link to the symlink itself, not to its target.
    if (own.type === 'symlink') return this.symlink(access, own.target, path);
    const { path: real, node } = this.fileAt(access, existing);
    access(real, 'content');
    const place = this.locate(access, path, false);
    if (place.node) throw new FsError('EEXIST', path);
    access(real, 'write');
    access(place.path, 'write');
    if (node.type === 'device') throw new FsError('EACCES', existing);
    const parent = this.#parentFor(place, path, false, weight(node));
    node.twin ??= Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
    node.names = namesOf(node) + 1;
    node.changed = this.#options.now();
    this.#attach(parent, place, node);
    this.#tell(node, real);
  }

  /** Makes the file at this path independent of its other names. */
  splitName(access: Access, path: string): void {
    const place = this.locate(access, path);
    if (place.node?.type !== 'file' || namesOf(place.node) < 2) return;
    access(place.path, 'write');
    const { content, stored, hash, modified, mode } = place.node;
    place.node.names = namesOf(place.node) - 1;
    place.parent.children.set(place.name, { ...fileNode(EMPTY, modified, mode), content, stored, hash });
    this.#options.changed(place.path, 'modified');
  }

  /** Joins stored files that were names of one file before they were stored. */
  joinTwins(): void {
    const firsts = new Map<number, FileNode>();
    for (const [path, node] of [...walk('/', this.top)]) {
      if (node.type !== 'file' || node.twin === undefined) continue;
      const first = firsts.get(node.twin);
      if (!first) firsts.set(node.twin, node);
      else if (first.mode === node.mode && haveEqualContents(first, node))
        (nodeAt(this.top, folderOf(path)) as DirectoryNode).children.set(nameOf(path), first);
    }
    this.#recount();
  }

  readlink(access: Access, path: string): string {
    const { node } = this.get(access, path, false);
    if (node.type !== 'symlink') throw new FsError('EINVAL', path);
    return node.target;
  }

  chmod(access: Access, path: string, mode: number): void {
    const { path: real, node } = this.get(access, path);
    this.checkWritable(access, real, node);
    node.mode = mode & 0o7777;
    node.changed = this.#options.now();
    this.#tell(node, real);
  }

  utimes(access: Access, path: string, modified: number, follow = true, accessed = modified): void {
    const { path: real, node } = this.get(access, path, follow);
    this.checkWritable(access, real, node);
    node.born ??= node.modified;
    node.accessed = clampTime(accessed);
    node.modified = clampTime(modified);
    node.changed = this.#options.now();
    this.#tell(node, real);
  }

  /** Puts a node into the tree without checking access or reporting a change: one from the journal or from the app. */
  plant(path: string, node: Node): void {
    const parent = this.#plant(folderOf(path));
    const name = nameOf(path);
    const old = parent.children.get(name);
    if (old) this.#discount(old);
    parent.children.set(name, node);
    this.#options.namesChanged?.();
    this.#used += totalWeight(node);
    this.#count += countOf(node);
  }

  /** Puts in a node that counts towards no limit. Access has to forbid all changes of it. */
  mount(path: string, node: Node): void {
    this.#plant(folderOf(path)).children.set(nameOf(path), node);
    this.#options.namesChanged?.();
  }

  uproot(path: string): void {
    const parent = nodeAt(this.top, folderOf(path));
    const node = nodeAt(this.top, path);
    if (!node || parent?.type !== 'directory') return;
    parent.children.delete(nameOf(path));
    this.#options.namesChanged?.();
    this.#discount(node);
  }

  /** The time that something which is made now has. */
  now(): number {
    return this.#options.now();
  }

  /** Makes everything below the root equal to `root`, in one step. */
  replaceRoot(root: DirectoryNode): void {
    const old = nodeAt(this.top, ROOT);
    if (old?.type !== 'directory') throw new FsError('ENOENT', ROOT);
    this.#reserve(totalWeight(root) - totalWeight(old), ROOT, countOf(root) - countOf(old));
    merge(ROOT, old, root, this.#options.changed);
    this.#options.namesChanged?.();
    this.#recount();
  }

  #plant(path: string): DirectoryNode {
    let directory = this.top;
    for (const name of path.split('/').slice(1)) {
      const child = directory.children.get(name);
      if (child?.type === 'directory') directory = child;
      else {
        const made = directoryNode(this.#options.now());
        if (child) this.#discount(child);
        directory.children.set(name, made);
        this.#options.namesChanged?.();
        this.#used += weight(made);
        this.#count++;
        directory = made;
      }
    }
    return directory;
  }

  #parentFor(place: Located, path: string, parents: boolean, bytes: number): DirectoryNode {
    const missing = place.missing.slice(0, -1);
    if (missing.length > 0 && !parents) throw new FsError('ENOENT', path);
    this.#reserve(bytes + missing.length * 256, path, missing.length + (bytes > 0 ? 1 : 0));
    const names = place.path.split('/');
    let parent = place.parent;
    for (const [index, name] of missing.entries()) {
      const made = directoryNode(this.#options.now());
      parent.children.set(name, made);
      this.#options.namesChanged?.();
      parent = made;
      this.#options.changed(names.slice(0, names.length - missing.length + index).join('/'), 'created');
    }
    return parent;
  }

  #fill(node: FileNode, path: string, { content, stored }: KeptContent): void {
    node.content = content;
    node.stored = stored;
    node.hash = stored?.hash;
    node.born ??= node.modified;
    node.modified = this.#options.now();
    node.changed = undefined;
    this.#tell(node, path);
  }

  #tell(node: Node, path: string): void {
    for (const each of pathsOf(this.top, path, node)) this.#options.changed(each, 'modified');
  }

  /** Reserves more bytes for a file, which counts once for each of its names. */
  #grow(node: FileNode, bytes: number, path: string): void {
    this.#reserve(bytes * Math.max(1, namesOf(node)), path);
  }

  /** Counts one name less for each file at and below a node. */
  #unname(node: Node): void {
    for (const [, each] of walk('', node)) if (each.type === 'file') each.names = namesOf(each) - 1;
  }

  #recount(): void {
    const names = new Map<FileNode, number>();
    for (const [, node] of walk('/', this.top))
      if (node.type === 'file' && node.twin !== undefined) names.set(node, (names.get(node) ?? 0) + 1);
    for (const [node, count] of names) node.names = count;
  }

  #attach(parent: DirectoryNode, place: Located, node: Node, isWritten = false): void {
    parent.children.set(place.name, node);
    this.#options.namesChanged?.();
    parent.modified = this.#options.now();
    for (const [path] of walk(place.path, node)) this.#options.changed(path, 'created', isWritten);
  }

  #detach(place: Located, node: Node): void {
    this.#discount(node);
    this.#unname(node);
    if (this.#open.size > 0)
      for (const [, each] of walk('', node)) {
        const open = each.type === 'file' && this.#open.get(each);
        if (!open || namesOf(each) > 0) continue;
        // Counted once, even where two of its names are removed at the same time.
        this.#used += countedLength(each) - open.unnamedBytes;
        open.unnamedBytes = countedLength(each);
      }
    this.#takeAway(place);
  }

  #takeAway({ parent, name, path }: Located): void {
    parent.children.delete(name);
    this.#options.namesChanged?.();
    parent.modified = this.#options.now();
    this.#options.changed(path, 'removed');
  }

  #discount(node: Node): void {
    this.#used -= totalWeight(node);
    this.#count -= countOf(node);
  }

  /** Throws where a move would give a file whose content may not be read a name under which it may. */
  #keepHidden(access: Access, node: Node, from: string, to: string): void {
    for (const [path, { type }] of walk(from, node)) {
      if (type !== 'file') continue;
      try {
        access(path, 'content');
      } catch (error) {
        if (isAllowed(access, to + path.slice(from.length))) throw error;
      }
    }
  }

  /** Removes an existing target of a rename, with the checks that rename(2) makes. */
  #makeWay(source: Node, target: Located, to: string): void {
    if (!target.node) return;
    if (FIXED.has(target.path)) throw new FsError('EACCES', to, 'this directory cannot be replaced');
    if (target.node.type === 'directory') {
      if (source.type !== 'directory') throw new FsError('EISDIR', to);
      if (target.node.children.size > 0) throw new FsError('ENOTEMPTY', to);
    } else if (source.type === 'directory') throw new FsError('ENOTDIR', to);
    this.#detach(target, target.node);
  }

  #reserve(bytes: number, path: string, files = 0, take = true): void {
    const { quotaBytes, quotaFiles = Infinity } = this.#options;
    if (bytes > 0 && this.#used + bytes > quotaBytes)
      throw new FsError('ENOSPC', path, `${FULL} (all files together may take ${megabytes(quotaBytes)})`);
    if (files > 0 && this.#count + files > quotaFiles)
      throw new FsError('ENOSPC', path, `${FULL} (there may be ${quotaFiles} files and folders)`);
    if (!take) return;
    this.#used += bytes;
    this.#count += files;
  }
}

/** Throws where something at or below a path may not be changed, which removing or moving all of it would do. */
function checkAllBelow(access: Access, path: string, node: Node): void {
  if (node.type === 'directory') for (const [each] of walk(path, node)) access(each, 'write');
}

function isAllowed(access: Access, path: string): boolean {
  try {
    access(path, 'content');
    return true;
  } catch {
    return false;
  }
}

/** How many bytes an endless device gives, because the shell reads files whole. */
const DEVICE_BYTES = 65_536;
const ZEROS = new Uint8Array(DEVICE_BYTES);

function device(name: string): DeviceNode {
  const rest = { type: 'device' as const, mode: 0o666, modified: 0 };
  if (name !== 'random' && name !== 'urandom') return { ...rest, content: name === 'zero' ? ZEROS : EMPTY };
  return {
    ...rest,
    get content() {
      return crypto.getRandomValues(new Uint8Array(DEVICE_BYTES));
    },
  };
}
