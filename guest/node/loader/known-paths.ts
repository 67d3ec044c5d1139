import type { NodeStat } from '../../shared/wire.ts';
import { folderOf } from './files.ts';

type PathType = NodeStat['type'];

/** {@link KnownPaths} asks the kernel through this. */
export interface PathSource {
  /** The version of all names. While it stays the same, so do the answers. */
  version(): number;
  look(path: string): PathType | undefined;
  /** The names in a folder with their types, where `symlink` needs a look. Null if it cannot be told. */
  names(folder: string): ReadonlyMap<string, PathType> | null;
  realpath(path: string): string;
}

/** These have files that come and go without a change of names. */
const CHANGING = /^\/(?:proc|dev)\//;
const PLAIN = /^(?:\/(?!\.{1,2}(?:\/|$))[^/]+)+$/;

/** Whether a path is absolute, without `.`, `..` and empty names. */
export const isPlain = (path: string): boolean => PLAIN.test(path);

/**
 * Remembers which paths there are, as long as no name changes. A search for a module tries many paths of few folders, most
 * of which do not exist, and each look is a call to the kernel.
 */
export class KnownPaths {
  readonly #source: PathSource;
  /** Keyed by folder. `once`: one path of the folder has been looked at. Null: each path needs a look. */
  readonly #folders = new Map<string, ReadonlyMap<string, PathType> | 'once' | null>();
  readonly #realPaths = new Map<string, string>();
  #version = -1;

  constructor(source: PathSource) {
    this.#source = source;
  }

  /** The type of a path, symlinks followed. Undefined where there is nothing. */
  look(path: string): PathType | undefined {
    if (!isPlain(path) || CHANGING.test(path)) return this.#source.look(path);
    const names = this.#namesOf(folderOf(path));
    const found = names?.get(nameOf(path));
    return names && found !== 'symlink' ? found : this.#source.look(path);
  }

  /** Throws where there is nothing. */
  realpath(path: string): string {
    this.#update();
    const known = this.#realPaths.get(path);
    if (known !== undefined) return known;
    const found = this.#withinFolder(path) ?? this.#source.realpath(path);
    this.#realPaths.set(path, found);
    return found;
  }

  /** The real path of what lies in a folder whose names are known, unless it is a symlink. */
  #withinFolder(path: string): string | undefined {
    if (!isPlain(path)) return undefined;
    const folder = folderOf(path);
    const names = this.#folders.get(folder);
    const type = names instanceof Map ? names.get(nameOf(path)) : undefined;
    if (type === undefined || type === 'symlink') return undefined;
    const parent = this.realpath(folder);
    return parent === '/' ? path : `${parent}/${nameOf(path)}`;
  }

  /** The names are worth a call of their own only from the second path in a folder on. */
  #namesOf(folder: string): ReadonlyMap<string, PathType> | null {
    this.#update();
    const known = this.#folders.get(folder);
    if (known === undefined) this.#folders.set(folder, 'once');
    if (known !== 'once') return known ?? null;
    const names = this.#source.names(folder);
    this.#folders.set(folder, names);
    return names;
  }

  /** Reads the version before anything is asked, so that a change meanwhile is seen the next time. */
  #update(): void {
    const version = this.#source.version();
    if (version === this.#version) return;
    this.#version = version;
    this.#folders.clear();
    this.#realPaths.clear();
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
