/** The variables `_` and `_error`, until the program assigns to them. */
export class LastValues {
  readonly #say: (text: string) => void;
  readonly #values: Record<string, unknown> = {};
  readonly #taken = new Set<string>();

  constructor(say: (text: string) => void) {
    this.#say = say;
    this.#define('_', 'Expression assignment to _ now disabled.');
    this.#define('_error', 'Expression assignment to _error now disabled.');
  }

  keep(name: '_' | '_error', value: unknown): void {
    if (!this.#taken.has(name)) this.#values[name] = value;
  }

  #define(name: string, told: string): void {
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: () => this.#values[name],
      set: (value: unknown) => {
        this.#values[name] = value;
        if (this.#taken.has(name)) return;
        this.#taken.add(name);
        this.#say(told);
      },
    });
  }
}
