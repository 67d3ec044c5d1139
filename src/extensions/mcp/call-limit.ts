/** Aborts a call that takes too long. The time that the person needs to answer the server's questions does not count. */
export class CallLimit {
  readonly #ms: number;
  readonly #over = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauses = 0;

  constructor(ms: number) {
    this.#ms = ms;
    this.restart();
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Starts the full time again. */
  restart(): void {
    this.stop();
    if (this.#pauses > 0) return;
    const why = new Error(`The server did not answer within ${this.#ms / 1000} seconds.`);
    this.#timer = setTimeout(() => this.#over.abort(why), this.#ms);
  }

  async pause<T>(work: () => Promise<T>): Promise<T> {
    this.#pauses++;
    this.stop();
    try {
      return await work();
    } finally {
      this.#pauses--;
      this.restart();
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
