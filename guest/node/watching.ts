import type Fs from 'node:fs';
import { folderOf } from './loader/files.ts';

/** In the environment of a process that tells, over its channel, which files its modules are made of. */
export const REPORTS_FILES = 'WATCH_REPORT_DEPENDENCIES';

/** Tells the process that watches this one of each file, once. */
export function filesReporter(process: NodeJS.Process): (path: string) => void {
  const told = new Set<string>();
  return (path) => {
    if (told.has(path)) return;
    told.add(path);
    process.send?.({ [REPORT]: [path] });
  };
}

const REPORT = 'watch:require';

/** The files that a message of such a process names. */
export function reportedFiles(message: unknown): readonly string[] {
  if (typeof message !== 'object' || message === null || !(REPORT in message)) return [];
  const files = message[REPORT];
  return Array.isArray(files) ? files.map(String) : [];
}

/** Changes come one after the other; after the last, so many milliseconds without another are waited for. */
const SETTLED_MS = 200;

/** Files and folders, each with those whom it concerns. */
export class WatchedFiles {
  readonly #fs: typeof Fs;
  readonly #changed: (owners: ReadonlySet<string>) => void;
  readonly #owners = new Map<string, Set<string>>();
  readonly #folders = new Set<string>();
  readonly #watchers: { close(): void }[] = [];
  readonly #waiting = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(fs: typeof Fs, changed: (owners: ReadonlySet<string>) => void) {
    this.#fs = fs;
    this.#changed = changed;
  }

  add(owner: string, file: string): void {
    const owners = this.#owners.get(file);
    if (owners) return void owners.add(owner);
    this.#owners.set(file, new Set([owner]));
    const folder = folderOf(file);
    if (this.#folders.has(folder) || !this.#fs.existsSync(folder)) return;
    this.#folders.add(folder);
    this.#watch(folder, false, (_event, name) => {
      for (const each of this.#owners.get(`${folder === '/' ? '' : folder}/${name ?? ''}`) ?? [])
        this.#hit(each);
    });
  }

  /** All of a folder, or one file. */
  addAll(owner: string, path: string): void {
    this.#watch(path, true, () => this.#hit(owner));
  }

  /** Files that come and go below a folder. */
  addNames(owner: string, folder: string): void {
    this.#watch(folder, true, (event) => event === 'rename' && this.#hit(owner));
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const each of this.#watchers.splice(0)) each.close();
  }

  #watch(path: string, recursive: boolean, changed: (event: string, name: string | null) => void): void {
    this.#watchers.push(this.#fs.watch(path, { recursive }, changed));
  }

  #hit(owner: string): void {
    this.#waiting.add(owner);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const owners = new Set(this.#waiting);
      this.#waiting.clear();
      this.#changed(owners);
    }, SETTLED_MS);
  }
}
