/** A component that is loaded when it is first needed, so that the page starts without it. */
export class Fetched<Component> {
  readonly #load: () => Promise<{ readonly default: Component }>;
  readonly #fail: (error: unknown) => void;
  #component = $state.raw<Component | null>(null);

  /** `fail` is called if the component cannot be loaded. */
  constructor(load: () => Promise<{ readonly default: Component }>, fail: (error: unknown) => void) {
    this.#load = load;
    this.#fail = fail;
  }

  /** `null` until it was opened. */
  get component(): Component | null {
    return this.#component;
  }

  /** Loads the code in advance, since the component may soon be opened. */
  warm(): void {
    void this.#load().catch(() => {});
  }

  async open(): Promise<void> {
    try {
      this.#component = (await this.#load()).default;
    } catch (error) {
      this.#fail(error);
    }
  }
}
