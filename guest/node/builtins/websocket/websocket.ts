import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import { STATES, WebSocketConnection } from './connection.ts';
import { closeBytes, type Data } from './data.ts';
import { CloseEvent, ErrorEvent } from './events.ts';
import { protocolsOf, urlOf } from './handshake.ts';

type Handler = ((event: Event) => void) | null;

/** WebSocket of the browser's shape over connections of the workspace: a browser lets none out of the frame. */
export function makeWebSocket(host: NodeHost, load: LoadBuiltin) {
  class WebSocket extends EventTarget {
    readonly #url: URL;
    readonly #connection: WebSocketConnection;
    #binaryType: BinaryType = 'blob';
    readonly #handlers = new Map<string, (event: Event) => void>();

    constructor(url: string | URL, protocols: unknown = []) {
      if (arguments.length === 0)
        throw new TypeError('WebSocket constructor: 1 argument required, but 0 found.');
      super();
      this.#url = urlOf(url);
      const { protocols: list = protocols } = (
        typeof protocols === 'object' && !Array.isArray(protocols) ? protocols : {}
      ) as { protocols?: unknown };
      this.#connection = new WebSocketConnection(host, load, {
        open: () => this.dispatchEvent(new Event('open')),
        message: (data) => this.#message(data),
        error: (message) => this.dispatchEvent(new ErrorEvent('error', new Error(message))),
        closed: (end) => this.dispatchEvent(new CloseEvent('close', end)),
      });
      this.#connection.connect(this.#url, protocolsOf(list));
    }

    get url(): string {
      return this.#url.href;
    }
    get readyState(): number {
      return this.#connection.state;
    }
    get protocol(): string {
      return this.#connection.protocol;
    }
    get extensions(): string {
      return '';
    }
    get bufferedAmount(): number {
      return this.#connection.buffered;
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

    #message(data: string | Uint8Array<ArrayBuffer>): void {
      const shown =
        typeof data === 'string' ? data : this.#binaryType === 'blob' ? new Blob([data]) : data.buffer;
      this.dispatchEvent(new MessageEvent('message', { data: shown, origin: this.#url.origin }));
    }

    send(data: Data): void {
      if (this.readyState === STATES.CONNECTING)
        throw new DOMException('Sent before connected.', 'InvalidStateError');
      this.#connection.send(data);
    }

    close(code?: number, reason = ''): void {
      this.#connection.close(closeBytes(code, reason));
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
