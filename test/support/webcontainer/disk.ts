import { proxy, releaseProxy, type Remote } from 'comlink';
import { shellAccess } from '../../../guest/kernel/access.ts';
import { FsError } from '../../../guest/kernel/errors.ts';
import { nodeAt, type Node } from '../../../guest/kernel/nodes.ts';
import { FileTree } from '../../../guest/kernel/tree.ts';
import { components, isInside } from '../../../src/protocol/paths.ts';
import { ROOT, type FileChange } from '../../../src/workspace/workspace.ts';
import type { Knobs } from './knobs.ts';
import { contentOf, type TreeNode } from './tree-format.ts';

type Encoding = string | { readonly encoding?: string | null } | null | undefined;
type ChangeListener = (event: 'rename' | 'change', name: string) => void;

const encoder = new TextEncoder();
const TYPES: Readonly<Record<Node['type'], number>> = { file: 1, directory: 2, symlink: 3, device: 6 };

/** The files of the runtime: relative paths and `/x` are below the working directory. No stat, chmod or links. */
export class Disk {
  readonly tree: FileTree;
  readonly #knobs: Knobs;
  readonly #watchers = new Set<{
    readonly root: string;
    readonly deep: boolean;
    readonly told: ChangeListener;
  }>();

  constructor(knobs: Knobs) {
    this.#knobs = knobs;
    this.tree = new FileTree({
      quotaBytes: 512 * 1024 * 1024,
      now: () => Date.now(),
      changed: (path, change) => this.#tell(path, change),
    });
  }

  /** What the client's `fs` calls. */
  api() {
    const { tree } = this;
    return {
      readFile: (path: string, encoding?: Encoding) =>
        this.#node(path, 'open', (real) => {
          const bytes = tree.read(shellAccess, real).slice();
          return nameOf(encoding) ? new TextDecoder().decode(bytes) : bytes;
        }),
      writeFile: (path: string, data: string | Uint8Array, encoding?: Encoding) =>
        this.#node(path, 'open', (real) => {
          const binary = typeof data === 'string' && nameOf(encoding) === 'latin1';
          const bytes = binary ? contentOf({ c: data, b: true }) : bytesOf(data);
          tree.write(shellAccess, real, bytes.slice());
        }),
      readdir: (path: string, options?: Encoding & { readonly withFileTypes?: boolean }) =>
        this.#node(path, 'scandir', (real) => {
          const children = [...tree.directoryAt(shellAccess, real).node.children];
          if (!options || typeof options === 'string' || !options.withFileTypes)
            return children.map(([name]) => name);
          return children.map(([name, { type }]) => ({ name, 'Symbol(type)': TYPES[type] }));
        }),
      mkdir: (path: string, options?: { readonly recursive?: boolean }) =>
        this.#node(path, 'mkdir', (real) =>
          tree.makeDirectory(shellAccess, real, options?.recursive ?? false),
        ),
      rm: (path: string, options: { readonly recursive?: boolean; readonly force?: boolean } = {}) =>
        this.#node(path, 'rm', (real) => {
          const { node } = tree.locate(shellAccess, real, false);
          if (!node && options.force) return;
          if (node?.type === 'directory' && !options.recursive) throw new FsError('EISDIR', path);
          tree.remove(shellAccess, real, options.recursive ?? false);
        }),
      rename: (from: string, to: string) =>
        this.#node(from, 'rename', (real) => tree.rename(shellAccess, real, place(to))),
      watch: (
        path: string,
        options: { readonly recursive?: boolean } | null,
        told: Remote<ChangeListener>,
      ) => {
        const watcher = {
          root: place(path),
          deep: options?.recursive ?? false,
          told: (event: 'rename' | 'change', name: string) => void told(event, name),
        };
        this.#watchers.add(watcher);
        return proxy({
          close: () => {
            this.#watchers.delete(watcher);
            told[releaseProxy]();
          },
        });
      },
    };
  }

  /** `loadFiles`: everything in `node` is laid over what is there. */
  load(path: string, node: TreeNode): void {
    if ('d' in node) {
      this.tree.makeDirectory(shellAccess, path, true);
      for (const [name, child] of Object.entries(node.d)) this.load(`${path}/${name}`, child);
    } else if ('l' in node.f) {
      if (this.tree.locate(shellAccess, path, false).node) this.tree.remove(shellAccess, path, true);
      this.tree.symlink(shellAccess, node.f.l, path);
    } else this.tree.write(shellAccess, path, contentOf(node.f));
  }

  /** `serialize` in its JSON form. */
  save(path: string): TreeNode {
    const found = nodeAt(this.tree.top, place(path));
    if (!found) throw new Error(`ENOENT: no such file or directory, open '${path}'`);
    return saved(found);
  }

  /** As Node words it; the code goes along only where the knob says so. */
  #node<T>(path: string, call: string, work: (real: string) => T): T {
    try {
      return work(place(path));
    } catch (error) {
      if (!(error instanceof FsError)) throw error;
      const text = error.message.replace(/, '[^']*'$/s, '');
      const worded = new Error(`${text}, ${call} '${path}'`);
      throw this.#knobs.errorCodes ? Object.assign(worded, { code: error.code }) : worded;
    }
  }

  #tell(path: string, change: FileChange['change']): void {
    for (const { root, deep, told } of this.#watchers) {
      if (path === root || !isInside(path, root)) continue;
      const name = path.slice(root.length + 1);
      if (!deep && name.includes('/')) continue;
      for (let time = 0; time < this.#knobs.watchTimes; time++)
        told(change === 'modified' ? 'change' : 'rename', name);
    }
  }
}

/** A path of the file system API: there is nothing above the working directory, `/x` is `x` in it. */
export function place(path: string): string {
  const names: string[] = [];
  for (const part of components(path, '')) {
    if (part === '..') names.pop();
    else names.push(part);
  }
  return [ROOT, ...names].join('/');
}

function saved(node: Node): TreeNode {
  if (node.type === 'directory')
    return { d: Object.fromEntries([...node.children].map(([name, child]) => [name, saved(child)])) };
  if (node.type === 'symlink') return { f: { l: node.target } };
  let text = '';
  for (const byte of node.content ?? []) text += String.fromCharCode(byte);
  return { f: { c: text, b: true } };
}

function nameOf(encoding: Encoding): string | null | undefined {
  return typeof encoding === 'object' ? encoding?.encoding : encoding;
}

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? encoder.encode(data) : data;
}
