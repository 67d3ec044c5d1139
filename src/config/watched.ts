import { configurationOf, type ConfigPlaces, type Configuration } from './setup.ts';

/** The configuration of one workspace, read anew when something of it changed: asked before every step. */
export class WatchedConfiguration {
  readonly #places: ConfigPlaces;
  #stamp: string | null = null;
  #current: Configuration | null = null;
  #reading: Promise<Configuration> | null = null;

  constructor(places: ConfigPlaces) {
    this.#places = places;
  }

  /** As it was read last; `null` before the first time. */
  get current(): Configuration | null {
    return this.#current;
  }

  /** What was decided about the files has changed. */
  invalidate(): void {
    this.#stamp = null;
  }

  /** As it is now. Those who ask at the same time get the same answer. */
  refresh(): Promise<Configuration> {
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #read(): Promise<Configuration> {
    const { own, workspace } = this.#places;
    const stamp = (await Promise.all([own.stamp(), workspace.stamp()])).join('\0');
    if (this.#current && stamp === this.#stamp && !this.#current.namesOthers) return this.#current;
    // Before it is read: what changes meanwhile is seen by the next look.
    this.#stamp = stamp;
    this.#current = await configurationOf(this.#places);
    return this.#current;
  }
}
