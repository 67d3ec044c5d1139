import type { Hash } from '../../base/hash.ts';
import { isWithin } from '../within.ts';

export interface GivenFile {
  readonly path: string;
  readonly text: string;
  readonly hash: Hash;
}

interface Known {
  version: number;
  text: string | undefined;
  hash: Hash | null;
}

interface Folder {
  readonly files: string[];
  readonly folders: Set<string>;
}

/**
 * The files that a language service may know, by absolute path. Of some only the name is given: the text of one that
 * turns out to be needed is `wanted`, and is to be brought before the answer counts.
 */
export class FileTable {
  readonly wanted = new Set<string>();
  /** Grows when what there is changes, and not only what stands in it. */
  shape = 0;
  readonly #files = new Map<string, Known>();
  #folders: Map<string, Folder> | null = null;
  #version = 0;

  name(path: string): void {
    if (this.#files.has(path)) return;
    this.#files.set(path, { version: ++this.#version, text: undefined, hash: null });
    this.#reshape();
  }

  give({ path, text, hash }: GivenFile): void {
    this.wanted.delete(path);
    const known = this.#files.get(path);
    if (known?.text !== undefined && known.hash === hash) return;
    if (!known) this.#reshape();
    // It may say where configs and packages have their parts.
    if (path.endsWith('.json')) this.#reshape();
    this.#files.set(path, { version: ++this.#version, text, hash });
  }

  /** With all below them. */
  remove(paths: readonly string[]): void {
    const before = this.#files.size;
    // What is in the table is a file: nothing is below it.
    const folders = new Set(paths.filter((path) => !this.#files.has(path)));
    const below = folders.size > 0 ? this.paths().filter((path) => isWithin(folders, path)) : [];
    for (const path of [...paths, ...below]) this.#files.delete(path);
    for (const path of paths) this.wanted.delete(path);
    if (this.#files.size < before) this.#reshape();
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** `undefined` where nothing is, or where the text has yet to be brought. */
  text(path: string): string | undefined {
    const known = this.#files.get(path);
    if (known && known.text === undefined) this.wanted.add(path);
    return known?.text;
  }

  version(path: string): string {
    return String(this.#files.get(path)?.version ?? 0);
  }

  hash(path: string): Hash | null {
    return this.#files.get(path)?.hash ?? null;
  }

  paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  hasFolder(path: string): boolean {
    return this.#tree().has(path);
  }

  folders(path: string): string[] {
    return [...(this.#tree().get(path)?.folders ?? [])];
  }

  #reshape(): void {
    this.shape++;
    this.#folders = null;
  }

  #tree(): Map<string, Folder> {
    if (this.#folders) return this.#folders;
    const tree = new Map<string, Folder>();
    const folder = (path: string): Folder => {
      const known = tree.get(path);
      if (known) return known;
      const made: Folder = { files: [], folders: new Set() };
      tree.set(path, made);
      const cut = path.lastIndexOf('/');
      if (cut >= 0 && path !== '/')
        folder(cut === 0 ? '/' : path.slice(0, cut)).folders.add(path.slice(cut + 1));
      return made;
    };
    for (const path of this.#files.keys()) {
      const cut = path.lastIndexOf('/');
      folder(cut === 0 ? '/' : path.slice(0, cut)).files.push(path.slice(cut + 1));
    }
    this.#folders = tree;
    return tree;
  }
}
