import { messageOf } from '../../../../src/base/message-of.ts';
import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import type { ClientRequest } from '../http/client.ts';
import type { IncomingMessage } from '../http/incoming.ts';
import { isOwnHost } from '../net/addresses.ts';
import type { Socket } from '../net/socket.ts';
import { bytesOf, textOf, type Data } from './data.ts';
import { frameOf, OP } from '../../../../src/base/web-socket-frame.ts';
import { FrameReader } from './frames.ts';
import { answerFault, headersOf, makeOffer, type Offer } from './handshake.ts';

/** The states of a WebSocket, by the names of its constants. */
export const STATES = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 } as const;
const { CONNECTING, OPEN, CLOSING, CLOSED } = STATES;
const NO_CODE = 1005;
const BROKEN = 1006;
const NETWORK_FAULT = 'Received network error or non-101 status code.';

/** Called as a connection goes on. */
export interface ConnectionEvents {
  open(): void;
  message(data: string | Uint8Array<ArrayBuffer>): void;
  error(message: string): void;
  closed(end: { readonly code: number; readonly reason: string; readonly wasClean: boolean }): void;
}

/** The connection of a WebSocket: the handshake, then frames in both directions, then the closing handshake. */
export class WebSocketConnection {
  readonly #host: NodeHost;
  readonly #load: LoadBuiltin;
  readonly #events: ConnectionEvents;
  #state: number = CONNECTING;
  #protocol = '';
  #buffered = 0;
  #socket: Socket | undefined;
  #request: ClientRequest | undefined;
  #hasSentClose = false;
  #closing: { readonly code: number; readonly reason: string } | undefined;
  /** Resolves when earlier Blobs have been sent, so that later messages stay in order. */
  #before: Promise<void> | undefined;

  constructor(host: NodeHost, load: LoadBuiltin, events: ConnectionEvents) {
    this.#host = host;
    this.#load = load;
    this.#events = events;
  }

  get state(): number {
    return this.#state;
  }
  get protocol(): string {
    return this.#protocol;
  }
  /** How many bytes are not sent yet. */
  get buffered(): number {
    return this.#buffered;
  }

  connect(url: URL, protocols: readonly string[]): void {
    const { protocol, hostname, host, port, pathname, search } = url;
    // This happens a turn later, so that the program has time to listen.
    if (protocol !== 'ws:' || !isOwnHost(hostname))
      return this.#host.process.nextTick(() =>
        this.#fail(
          `connect EACCES ${host}: a browser lets WebSockets reach servers of the workspace only, over ws:`,
        ),
      );
    const offer = makeOffer(protocols);
    const { Socket } = this.#load('net');
    const { request: makeRequest } = this.#load('http') as { request(options: object): ClientRequest };
    const request = makeRequest({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port || 80,
      path: pathname + search,
      agent: null,
      createConnection: ({ path: _path, ...options }: object & { path?: string }) =>
        new Socket(options).connect(options),
      headers: headersOf(host, offer),
    });
    this.#request = request;
    request.on('error', () => this.#fail(NETWORK_FAULT));
    request.on('response', () => {
      this.#fail(NETWORK_FAULT);
      request.destroy();
    });
    request.on('upgrade', (answer: IncomingMessage, socket: Socket, head: Uint8Array) =>
      this.#upgraded(answer, socket, head, offer),
    );
    request.end();
  }

  #upgraded(answer: IncomingMessage, socket: Socket, head: Uint8Array, offer: Offer): void {
    this.#socket = socket;
    const fault = answerFault(this.#load, answer, offer);
    if (this.#state !== CONNECTING) return void socket.destroy();
    if (fault !== undefined) return this.#fail(fault);
    this.#protocol = String(answer.headers['sec-websocket-protocol'] ?? '');
    const reader = new FrameReader({
      message: (bytes, isText) => {
        if (this.#state === OPEN) this.#events.message(isText ? textOf(bytes) : bytes.slice());
      },
      control: (op, bytes) => this.#control(op, bytes),
    });
    const take = (bytes: Uint8Array) => {
      try {
        reader.take(bytes);
      } catch (error) {
        this.#fail(messageOf(error));
      }
    };
    socket.on('data', take);
    socket.on('error', () => (this.#state = CLOSING));
    socket.on('close', () => this.#closed());
    this.#state = OPEN;
    this.#events.open();
    if (head.byteLength > 0) take(head);
  }

  #control(op: number, bytes: Uint8Array): void {
    if (op === OP.ping && !this.#hasSentClose) this.#put(frameOf(OP.pong, bytes));
    if (op !== OP.close || this.#closing) return;
    const code = bytes.byteLength < 2 ? NO_CODE : new DataView(bytes.buffer, bytes.byteOffset).getUint16(0);
    this.#closing = { code, reason: textOf(bytes.subarray(2)) };
    this.#state = CLOSING;
    this.#sendClose(bytes.subarray(0, 2));
  }

  #sendClose(bytes: Uint8Array): void {
    if (this.#hasSentClose) return;
    this.#hasSentClose = true;
    this.#put(frameOf(OP.close, bytes));
  }

  #put(frame: Uint8Array, done?: () => void): void {
    if (this.#socket?.writable) this.#socket.write(frame, done);
  }

  #fail(message: string): void {
    if (this.#state === CLOSED) return;
    const wasOpen = this.#socket !== undefined && this.#state !== CONNECTING;
    this.#state = CLOSING;
    this.#socket?.destroy();
    this.#events.error(message);
    if (wasOpen) return;
    this.#request?.destroy();
    this.#host.process.nextTick(() => this.#closed());
  }

  #closed(): void {
    if (this.#state === CLOSED) return;
    this.#state = CLOSED;
    const { code, reason } = this.#closing ?? { code: BROKEN, reason: '' };
    const wasClean = this.#hasSentClose && this.#closing !== undefined;
    this.#events.closed({ code, reason, wasClean });
  }

  send(data: Data): void {
    const [op, bytes] = bytesOf(data);
    const size = bytes instanceof Blob ? bytes.size : bytes.byteLength;
    this.#buffered += size;
    if (this.#state !== OPEN) return;
    const put = (ready: Uint8Array) =>
      this.#put(frameOf(op, ready), () => {
        this.#buffered -= size;
      });
    if (!(bytes instanceof Blob) && !this.#before) return put(bytes);
    const earlier = this.#before ?? Promise.resolve();
    const own = earlier.then(async () => {
      put(bytes instanceof Blob ? new Uint8Array(await bytes.arrayBuffer()) : bytes);
      if (this.#before === own) this.#before = undefined;
    });
    this.#before = own;
  }

  /** Begins the closing handshake, with the content of the close frame. */
  close(bytes: Uint8Array): void {
    if (this.#state === CONNECTING) return this.#fail('Connection was closed before it was established.');
    if (this.#state !== OPEN) return;
    this.#state = CLOSING;
    if (this.#before) void this.#before.then(() => this.#sendClose(bytes));
    else this.#sendClose(bytes);
  }
}
