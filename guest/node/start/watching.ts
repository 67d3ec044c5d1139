import type Fs from 'node:fs';
import { folderOf } from '../loader/files.ts';
import { ownTimers } from '../loop/own-timers.ts';

/** The environment variable that makes a process report the files of its modules over its channel. */
export const REPORTS_FILES = 'WATCH_REPORT_DEPENDENCIES';

/** Returns a function that reports each file once to the process that watches this one. */
export function filesReporter(process: NodeJS.Process): (path: string) => void {
  const reported = new Set<string>();
  return (path) => {
    if (reported.has(path)) return;
    reported.add(path);
    process.send?.({ [REPORT]: [path] });
  };
}

const REPORT = 'watch:require';

/** Returns the files in a report of such a process. */
export function reportedFiles(message: unknown): readonly string[] {
  if (typeof message !== 'object' || message === null || !(REPORT in message)) return [];
  const files = message[REPORT];
  return Array.isArray(files) ? files.map(String) : [];
}

/** Milliseconds without a further change after which changes are reported, since they come in bursts. */
const SETTLED_MS = 200;

/** Watches files and folders for their owners, such as the tests that use them. */
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

  /** Watches a file, or a folder with everything below it. */
  addAll(owner: string, path: string): void {
    this.#watch(path, true, () => this.#hit(owner));
  }

  /** Watches for files that appear or disappear below a folder. */
  addNames(owner: string, folder: string): void {
    this.#watch(folder, true, (event) => event === 'rename' && this.#hit(owner));
  }

  close(): void {
    ownTimers().clearTimeout(this.#timer);
    for (const each of this.#watchers.splice(0)) each.close();
  }

  #watch(path: string, recursive: boolean, changed: (event: string, name: string | null) => void): void {
    this.#watchers.push(this.#fs.watch(path, { recursive }, changed));
  }

  #hit(owner: string): void {
    this.#waiting.add(owner);
    ownTimers().clearTimeout(this.#timer);
    this.#timer = ownTimers().setTimeout(() => {
      const owners = new Set(this.#waiting);
      this.#waiting.clear();
      this.#changed(owners);
    }, SETTLED_MS);
  }
}
