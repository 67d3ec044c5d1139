import type { CryptoContext } from './context.ts';
import { DigestState } from './digest-state.ts';
import type { RunningHash } from './hashes.ts';

/** Makes the classes of hashes and HMACs. They take bytes from `update` or as a stream. */
export function makeDigestClasses(context: CryptoContext) {
  const { Buffer, Transform } = context;
  const { inspect } = context.load('util');

  class Digesting extends Transform {
    readonly #state: DigestState;
    constructor(running: RunningHash, options?: object | null) {
      super(options ?? undefined);
      this.#state = new DigestState(running);
    }
    update(data: unknown, encoding?: unknown): this {
      this.#state.needOpen();
      this.#state.update(context.bytesOf(data, 'data', encoding));
      return this;
    }
    digest(encoding?: unknown): unknown {
      return context.output(this.#state.read(), encoding);
    }
    /** Shows the object as node does, where the stream is created only when it is used. */
    [inspect.custom](depth: number, options: object): string {
      const { name } = this.constructor;
      if (depth < 0) return `[${name}]`;
      const Handle = { [name]: class {} }[name];
      const shown = {
        _options: undefined,
        [Symbol('kHandle')]: Handle && new Handle(),
        [Symbol('kState')]: { [Symbol('kFinalized')]: this.#state.isRead },
      };
      return `${name} ${inspect(shown, options)}`;
    }
    protected get isRead(): boolean {
      return this.#state.isRead;
    }
    protected cloned(): RunningHash {
      return this.#state.clone();
    }
    override _transform(chunk: unknown, encoding: string, done: (error?: Error) => void): void {
      this.update(chunk, encoding);
      done();
    }
    override _flush(done: (error?: Error) => void): void {
      this.push(Buffer.from(this.#state.end()));
      done();
    }
  }

  class Hash extends Digesting {
    copy(options?: object | null): Hash {
      return new Hash(this.cloned(), options);
    }
  }

  class Hmac extends Digesting {
    // The second digest of an HMAC is empty, as in node.
    override digest(encoding?: unknown): unknown {
      return this.isRead ? context.output(new Uint8Array(0), encoding) : super.digest(encoding);
    }
  }

  return { Hash, Hmac };
}
