import * as z from 'zod/mini';
import { transferableBytes } from '../../base/byte-schema.ts';
import { CONNECTION_WINDOW, type ConnectionMessage } from '../../protocol/connection.ts';
import { Window } from '../../protocol/exchange.ts';
import { WorkspaceError, type ServerConnection } from '../workspace.ts';

const count = z.number().check(z.int(), z.nonnegative());
const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open'), port: count }),
  z.object({
    kind: z.literal('data'),
    bytes: transferableBytes,
  }),
  z.object({ kind: z.literal('used'), bytes: count }),
  z.object({ kind: z.literal('end') }),
  z.object({ kind: z.literal('gone') }),
  z.object({ kind: z.literal('reset'), code: z.string() }),
]);

/** How many bytes one message carries at most. */
const PIECE = CONNECTION_WINDOW / 8;

/** Resolves once the other end of the channel says that the connection is open, to `null` where it is refused. */
export function connectionOver(port: MessagePort): Promise<ServerConnection | null> {
  return new Promise((resolve) => {
    let end: StreamEnd | undefined;
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      const parsed = messageSchema.safeParse(data);
      const message = parsed.success ? parsed.data : ({ kind: 'reset', code: 'EPROTO' } as const);
      if (end) return end.hear(message);
      if (message.kind === 'open') return resolve((end = new StreamEnd(port)));
      port.close();
      resolve(null);
    };
  });
}

/** One end of a connection, as streams. */
class StreamEnd implements ServerConnection {
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: WritableStream<Uint8Array>;
  readonly #port: MessagePort;
  readonly #window = new Window(CONNECTION_WINDOW);
  readonly #arrived: Uint8Array<ArrayBuffer>[] = [];
  #wake = () => {};
  #readOver: { readonly error?: WorkspaceError } | undefined;
  #writer: WritableStreamDefaultController | undefined;
  #writeOver = false;

  constructor(port: MessagePort) {
    this.#port = port;
    this.readable = new ReadableStream(
      { pull: (controller) => this.#pull(controller), cancel: () => this.#leave() },
      { highWaterMark: 0 },
    );
    this.writable = new WritableStream({
      start: (controller) => void (this.#writer = controller),
      write: (bytes) => this.#write(bytes),
      close: () => this.#endWriting(),
      abort: () => this.#leave(),
    });
  }

  hear(message: ConnectionMessage): void {
    switch (message.kind) {
      case 'data':
        this.#arrived.push(message.bytes as Uint8Array<ArrayBuffer>);
        return this.#wake();
      case 'used':
        return this.#window.used(message.bytes);
      case 'end':
      case 'gone':
        this.#readOver ??= {};
        this.#wake();
        return this.#closeIfOver();
      case 'reset':
        return this.#break(message.code);
      case 'open':
    }
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> {
    for (;;) {
      const piece = this.#arrived.shift();
      if (piece) {
        controller.enqueue(piece);
        this.#say({ kind: 'used', bytes: piece.byteLength });
        return this.#closeIfOver();
      }
      if (this.#readOver?.error) throw this.#readOver.error;
      if (this.#readOver) return controller.close();
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.byteLength; at += PIECE) {
      if (this.#writeOver) return;
      // A copy, so that its buffer can be transferred.
      const piece = bytes.slice(at, at + PIECE);
      const { byteLength } = piece;
      this.#say({ kind: 'data', bytes: piece }, [piece.buffer]);
      await this.#window.sent(byteLength);
    }
  }

  #endWriting(): void {
    this.#writeOver = true;
    this.#say({ kind: 'end' });
    this.#closeIfOver();
  }

  /** Nobody wants to read or write here any more. */
  #leave(): void {
    this.#writeOver = true;
    this.#readOver ??= {};
    this.#arrived.length = 0;
    this.#window.used(CONNECTION_WINDOW);
    this.#closeIfOver();
  }

  #break(code: string): void {
    const error = new WorkspaceError('EGONE', '', `The server broke off the connection (${code}).`);
    this.#readOver = { error };
    this.#writeOver = true;
    this.#window.used(CONNECTION_WINDOW);
    this.#writer?.error(error);
    this.#wake();
    this.#port.close();
  }

  #closeIfOver(): void {
    // Leaving with something unread would count as breaking the connection off.
    if (!this.#readOver || !this.#writeOver || this.#arrived.length > 0) return;
    this.#say({ kind: 'gone' });
    this.#port.close();
  }

  #say(message: ConnectionMessage, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}
