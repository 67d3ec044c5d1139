import type { FromServer, NetHeaders, ToServer } from './protocol.ts';

/** The browser's own class. Node programs have another one in its place, whose ports the kernel cannot use. */
const { MessageChannel } = globalThis;

export interface NetResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: NetHeaders;
  /** The address that answered, where redirects were followed already. */
  readonly url?: string;
  readonly body: AsyncIterable<Uint8Array>;
}

/** An exchange that failed, with the code that the system would give. */
export class NetFailed extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Makes one HTTP exchange for a process. `send` hands the kernel the port that it answers over; `turn` runs each message
 * as an event of the process. Rejects with {@link NetFailed}, or with the signal's reason.
 */
export function exchange(
  send: (channel: MessagePort) => void,
  signal?: AbortSignal,
  turn: (event: () => void) => void = (event) => event(),
): Promise<NetResponse> {
  const { port1, port2 } = new MessageChannel();
  const say = (message: ToServer) => port1.postMessage(message);
  const leave = () => {
    say({ kind: 'gone' });
    port1.close();
  };
  const body = new Body(leave, (bytes) => say({ kind: 'used', bytes }));
  return new Promise((resolve, reject) => {
    const aborted = () => {
      body.fail(signal?.reason);
      leave();
      reject(signal?.reason as Error);
    };
    const over = () => {
      signal?.removeEventListener('abort', aborted);
      port1.close();
    };
    if (signal?.aborted) return aborted();
    signal?.addEventListener('abort', aborted, { once: true });
    port1.onmessage = ({ data }: MessageEvent<FromServer>) =>
      turn(() => {
        switch (data.kind) {
          case 'response':
            return resolve({ ...data, body });
          case 'body':
            return body.add(data.bytes);
          case 'end':
            over();
            return body.end();
          case 'failed': {
            over();
            const error = new NetFailed(data.code, data.message);
            body.fail(error);
            return reject(error);
          }
        }
      });
    send(port2);
  });
}

/** The body of a response while it arrives. It can be read once. */
class Body implements AsyncIterable<Uint8Array> {
  readonly #pieces: Uint8Array[] = [];
  readonly #left: () => void;
  readonly #used: (bytes: number) => void;
  #wake = () => {};
  #over: { readonly error?: unknown } | undefined;

  constructor(left: () => void, used: (bytes: number) => void) {
    this.#left = left;
    this.#used = used;
  }

  add(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#wake();
  }

  end(): void {
    this.#over ??= {};
    this.#wake();
  }

  fail(error: unknown): void {
    this.#over ??= { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        for (let piece = this.#pieces.shift(); piece; piece = this.#pieces.shift()) {
          const { byteLength } = piece;
          yield piece;
          // The reader asked for more, so it has read this piece.
          if (!this.#over) this.#used(byteLength);
        }
        if (this.#over && 'error' in this.#over) throw this.#over.error;
        if (this.#over) return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      if (!this.#over) this.#left();
    }
  }
}
