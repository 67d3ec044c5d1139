import type { IFSWatcher } from '@webcontainer/api';
import type { Timer } from '../../base/timer.ts';
import type { Client } from './container.ts';

const GATHER_MS = 100;
/** Folders that are not watched: with a watcher on the whole tree, installing packages blocks the container for a minute. */
const UNWATCHED = new Set(['node_modules', '.git']);
/** Matches commands that install packages, but not those that run scripts: a development server may run for hours. */
const INSTALLS =
  /\b(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?:i|in|install|ci|clean-install|add|up|update|upgrade|remove|rm|uninstall|un|dedupe|prune|link|create|init)\b|\byarn\s*(?:$|[;&|])|\bnpx\s+(?:-\S+\s+)*(?:create-|degit\b)/;

/** Watches the sources, except while packages are being installed. The caller resumes watching after that. */
export class SourceWatch {
  readonly #client: Client;
  readonly #timer: Timer;
  readonly #changed: () => void;
  readonly #folders = new Map<string, IFSWatcher>();
  #top: IFSWatcher | undefined;
  #pauses = 0;
  #gathering = false;
  #over = false;

  constructor(client: Client, timer: Timer, changed: () => void) {
    this.#client = client;
    this.#timer = timer;
    this.#changed = changed;
  }

  static installs(command: string): boolean {
    return INSTALLS.test(command);
  }

  /** Sets the current folders at the top. */
  watch(folders: readonly string[]): void {
    if (this.#over || this.#pauses > 0) return;
    this.#top ??= this.#client.fs.watch('.', (_, name) => this.#hear(String(name)));
    const wanted = new Set(folders.filter((name) => !UNWATCHED.has(name)));
    for (const [name, watcher] of this.#folders) {
      if (wanted.has(name)) continue;
      close(watcher);
      this.#folders.delete(name);
    }
    for (const name of wanted) {
      if (this.#folders.has(name)) continue;
      const heard = (_: unknown, below: unknown) => this.#hear(String(below));
      this.#folders.set(name, this.#client.fs.watch(name, { recursive: true }, heard));
    }
  }

  pause(): void {
    this.#pauses++;
    this.#close();
  }

  /** Lets the next `watch` start watching again. */
  resume(): void {
    this.#pauses--;
  }

  end(): void {
    this.#over = true;
    this.#close();
  }

  #hear(name: string): void {
    if (name.split('/').some((part) => UNWATCHED.has(part) || part.startsWith('.vitrine-'))) return;
    if (this.#gathering) return;
    this.#gathering = true;
    this.#timer.after(GATHER_MS, () => {
      this.#gathering = false;
      if (!this.#over) this.#changed();
    });
  }

  #close(): void {
    if (this.#top) close(this.#top);
    this.#top = undefined;
    for (const watcher of this.#folders.values()) close(watcher);
    this.#folders.clear();
  }
}

function close(watcher: IFSWatcher): void {
  // The runtime may be gone.
  void Promise.resolve(watcher.close()).catch(() => {});
}
