import { configurationOf, type ConfigSources, type Configuration } from './setup.ts';

/**
 * The configuration of one workspace. It is asked for before every step and read again only when something has
 * changed.
 */
export class WatchedConfiguration {
  readonly #sources: ConfigSources;
  #stamp: string | null = null;
  #current: Configuration | null = null;
  #reading: Promise<Configuration> | null = null;

  constructor(sources: ConfigSources) {
    this.#sources = sources;
  }

  /** The result of the last read; `null` before the first. */
  get current(): Configuration | null {
    return this.#current;
  }

  /** Call this when a decision about the files has changed, such as trust. */
  invalidate(): void {
    this.#stamp = null;
  }

  /** Reads the present configuration. Simultaneous callers share one read. */
  refresh(): Promise<Configuration> {
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #read(): Promise<Configuration> {
    const { own, workspace } = this.#sources;
    const stamp = (await Promise.all([own.stamp(), workspace.stamp()])).join('\0');
    if (this.#current && stamp === this.#stamp && !this.#current.namesOthers) return this.#current;
    // Set before reading, so that changes during the read are seen by the next call.
    this.#stamp = stamp;
    this.#current = await configurationOf(this.#sources);
    return this.#current;
  }
}
