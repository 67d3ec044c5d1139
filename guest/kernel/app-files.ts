import { hashBytes, type Hash } from '../../src/base/hash.ts';
import type { WriteOptions } from '../../src/protocol/write-options.ts';
import type { Entry, Stat } from '../../src/protocol/workspace-values.ts';
import { toolAccess } from './access.ts';
import { FsError } from './errors.ts';
import { contentOf, folderOf, type FileNode, type Node } from './nodes.ts';
import { sizeOf } from './shell-files.ts';
import type { FileTree } from './tree.ts';

/** The file operations of the tools and the page. They stay inside the root, and writing creates missing parents. */
export class AppFiles {
  readonly #tree: FileTree;
  constructor(tree: FileTree) {
    this.#tree = tree;
  }

  resolve(path: string): string {
    return this.#tree.locate(toolAccess, path).path;
  }

  /** The file at a path, whose content may have to be fetched before it is read. */
  fileAt(path: string): FileNode[] {
    const { node } = this.#tree.locate(toolAccess, path);
    return node?.type === 'file' ? [node] : [];
  }

  read(path: string, real = false): Uint8Array {
    if (real) this.#checkReal(path);
    return this.#tree.read(toolAccess, path).slice();
  }

  write(path: string, content: Uint8Array, { expect, real, executable }: WriteOptions): void {
    if (real) this.#checkReal(path);
    if (expect !== undefined) this.#check(path, expect);
    // Permission was given for this path only, so other names of the file keep the old content.
    this.#tree.splitName(toolAccess, path);
    this.#tree.write(toolAccess, path, content, { parents: true, ...(executable && { mode: 0o755 }) });
  }

  stat(path: string): Stat | null {
    try {
      const { node } = this.#tree.locate(toolAccess, path);
      return node ? statOf(node) : null;
    } catch (error) {
      if (error instanceof FsError && error.code === 'ENOTDIR') return null;
      throw error;
    }
  }

  list(path: string, real = false): Entry[] {
    if (real) this.#checkReal(path);
    const { node } = this.#tree.directoryAt(toolAccess, path);
    return [...node.children]
      .map(([name, child]) => ({ name, ...statOf(child) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  makeDirectory(path: string): void {
    this.#tree.makeDirectory(toolAccess, path, true);
  }

  readLink(path: string): string | null {
    const { node } = this.#tree.locate(toolAccess, path, false);
    return node?.type === 'symlink' ? node.target : null;
  }

  makeLink(path: string, target: string): void {
    this.#tree.makeDirectory(toolAccess, folderOf(this.#tree.locate(toolAccess, path, false).path), true);
    this.#tree.symlink(toolAccess, target, path);
  }

  remove(
    path: string,
    {
      recursive,
      expect,
      real,
    }: { readonly recursive: boolean; readonly expect?: Hash; readonly real?: boolean },
  ): void {
    if (real) this.#checkReal(path);
    if (expect !== undefined) this.#check(path, expect);
    this.#tree.remove(toolAccess, path, recursive);
  }

  rename(from: string, to: string, real = false): void {
    if (real) for (const path of [from, to]) this.#checkReal(path);
    this.#tree.rename(toolAccess, from, to);
  }

  /** Throws where a symlink has changed since the caller resolved the path: its checks were made for another file. */
  #checkReal(path: string): void {
    if (this.resolve(path) !== path) throw new FsError('ECHANGED', path);
  }

  #check(path: string, expect: Hash | null): void {
    const { node } = this.#tree.locate(toolAccess, path);
    const actual = node?.type === 'file' ? hashOf(node) : null;
    if (actual !== expect) throw new FsError('ECHANGED', path);
  }
}

/** The SHA-256 of the content, computed once. */
export function hashOf(node: FileNode): Hash {
  return (node.hash ??= hashBytes(contentOf(node)));
}

function statOf(node: Node): Stat {
  const type = node.type === 'device' ? 'file' : node.type;
  return { type, size: sizeOf(node), modified: node.modified, mode: node.mode };
}
