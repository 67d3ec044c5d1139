import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import type { ClientRequest } from '../http/client.ts';
import type { IncomingMessage } from '../http/incoming.ts';
import { isOwnHost } from '../net/addresses.ts';
import type { Socket } from '../net/socket.ts';
import { FrameReader, frameOf, OP } from './frames.ts';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const [CONNECTING, OPEN, CLOSING, CLOSED] = [0, 1, 2, 3];
const STATES = { CONNECTING, OPEN, CLOSING, CLOSED };
const MAX_REASON = 123;
const NO_CODE = 1005;
const BROKEN = 1006;

class CloseEvent extends Event {
  readonly code: number;
  readonly reason: string;
  readonly wasClean: boolean;

  constructor(type: string, { code = 0, reason = '', wasClean = false } = {}) {
    super(type);
    this.code = code;
    this.reason = reason;
    this.wasClean = wasClean;
  }
}

class ErrorEvent extends Event {
  readonly message: string;
  readonly error: Error;

  constructor(type: string, error: Error) {
    super(type);
    this.message = error.message;
    this.error = error;
  }
}

/** Data to send: text, or bytes, which may be available only later. */
type Data = string | ArrayBufferLike | ArrayBufferView | Blob;
type Handler = ((event: Event) => void) | null;

interface Crypto {
  createHash(name: 'sha1'): { update(text: string): { digest(encoding: 'base64'): string } };
}

/** WebSocket of the browser's shape over connections of the workspace: a browser lets none out of the frame. */
export function makeWebSocket(host: NodeHost, load: LoadBuiltin) {
  const { Socket } = load('net');

  class WebSocket extends EventTarget {
    readonly #url: URL;
    #state = CONNECTING;
    #protocol = '';
    #extensions = '';
    #binaryType: BinaryType = 'blob';
    #buffered = 0;
    #socket: Socket | undefined;
    #request: ClientRequest | undefined;
    #hasSentClose = false;
    #closing: { readonly code: number; readonly reason: string } | undefined;
    /** Resolves when earlier Blobs have been sent, so that later messages stay in order. */
    #before: Promise<void> | undefined;
    readonly #handlers = new Map<string, (event: Event) => void>();

    constructor(url: string | URL, protocols: unknown = []) {
      if (arguments.length === 0)
        throw new TypeError('WebSocket constructor: 1 argument required, but 0 found.');
      super();
      this.#url = urlOf(url);
      const { protocols: list = protocols } = (
        typeof protocols === 'object' && !Array.isArray(protocols) ? protocols : {}
      ) as { protocols?: unknown };
      this.#connect(protocolsOf(list));
    }

    get url(): string {
      return this.#url.href;
    }
    get readyState(): number {
      return this.#state;
    }
    get protocol(): string {
      return this.#protocol;
    }
    get extensions(): string {
      return this.#extensions;
    }
    get bufferedAmount(): number {
      return this.#buffered;
    }
    get binaryType(): BinaryType {
      return this.#binaryType;
    }
    set binaryType(type: BinaryType) {
      this.#binaryType = type === 'arraybuffer' ? type : 'blob';
    }

    get onopen(): Handler {
      return this.#handlers.get('open') ?? null;
    }
    set onopen(handler: Handler) {
      this.#handle('open', handler);
    }
    get onerror(): Handler {
      return this.#handlers.get('error') ?? null;
    }
    set onerror(handler: Handler) {
      this.#handle('error', handler);
    }
    get onclose(): Handler {
      return this.#handlers.get('close') ?? null;
    }
    set onclose(handler: Handler) {
      this.#handle('close', handler);
    }
    get onmessage(): Handler {
      return this.#handlers.get('message') ?? null;
    }
    set onmessage(handler: Handler) {
      this.#handle('message', handler);
    }

    #handle(type: string, handler: Handler): void {
      const before = this.#handlers.get(type);
      if (before) this.removeEventListener(type, before);
      this.#handlers.delete(type);
      if (typeof handler !== 'function') return;
      this.#handlers.set(type, handler);
      this.addEventListener(type, handler);
    }

    #connect(protocols: readonly string[]): void {
      const { protocol, hostname, host: place, port, pathname, search } = this.#url;
      // A turn later, so that there is time to listen.
      if (protocol !== 'ws:' || !isOwnHost(hostname))
        return host.process.nextTick(() =>
          this.#fail(
            `connect EACCES ${place}: a browser lets WebSockets reach servers of the workspace only, over ws:`,
          ),
        );
      const key = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
      const { request } = load('http') as { request(options: object): ClientRequest };
      const asked = request({
        host: hostname.replace(/^\[|\]$/g, ''),
        port: port || 80,
        path: pathname + search,
        agent: null,
        createConnection: ({ path: _path, ...options }: object & { path?: string }) =>
          new Socket(options).connect(options),
        headers: headersOf(place, key, protocols),
      });
      this.#request = asked;
      asked.on('error', () => this.#fail('Received network error or non-101 status code.'));
      asked.on('response', () => {
        this.#fail('Received network error or non-101 status code.');
        asked.destroy();
      });
      asked.on('upgrade', (answer: IncomingMessage, socket: Socket, head: Uint8Array) =>
        this.#opened(answer, socket, head, { key, protocols }),
      );
      asked.end();
    }

    #opened(
      { headers }: IncomingMessage,
      socket: Socket,
      head: Uint8Array,
      { key, protocols }: { readonly key: string; readonly protocols: readonly string[] },
    ): void {
      this.#socket = socket;
      const { createHash } = load('crypto') as Crypto;
      const protocol = headers['sec-websocket-protocol'];
      const wrong =
        headers['sec-websocket-accept'] !==
        createHash('sha1')
          .update(key + GUID)
          .digest('base64')
          ? 'Incorrect hash received in Sec-WebSocket-Accept header.'
          : headers['sec-websocket-extensions'] !== undefined
            ? 'Sec-WebSocket-Extensions header does not match.'
            : protocol !== undefined && !protocols.includes(String(protocol))
              ? 'Protocol was not set in the opening handshake.'
              : undefined;
      if (this.#state !== CONNECTING) return void socket.destroy();
      if (wrong !== undefined) return this.#fail(wrong);
      this.#protocol = String(protocol ?? '');
      const reader = new FrameReader({
        message: (bytes, isText) => this.#message(bytes, isText),
        control: (op, bytes) => this.#control(op, bytes),
      });
      const take = (bytes: Uint8Array) => {
        try {
          reader.take(bytes);
        } catch (error) {
          this.#fail(error instanceof Error ? error.message : String(error));
        }
      };
      socket.on('data', take);
      socket.on('error', () => (this.#state = CLOSING));
      socket.on('close', () => this.#closed());
      this.#state = OPEN;
      this.dispatchEvent(new Event('open'));
      if (head.byteLength > 0) take(head);
    }

    #message(bytes: Uint8Array, isText: boolean): void {
      if (this.#state !== OPEN) return;
      const data = isText ? textOf(bytes) : bytes.slice();
      const shown =
        typeof data === 'string' ? data : this.#binaryType === 'blob' ? new Blob([data]) : data.buffer;
      this.dispatchEvent(new MessageEvent('message', { data: shown, origin: this.#url.origin }));
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
      this.dispatchEvent(new ErrorEvent('error', new Error(message)));
      if (wasOpen) return;
      this.#request?.destroy();
      host.process.nextTick(() => this.#closed());
    }

    #closed(): void {
      if (this.#state === CLOSED) return;
      this.#state = CLOSED;
      const { code, reason } = this.#closing ?? { code: BROKEN, reason: '' };
      const wasClean = this.#hasSentClose && this.#closing !== undefined;
      this.dispatchEvent(new CloseEvent('close', { code, reason, wasClean }));
    }

    send(data: Data): void {
      if (this.#state === CONNECTING) throw new DOMException('Sent before connected.', 'InvalidStateError');
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

    close(code?: number, reason = ''): void {
      const given = code === undefined ? undefined : Math.trunc(Number(code)) & 0xffff;
      if (given !== undefined && given !== 1000 && (given < 3000 || given > 4999))
        throw new DOMException('invalid code', 'InvalidAccessError');
      const words = new TextEncoder().encode(String(reason));
      if (words.byteLength > MAX_REASON)
        throw new DOMException(
          `Reason must be less than ${MAX_REASON} bytes; received ${words.byteLength}`,
          'SyntaxError',
        );
      if (this.#state === CONNECTING) return this.#fail('Connection was closed before it was established.');
      if (this.#state !== OPEN) return;
      this.#state = CLOSING;
      const told = given === undefined ? [] : [given >> 8, given & 0xff, ...words];
      const say = () => this.#sendClose(Uint8Array.from(told));
      if (this.#before) void this.#before.then(say);
      else say();
    }

    get [Symbol.toStringTag](): string {
      return 'WebSocket';
    }
  }
  for (const holder of [WebSocket, WebSocket.prototype])
    for (const [name, value] of Object.entries(STATES))
      Object.defineProperty(holder, name, { value, enumerable: true });
  return WebSocket;
}

function headersOf(place: string, key: string, protocols: readonly string[]): string[] {
  return [
    ...['host', place, 'connection', 'upgrade', 'upgrade', 'websocket'],
    ...['sec-websocket-key', key, 'sec-websocket-version', '13'],
    ...(protocols.length > 0 ? ['sec-websocket-protocol', protocols.join(', ')] : []),
    ...['accept', '*/*', 'accept-language', '*', 'sec-fetch-mode', 'websocket', 'user-agent', 'node'],
    ...['pragma', 'no-cache', 'cache-control', 'no-cache', 'accept-encoding', 'gzip, deflate'],
  ];
}

function urlOf(given: string | URL): URL {
  const wrong = (message: string) => new DOMException(message, 'SyntaxError');
  let url: URL;
  try {
    url = new URL(given);
  } catch (error) {
    throw wrong(String(error));
  }
  if (/^https?:$/.test(url.protocol)) url = new URL(url.href.replace(/^http/, 'ws'));
  if (!/^wss?:$/.test(url.protocol)) throw wrong(`Expected a ws: or wss: protocol, got ${url.protocol}`);
  if (url.hash || url.href.endsWith('#')) throw wrong('Got fragment');
  return url;
}

function protocolsOf(given: unknown): string[] {
  const list = (Array.isArray(given) ? given : [given]).map(String);
  const isToken = (text: string) => /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/.test(text);
  if (!list.every(isToken) || new Set(list.map((each) => each.toLowerCase())).size < list.length)
    throw new DOMException('Invalid Sec-WebSocket-Protocol value', 'SyntaxError');
  return list;
}

function bytesOf(data: Data): [op: number, bytes: Uint8Array | Blob] {
  if (data instanceof Blob) return [OP.binary, data];
  if (ArrayBuffer.isView(data))
    return [OP.binary, new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()];
  if (data instanceof ArrayBuffer || data instanceof SharedArrayBuffer)
    return [OP.binary, new Uint8Array(data).slice()];
  return [OP.text, new TextEncoder().encode(String(data))];
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error('Received invalid UTF-8 in text frame.');
  }
}
