import type { Hash } from '../../base/hash.ts';
import { isInsideAny } from '../is-inside.ts';

export interface FileText {
  readonly path: string;
  readonly text: string;
  readonly hash: Hash;
}

interface KnownFile {
  version: number;
  text: string | undefined;
  hash: Hash | null;
}

interface Folder {
  readonly files: string[];
  readonly folders: Set<string>;
}

/**
 * The files that a language service may know, keyed by absolute path. Some have only a name at first. When the text of
 * one is needed it becomes `wanted`, and must be provided before the answer counts.
 */
export class FileTable {
  readonly wanted = new Set<string>();
  /** Increases when files are added or removed, or a JSON file changes, but not when only code changes. */
  shape = 0;
  readonly #files = new Map<string, KnownFile>();
  #folders: Map<string, Folder> | null = null;
  #version = 0;
  #overlay: { readonly path: string; readonly text: string } | null = null;

  name(path: string): void {
    if (this.#files.has(path)) return;
    this.#files.set(path, { version: ++this.#version, text: undefined, hash: null });
    this.#reshape();
  }

  give({ path, text, hash }: FileText): void {
    this.wanted.delete(path);
    const known = this.#files.get(path);
    if (known?.text !== undefined && known.hash === hash) return;
    if (!known) this.#reshape();
    // JSON files such as configs and package.json affect how modules are resolved.
    if (path.endsWith('.json')) this.#reshape();
    this.#files.set(path, { version: ++this.#version, text, hash });
  }

  /** Lets one file have another text than its own until the next call. */
  overlay(path: string, text: string): void {
    if (this.#overlay?.path === path && this.#overlay.text === text) return;
    this.uncover();
    // A file whose text is the same keeps its version, and so what is known of it.
    if (this.text(path) === text) return;
    this.#overlay = { path, text };
    this.#touch(path);
  }

  /** Every file has its own text again. */
  uncover(): void {
    const covered = this.#overlay;
    this.#overlay = null;
    if (covered) this.#touch(covered.path);
  }

  #touch(path: string): void {
    const known = this.#files.get(path);
    if (known) known.version = ++this.#version;
    if (path.endsWith('.json')) this.#reshape();
  }

  /** Removes paths with everything below them. */
  remove(paths: readonly string[]): void {
    const before = this.#files.size;
    // A path in the table is a file, so nothing is below it.
    const folders = new Set(paths.filter((path) => !this.#files.has(path)));
    const below = folders.size > 0 ? this.paths().filter((path) => isInsideAny(folders, path)) : [];
    for (const path of [...paths, ...below]) this.#files.delete(path);
    for (const path of paths) this.wanted.delete(path);
    if (this.#files.size < before) this.#reshape();
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** Returns `undefined` where there is no file, or where its text has yet to be provided. */
  text(path: string): string | undefined {
    const known = this.#files.get(path);
    if (known && this.#overlay?.path === path) return this.#overlay.text;
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

  /** The names of the files in a folder. */
  names(path: string): readonly string[] {
    return this.#tree().get(path)?.files ?? [];
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
      const created: Folder = { files: [], folders: new Set() };
      tree.set(path, created);
      const cut = path.lastIndexOf('/');
      if (cut >= 0 && path !== '/')
        folder(cut === 0 ? '/' : path.slice(0, cut)).folders.add(path.slice(cut + 1));
      return created;
    };
    for (const path of this.#files.keys()) {
      const cut = path.lastIndexOf('/');
      folder(cut === 0 ? '/' : path.slice(0, cut)).files.push(path.slice(cut + 1));
    }
    this.#folders = tree;
    return tree;
  }
}
