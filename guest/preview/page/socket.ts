import type { FromPage, FromSocketPage, ToSocketPage } from '../../../src/protocol/preview.ts';
import { ownServer } from './own-servers.ts';
import { SITE } from './report.ts';

type Say = (message: FromPage, port: MessagePort) => void;

/** Puts a `WebSocket` in place that reaches the workspace's servers through the app. Others are the browser's own. */
export function reachSockets(say: Say): void {
  const Native = window.WebSocket;
  const Replacement = function (address: string | URL, protocols?: string | string[]) {
    const url = new URL(String(address), document.baseURI);
    if (url.protocol === 'http:' || url.protocol === 'https:')
      url.protocol = url.protocol.replace('http', 'ws');
    // Modules of a page without an origin of its own learn that they come from the site.
    const isSite = url.host === location.host || url.host === new URL(SITE).host;
    const target = isSite ? `${url.pathname}${url.search}` : ownServer(url);
    if (target === undefined) return new Native(address, protocols);
    return new PreviewSocket(url.href, target, [protocols ?? []].flat(), say);
  };
  Replacement.prototype = PreviewSocket.prototype;
  Object.assign(Replacement, { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 });
  Object.defineProperty(window, 'WebSocket', { configurable: true, writable: true, value: Replacement });
}

type Handler = ((event: Event) => void) | null;

class PreviewSocket extends EventTarget {
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSING = 2;
  readonly CLOSED = 3;
  readonly url: string;
  readonly extensions = '';
  readyState = 0;
  protocol = '';
  bufferedAmount = 0;
  binaryType: BinaryType = 'blob';
  onopen: Handler = null;
  onmessage: Handler = null;
  onerror: Handler = null;
  onclose: Handler = null;
  readonly #port: MessagePort;

  constructor(url: string, target: string, protocols: readonly string[], say: Say) {
    super();
    this.url = url;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }: MessageEvent<ToSocketPage>) => this.#hear(data);
    say({ kind: 'socket', url: target, protocols }, port2);
  }

  send(data: string | ArrayBufferLike | ArrayBufferView | Blob): void {
    if (this.readyState === 0) throw new DOMException('Still in CONNECTING state.', 'InvalidStateError');
    if (this.readyState !== 1) return;
    if (data instanceof Blob)
      void data.arrayBuffer().then((bytes) => this.#say({ kind: 'send', data: new Uint8Array(bytes) }));
    else if (ArrayBuffer.isView(data))
      this.#say({
        kind: 'send',
        data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice(),
      });
    else if (typeof data === 'string') this.#say({ kind: 'send', data });
    else if (data instanceof ArrayBuffer) this.#say({ kind: 'send', data: new Uint8Array(data).slice() });
    else this.#say({ kind: 'send', data: String(data) });
  }

  close(code?: number, reason?: string): void {
    if (code !== undefined && code !== 1000 && !(code >= 3000 && code <= 4999))
      throw new DOMException(
        `The close code ${code} is not 1000 or from 3000 to 4999.`,
        'InvalidAccessError',
      );
    if (this.readyState > 1) return;
    this.readyState = 2;
    this.#say({
      kind: 'close',
      ...(code !== undefined && { code }),
      ...(reason !== undefined && { reason }),
    });
  }

  #say(message: FromSocketPage): void {
    this.#port.postMessage(message);
  }

  #hear(message: ToSocketPage): void {
    switch (message.kind) {
      case 'open':
        if (this.readyState !== 0) return;
        this.readyState = 1;
        this.protocol = message.protocol;
        return this.#emit(new Event('open'));
      case 'message':
        if (this.readyState !== 1) return;
        return this.#emit(
          new MessageEvent('message', { data: this.#given(message.data), origin: new URL(this.url).origin }),
        );
      case 'closed': {
        const { code, reason, clean } = message;
        this.readyState = 3;
        this.#port.close();
        if (!clean) this.#emit(new Event('error'));
        return this.#emit(new CloseEvent('close', { code, reason, wasClean: clean }));
      }
    }
  }

  #given(data: string | Uint8Array<ArrayBuffer>): unknown {
    if (typeof data === 'string') return data;
    return this.binaryType === 'blob' ? new Blob([data]) : data.slice().buffer;
  }

  #emit(event: Event): void {
    const handler = { open: this.onopen, message: this.onmessage, error: this.onerror, close: this.onclose }[
      event.type as 'open' | 'message' | 'error' | 'close'
    ];
    this.dispatchEvent(event);
    handler?.call(this, event);
  }
}
