const GATHER_MS = 4;
const GATHER_BYTES = 64_000;

/** Joins small pieces of output, so that a loop that prints does not send a message for each line. */
export class OutputGatherer {
  readonly #send: (bytes: Uint8Array) => void;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (bytes: Uint8Array) => void) {
    this.#send = send;
  }

  add(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#bytes += bytes.byteLength;
    if (this.#bytes >= GATHER_BYTES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#bytes === 0) return;
    const joined = new Uint8Array(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) {
      joined.set(piece, at);
      at += piece.byteLength;
    }
    this.#pieces = [];
    this.#bytes = 0;
    this.#send(joined);
  }
}
