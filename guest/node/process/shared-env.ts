const VERSION = 0;
const LENGTH = 1;
const LOCK = 2;
const HEADER_BYTES = 12;
const CAPACITY = 1 << 18;

/** Environment variables shared by several threads. Each sees the others' writes at once. */
export class SharedEnv {
  readonly shared: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  #seen = -1;

  constructor(shared = new SharedArrayBuffer(HEADER_BYTES + CAPACITY)) {
    this.shared = shared;
    this.#words = new Int32Array(shared, 0, HEADER_BYTES / 4);
    this.#bytes = new Uint8Array(shared, HEADER_BYTES);
  }

  /** Updates `variables` if another thread has written. */
  read(variables: NodeJS.ProcessEnv): void {
    if (Atomics.load(this.#words, VERSION) === this.#seen) return;
    this.#locked(() => this.#load(variables));
  }

  /** Runs `change` on the newest variables and shares the result. Throws a RangeError if it is too large. */
  write(variables: NodeJS.ProcessEnv, change: () => void): void {
    this.#locked(() => {
      this.#load(variables);
      change();
      const bytes = new TextEncoder().encode(JSON.stringify(variables));
      if (bytes.byteLength > CAPACITY)
        throw new RangeError(`The environment that threads share holds at most ${CAPACITY} bytes`);
      this.#bytes.set(bytes);
      Atomics.store(this.#words, LENGTH, bytes.byteLength);
      this.#seen = Atomics.add(this.#words, VERSION, 1) + 1;
    });
  }

  #load(variables: NodeJS.ProcessEnv): void {
    const version = Atomics.load(this.#words, VERSION);
    if (version === this.#seen || version === 0) return;
    this.#seen = version;
    const bytes = this.#bytes.slice(0, Atomics.load(this.#words, LENGTH));
    const now = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, string>;
    for (const name of Object.keys(variables))
      if (!Object.hasOwn(now, name)) Reflect.deleteProperty(variables, name);
    Object.assign(variables, now);
  }

  #locked(run: () => void): void {
    while (Atomics.compareExchange(this.#words, LOCK, 0, 1) !== 0) Atomics.wait(this.#words, LOCK, 1);
    try {
      run();
    } finally {
      Atomics.store(this.#words, LOCK, 0);
      Atomics.notify(this.#words, LOCK, 1);
    }
  }
}
