import type { FromServer, NetHeaders, ToServer } from './protocol.ts';

/** The browser's: node gives its programs another, which the kernel does not understand. */
const { MessageChannel } = globalThis;

export interface NetResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: NetHeaders;
  /** Who answered in the end, where redirects were followed already. */
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
 * One exchange as a process sees it. `send` tells the kernel, which answers over the port; `turn` runs what comes as an
 * event of the process. Rejects with {@link NetFailed}, or with the signal's reason.
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

/** Bytes that come, to be read once. */
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
          // Asked for more: that was read.
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
