import { toBase64 } from '../../base/base64.ts';
import { joined } from '../../base/bytes.ts';
import { frameOf, OP } from '../../base/web-socket-frame.ts';
import { headerOf, type NetHeaders } from '../../protocol/exchange.ts';
import { WorkspaceError, type ServerConnection } from '../workspace.ts';
import { ByteSource } from './byte-source.ts';
import { headBytes, readHead } from './http.ts';

export type SocketData = string | Uint8Array<ArrayBuffer>;

export interface SocketEvents {
  /** The next message is read only once the promise resolves. */
  message(data: SocketData): Promise<void> | void;
  /** Called once. `clean` is false where the connection broke off. */
  closed(code: number, reason: string, clean: boolean): void;
}

export interface OpenSocket {
  /** The subprotocol that the server chose; empty for none. */
  readonly protocol: string;
  /** Begins to read what the server sends. */
  listen(): void;
  send(data: SocketData): Promise<void>;
  close(code?: number, reason?: string): Promise<void>;
}

const MOST_MESSAGE = 64 * 1024 * 1024;

/** Opens a WebSocket over a connection. Rejects with a {@link WorkspaceError} where the server does not agree to it. */
export async function openSocket(
  connection: ServerConnection,
  request: { readonly target: string; readonly headers: NetHeaders; readonly protocols: readonly string[] },
  events: SocketEvents,
): Promise<OpenSocket> {
  const writer = connection.writable.getWriter();
  const source = new ByteSource(connection.readable);
  const protocols = request.protocols.join(', ');
  await writer.write(
    headBytes(`GET ${request.target} HTTP/1.1`, [
      ...request.headers,
      ['connection', 'Upgrade'],
      ['upgrade', 'websocket'],
      ['sec-websocket-version', '13'],
      ['sec-websocket-key', toBase64(crypto.getRandomValues(new Uint8Array(16)))],
      ...(protocols ? [['sec-websocket-protocol', protocols] as const] : []),
    ]),
  );
  const head = await readHead(source);
  if (head.status !== 101) {
    await source.cancel();
    throw new WorkspaceError(
      'EGONE',
      '',
      `The server answered ${head.status} instead of opening a WebSocket.`,
    );
  }
  const protocol = headerOf(head.headers, 'sec-websocket-protocol') ?? '';
  return new ClientSocket(writer, source, protocol, events);
}

class ClientSocket implements OpenSocket {
  readonly protocol: string;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #source: ByteSource;
  readonly #events: SocketEvents;
  #saidClose = false;
  #isOver = false;

  constructor(
    writer: WritableStreamDefaultWriter<Uint8Array>,
    source: ByteSource,
    protocol: string,
    events: SocketEvents,
  ) {
    this.#writer = writer;
    this.#source = source;
    this.protocol = protocol;
    this.#events = events;
  }

  listen(): void {
    void this.#readAll();
  }

  send(data: SocketData): Promise<void> {
    const text = typeof data === 'string';
    return this.#frame(text ? OP.text : OP.binary, text ? new TextEncoder().encode(data) : data);
  }

  async close(code?: number, reason = ''): Promise<void> {
    if (this.#saidClose || this.#isOver) return;
    this.#saidClose = true;
    await this.#frame(OP.close, code === undefined ? new Uint8Array() : closing(code, reason));
  }

  async #readAll(): Promise<void> {
    try {
      const parts: Uint8Array[] = [];
      let kind: number = OP.text;
      let size = 0;
      for (;;) {
        const frame = await this.#read();
        if (!frame) return this.#over(1006, '', false);
        if (frame.kind === OP.ping) await this.#frame(OP.pong, frame.bytes);
        else if (frame.kind === OP.close) return await this.#closed(frame.bytes);
        else if (frame.kind < OP.close) {
          if (frame.kind !== OP.more) kind = frame.kind;
          parts.push(frame.bytes);
          size += frame.bytes.byteLength;
          if (size > MOST_MESSAGE) throw new Error('too large a message');
          if (!frame.isLast) continue;
          const bytes = joined(parts.splice(0));
          size = 0;
          await this.#events.message(kind === OP.text ? new TextDecoder().decode(bytes) : bytes);
        }
      }
    } catch {
      this.#over(1006, '', false);
      await this.#source.cancel().catch(() => undefined);
    }
  }

  async #read() {
    const head = await this.#source.exactly(2);
    if (!head) return undefined;
    const [first = 0, second = 0] = head;
    let length = second & 127;
    if (length >= 126) {
      const more = await this.#source.exactly(length === 126 ? 2 : 8);
      if (!more) return undefined;
      length = more.reduce((sum, byte) => sum * 256 + byte, 0);
    }
    if (length > MOST_MESSAGE) throw new Error('too large a frame');
    const bytes = await this.#source.exactly(length);
    return bytes && { kind: first & 15, isLast: (first & 128) !== 0, bytes: bytes.slice() };
  }

  async #closed(payload: Uint8Array): Promise<void> {
    const [high, low] = payload;
    const code = high === undefined || low === undefined ? 1005 : high * 256 + low;
    if (!this.#saidClose) await this.#frame(OP.close, payload.slice(0, 2));
    this.#saidClose = true;
    await this.#writer.close().catch(() => undefined);
    await this.#source.cancel().catch(() => undefined);
    this.#over(code, new TextDecoder().decode(payload.subarray(2)), true);
  }

  #frame(kind: number, payload: Uint8Array): Promise<void> {
    return this.#writer.write(frameOf(kind, payload));
  }

  #over(code: number, reason: string, clean: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.closed(code, reason, clean);
  }
}

function closing(code: number, reason: string): Uint8Array {
  return Uint8Array.from([code >> 8, code & 255, ...new TextEncoder().encode(reason)]);
}
