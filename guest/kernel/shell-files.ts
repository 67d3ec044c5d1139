import type { FsCall, FsEntryAnswer, FsStatAnswer } from '../protocol.ts';
import { shellAccess, type Access } from './access.ts';
import { copy } from './copy.ts';
import { FsError } from './errors.ts';
import { inodeOf, namesOf, type Node } from './nodes.ts';
import type { FileTree } from './tree.ts';

/** Answers a shell's call on the files. Throws {@link FsError}. */
export function answerShell(tree: FileTree, access: Access, call: FsCall): unknown {
  switch (call.op) {
    case 'read':
      // A copy, because a view would be cloned with the whole pack it lies in.
      return tree.read(access, call.path).slice();
    case 'exists':
      return exists(tree, call.path);
    case 'stat':
      return statOf(tree.get(access, call.path).node);
    case 'lstat':
      return statOf(tree.get(access, call.path, false).node);
    case 'readdir':
      return entriesOf(tree.directoryAt(access, call.path).node.children);
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

/** The path whose presence outside the call depends on. */
export function pathOf(call: FsCall): string {
  return 'path' in call ? call.path : call.from;
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
  if (node.type === 'file') return node.size ?? node.content.byteLength;
  return node.type === 'symlink' ? node.target.length : 0;
}

function entriesOf(children: ReadonlyMap<string, Node>): FsEntryAnswer[] {
  return [...children].map(([name, { type }]) => ({ name, type }));
}
