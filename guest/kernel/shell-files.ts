import type { NodeFsCall } from '../shared/wire.ts';
import type { FsCall, FsEntryAnswer, FsListedAnswer, FsStatAnswer } from '../shared/protocol.ts';
import { shellAccess, type Access } from './access.ts';
import { copy } from './copy.ts';
import { FsError } from './errors.ts';
import { equalBytes, inodeOf, lengthOf, namesOf, type Node } from './nodes.ts';
import type { FileTree } from './tree.ts';

/** Answers a shell's call on the files. Throws {@link FsError}. */
export function answerShell(tree: FileTree, access: Access, call: FsCall): unknown {
  switch (call.op) {
    case 'read':
      // A copy, because posting a view would clone the whole buffer behind it.
      return tree.read(access, call.path).slice();
    case 'exists':
      return exists(tree, call.path);
    case 'stat':
      return statOf(tree.get(access, call.path).node);
    case 'lstat':
      return statOf(tree.get(access, call.path, false).node);
    case 'readdir':
      return entriesOf(tree.directoryAt(access, call.path).node.children);
    case 'entries':
      return listOf(tree.directoryAt(access, call.path).node.children);
    case 'same':
      return haveSameContent(tree, access, call.from, call.to);
    case 'mayRead':
      access(call.path, 'content');
      return access(tree.locate(access, call.path).path, 'content');
    case 'readlink':
      return tree.readlink(access, call.path);
    case 'realpath':
      return tree.get(access, call.path).path;
    case 'write':
      return void tree.write(access, call.path, call.content);
    case 'append':
      return void tree.append(access, call.path, call.content);
    case 'mkdir':
      return tree.makeDirectory(access, call.path, call.recursive);
    case 'rm':
      if (call.force && !tree.locate(access, call.path, false).node) return;
      return tree.remove(access, call.path, call.recursive);
    case 'cp':
      return copy(tree, access, call.from, call.to, call.recursive);
    case 'mv':
      return tree.rename(access, call.from, call.to);
    case 'link':
      return tree.link(access, call.from, call.to);
    case 'symlink':
      return tree.symlink(access, call.target, call.path);
    case 'chmod':
      return tree.chmod(access, call.path, call.mode);
    case 'utimes':
      return tree.utimes(access, call.path, call.modified, true, call.accessed);
    default:
      throw new FsError('EINVAL', '', 'unknown operation');
  }
}

/** The path that may lie in one of the app's folders, and then has to be fetched before the call. */
export function pathOf(call: FsCall | Exclude<NodeFsCall, { handle: number }>): string {
  if ('path' in call) return call.path;
  return 'from' in call ? call.from : '';
}

function exists(tree: FileTree, path: string): boolean {
  try {
    return tree.locate(shellAccess, path).node !== undefined;
  } catch {
    return false;
  }
}

export function statOf(node: Node): FsStatAnswer {
  return {
    type: node.type,
    size: sizeOf(node),
    mode: node.mode,
    modified: node.modified,
    inode: inodeOf(node),
    names: namesOf(node),
  };
}

export function sizeOf(node: Node): number {
  if (node.type === 'file') return node.size ?? lengthOf(node);
  return node.type === 'symlink' ? node.target.length : 0;
}

function listOf(children: ReadonlyMap<string, Node>): FsListedAnswer[] {
  return [...children].map(([name, node]) => ({ name, ...statOf(node) }));
}

function haveSameContent(tree: FileTree, access: Access, from: string, to: string): boolean {
  // The content of a file that the app stores may not have been fetched yet.
  const isLoaded = (node: Node) => node.type === 'file' && node.size === undefined;
  if (![from, to].every((path) => isLoaded(tree.get(access, path).node))) return false;
  return equalBytes(tree.read(access, from), tree.read(access, to));
}

function entriesOf(children: ReadonlyMap<string, Node>): FsEntryAnswer[] {
  return [...children].map(([name, { type }]) => ({ name, type }));
}
