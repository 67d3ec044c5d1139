/** A component that is fetched when it is reached for: the page starts without it. */
export class Fetched<Component> {
  readonly #load: () => Promise<{ readonly default: Component }>;
  readonly #fail: (error: unknown) => void;
  #component = $state.raw<Component | null>(null);

  /** `fail` is told where what was asked for cannot be fetched. */
  constructor(load: () => Promise<{ readonly default: Component }>, fail: (error: unknown) => void) {
    this.#load = load;
    this.#fail = fail;
  }

  /** `null` until it was opened. */
  get component(): Component | null {
    return this.#component;
  }

  /** It may be opened soon. */
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
