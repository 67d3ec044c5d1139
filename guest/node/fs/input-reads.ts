import type { EventLoop } from '../loop/loop.ts';
import type { FsCore } from './core.ts';
import { partToRead } from './parts.ts';

/** Calls `take` with the next piece of standard input, or with null at its end. `take` returns false if it is not wanted. */
export type PassInput = (take: (bytes: Uint8Array | null) => boolean) => void;

type Call = (...args: unknown[]) => void;
type Callback = (error: null, count: number, buffer: unknown) => void;

type OwnInput = Pick<FsCore, 'isInput' | 'hasInputLeft' | 'takeInput'>;

interface Waiting {
  readonly view: Uint8Array;
  done(count: number): void;
}

/**
 * `fs.read` of standard input. The process goes on while it waits, because programs such as the service of esbuild
 * wait for their next order by it for as long as they live.
 */
export class InputReads {
  readonly #input: OwnInput;
  readonly #loop: EventLoop;
  readonly #pass: PassInput;
  readonly #waiting: Waiting[] = [];

  constructor(input: OwnInput, loop: EventLoop, pass: PassInput) {
    this.#input = input;
    this.#loop = loop;
    this.#pass = pass;
  }

  /** Puts itself before `fs.read` as it is for files, which also checks what is no read of some bytes of standard input. */
  before(usual: Call): Call {
    return (...args) => {
      const [fd, buffer, ...rest] = args;
      const callback = rest.pop();
      if (!this.#input.isInput(fd) || !ArrayBuffer.isView(buffer) || !isCallback(callback))
        return usual(...args);
      const { view } = partToRead(buffer, rest);
      if (view.byteLength === 0) return usual(...args);
      const handle = this.#loop.handle();
      this.#waiting.push({
        view,
        done: (count) => {
          handle.release();
          callback(null, count, buffer);
        },
      });
      if (this.#waiting.length === 1) this.#serve();
    };
  }

  #serve(): void {
    const end = (piece?: Uint8Array) => {
      const first = this.#waiting.shift();
      const count = first ? this.#input.takeInput(first.view, piece) : 0;
      if (this.#waiting.length > 0) this.#serve();
      first?.done(count);
    };
    if (this.#input.hasInputLeft()) return this.#loop.addOnce(() => end());
    this.#pass((bytes) => {
      this.#loop.addOnce(() => end(bytes ?? undefined));
      return true;
    });
  }
}

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function';
}
