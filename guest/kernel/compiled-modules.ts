/** How many modules are held. Each keeps its bytes and its machine code in memory. */
const MOST_MODULES = 4;
const MOST_IDLE_MS = 10 * 60_000;

/**
 * Holds WebAssembly modules that node processes have compiled. The engine shares machine code between all threads as long as one
 * of them has the module, so the next process that compiles the same bytes need not compile anything. The modules used last
 * are held, until none was used for ten minutes.
 */
export class CompiledModules {
  /** Keyed by a name that modules of the same bytes share. */
  readonly #modules = new Map<string, WebAssembly.Module>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  get size(): number {
    return this.#modules.size;
  }

  /** Makes this the module used last. */
  hold(name: string, module: WebAssembly.Module): void {
    this.#modules.delete(name);
    this.#modules.set(name, module);
    for (const oldest of this.#modules.keys()) {
      if (this.#modules.size <= MOST_MODULES) break;
      this.#modules.delete(oldest);
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#modules.clear(), MOST_IDLE_MS);
  }
}
