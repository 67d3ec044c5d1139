const MOST_BYTES = 16 * 1024 * 1024;

/**
 * What node processes have made of ECMAScript modules, so that the next process need not parse the same text again. In
 * memory only: the modules used last, up to a number of bytes.
 */
export class ModuleCodes {
  readonly #mostBytes: number;
  readonly #codes = new Map<string, Uint8Array>();
  #bytes = 0;

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  find(key: string): Uint8Array | undefined {
    const code = this.#codes.get(key);
    if (code) this.keep(key, code);
    return code;
  }

  /** Makes this the module used last. A key has one code only, so that no process replaces what others run. */
  keep(key: string, code: Uint8Array): void {
    const kept = this.#codes.get(key) ?? code;
    this.#drop(key);
    this.#codes.set(key, kept);
    this.#bytes += kept.byteLength;
    for (const oldest of this.#codes.keys()) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#drop(oldest);
    }
  }

  clear(): void {
    this.#codes.clear();
    this.#bytes = 0;
  }

  #drop(key: string): void {
    this.#bytes -= this.#codes.get(key)?.byteLength ?? 0;
    this.#codes.delete(key);
  }
}
