const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Keeps what node processes have made of ECMAScript modules, by the names of these, so that the next process need not parse the
 * same source again; the source is in the code, and each process compares it. In memory only: the modules used last, up to a
 * number of bytes.
 */
export class ModuleCodes {
  readonly #mostBytes: number;
  readonly #codes = new Map<string, Uint8Array>();
  #bytes = 0;

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  find(name: string): Uint8Array | undefined {
    const code = this.#codes.get(name);
    if (code) this.keep(name, code);
    return code;
  }

  /** Makes this the module used last. */
  keep(name: string, code: Uint8Array): void {
    this.#drop(name);
    this.#codes.set(name, code);
    this.#bytes += code.byteLength;
    for (const oldest of this.#codes.keys()) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#drop(oldest);
    }
  }

  clear(): void {
    this.#codes.clear();
    this.#bytes = 0;
  }

  #drop(name: string): void {
    this.#bytes -= this.#codes.get(name)?.byteLength ?? 0;
    this.#codes.delete(name);
  }
}
