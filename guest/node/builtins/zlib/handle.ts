import type { Codec } from './codec.ts';
import { constants } from './constants.ts';

/**
 * The `_handle` of a stream of zlib. Packages that unpack at once, such as pngjs, call it as they would call node's own:
 * each call fills the room that it is given, and says in `state` how much of it is left, and how much of the input.
 */
export class ZlibHandle {
  readonly #codec: Codec;
  readonly #state: Uint32Array;
  #ready: Uint8Array[] = [];
  #isFinished = false;

  constructor(codec: Codec, state: Uint32Array) {
    this.#codec = codec;
    this.#state = state;
  }

  /** Throws where zlib says that something is wrong. */
  writeSync(
    flush: number,
    input: Uint8Array | undefined,
    inputAt: number,
    inputLength: number,
    output: Uint8Array,
    outputAt: number,
    outputLength: number,
  ): void {
    this.#take(flush, input?.subarray(inputAt, inputAt + inputLength));
    let at = 0;
    while (at < outputLength) {
      const [piece] = this.#ready;
      if (!piece) break;
      const part = piece.subarray(0, outputLength - at);
      output.set(part, outputAt + at);
      at += part.length;
      if (part.length === piece.length) this.#ready.shift();
      else this.#ready[0] = piece.subarray(part.length);
    }
    this.#state[0] = outputLength - at;
    this.#state[1] = 0;
  }

  #take(flush: number, input: Uint8Array | undefined): void {
    const isLast = flush === constants.Z_FINISH;
    if (input && input.length > 0)
      this.#ready.push(...this.#codec.push(input, isLast ? constants.Z_NO_FLUSH : flush));
    if (!isLast) this.#ready.push(...(this.#codec.drain?.() ?? []));
    else if (!this.#isFinished) {
      this.#isFinished = true;
      this.#ready.push(...this.#codec.finish());
    }
  }

  close(): void {
    this.#ready = [];
  }
}
