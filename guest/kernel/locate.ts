import { components } from '../../src/protocol/paths.ts';
import { FsError } from './errors.ts';
import type { DirectoryNode, Node } from './nodes.ts';

const MAX_LINKS = 40;
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 4096;

/** The result of following a path, with every symlink on the way. */
export interface Located {
  /** The real absolute path. */
  readonly path: string;
  /** The deepest existing directory on the way. Where the node exists or only its own name is missing, its parent. */
  readonly parent: DirectoryNode;
  /** The last component; '' for the top. */
  readonly name: string;
  readonly node: Node | undefined;
  /** The components that do not exist, from the first missing one on. */
  readonly missing: readonly string[];
}

interface Ancestor {
  readonly name: string;
  readonly node: DirectoryNode;
}

/**
 * Follows `path` from the top as an operating system does: `..` after a symlink is the parent of the symlink's target.
 * After the first missing component, `..` only drops names. `follow` says whether to follow a symlink at the end.
 */
export function locate(top: DirectoryNode, path: string, follow: boolean): Located {
  const plain = locatePlain(top, path);
  if (plain) return plain;
  checkPath(path);
  const rest = components(path).reverse();
  const trail: Ancestor[] = [{ name: '', node: top }];
  const missing: string[] = [];
  let last: { name: string; node: Node } | undefined;
  let links = 0;

  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (last) throw new FsError('ENOTDIR', path);
    if (part === '..') {
      if (missing.length > 0) missing.pop();
      else if (trail.length > 1) trail.pop();
      continue;
    }
    checkName(part, path);
    const directory = here(trail);
    const node = missing.length > 0 ? undefined : directory.children.get(part);
    if (!node) missing.push(part);
    else if (node.type === 'directory') trail.push({ name: part, node });
    else if (node.type === 'symlink' && (follow || rest.length > 0)) {
      if (++links > MAX_LINKS) throw new FsError('ELOOP', path);
      if (node.target.startsWith('/')) trail.length = 1;
      for (const piece of components(node.target, '').reverse()) rest.push(piece);
    } else last = { name: part, node };
  }

  const names = trail.slice(1).map(({ name }) => name);
  if (last) return located([...names, last.name], here(trail), last.node, missing);
  if (missing.length > 0) return located([...names, ...missing], here(trail), undefined, missing);
  const found = here(trail);
  return located(names, trail.at(-2)?.node ?? found, found, missing);
}

/**
 * The fast way for most paths: names alone, where everything on the way is a directory. Undefined for any other path. No
 * node is called '', '.' or '..', so such a name is never found.
 */
function locatePlain(top: DirectoryNode, path: string): Located | undefined {
  if (!path.startsWith('/') || path.length * 3 > MAX_PATH_BYTES) return undefined;
  let parent = top;
  for (let start = 1; ;) {
    const slash = path.indexOf('/', start);
    const name = slash < 0 ? path.slice(start) : path.slice(start, slash);
    const node = parent.children.get(name);
    if (slash < 0) {
      if (node?.type === 'symlink') return undefined;
      if (node) return { path, parent, name, node, missing: [] };
      if (name === '' || name === '.' || name === '..') return undefined;
      if (name.includes('\0') || name.length * 3 > MAX_NAME_BYTES) return undefined;
      return { path, parent, name, node: undefined, missing: [name] };
    }
    if (node?.type !== 'directory') return undefined;
    parent = node;
    start = slash + 1;
  }
}

function located(
  names: readonly string[],
  parent: DirectoryNode,
  node: Node | undefined,
  missing: readonly string[],
): Located {
  return { path: `/${names.join('/')}`, parent, name: names.at(-1) ?? '', node, missing };
}

function here(trail: readonly Ancestor[]): DirectoryNode {
  const step = trail.at(-1);
  if (!step) throw new Error('the trail always holds the top');
  return step.node;
}

function checkPath(path: string): void {
  if (path.includes('\0'))
    throw new FsError('EINVAL', path.replaceAll('\0', '\\0'), 'a path cannot hold NUL');
  // UTF-8 takes at most three bytes for a UTF-16 unit, so only long paths need the exact count.
  if (path.length * 3 > MAX_PATH_BYTES && byteLength(path) > MAX_PATH_BYTES)
    throw new FsError('ENAMETOOLONG', `${path.slice(0, 200)}…`);
}

function checkName(name: string, path: string): void {
  if (name.length * 3 > MAX_NAME_BYTES && byteLength(name) > MAX_NAME_BYTES)
    throw new FsError('ENAMETOOLONG', path);
}

const encoder = new TextEncoder();
function byteLength(text: string): number {
  return encoder.encode(text).length;
}
