import { inheritable } from '../callable.ts';
import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import { outOfRange } from '../internal/errors.ts';
import type { HttpSocket } from './connection.ts';
import type { Messages } from './messages.ts';
import type { makeServerResponse } from './response.ts';
import { ServerConnection, type ConnectionContext, type ServerOptions } from './server-connection.ts';

type Listener = (...args: unknown[]) => void;

const isListener = (value: unknown): value is Listener => typeof value === 'function';

export function makeServer(
  host: NodeHost,
  load: LoadBuiltin,
  messages: Messages,
  PlainResponse: ReturnType<typeof makeServerResponse>,
) {
  const { Server: NetServer } = load('net');
  const { Buffer } = load('buffer');
  const context: ConnectionContext = {
    host,
    IncomingMessage: messages.IncomingMessage,
    ServerResponse: PlainResponse,
    concat: (list) => Buffer.concat(list),
  };

  /** Responds to the requests of the connections that are made to it. */
  class Server extends NetServer {
    httpAllowHalfOpen = false;
    timeout = 0;
    keepAliveTimeout: number;
    headersTimeout: number;
    requestTimeout: number;
    maxHeadersCount: number | null = null;
    maxRequestsPerSocket = 0;
    readonly #connections = new Set<ServerConnection>();
    readonly #given: ServerOptions;

    constructor(options?: unknown, listener?: unknown) {
      super({ allowHalfOpen: true });
      const onRequest = typeof options === 'function' ? options : listener;
      this.#given = typeof options === 'object' && options !== null ? options : {};
      this.keepAliveTimeout = this.#given.keepAliveTimeout ?? 5000;
      this.requestTimeout = this.#given.requestTimeout ?? 300_000;
      this.headersTimeout = this.#given.headersTimeout ?? Math.min(60_000, this.requestTimeout || 60_000);
      if (this.requestTimeout > 0 && this.headersTimeout > this.requestTimeout)
        throw outOfRange('headersTimeout', '<= requestTimeout', this.headersTimeout);
      if (isListener(onRequest)) this.on('request', onRequest);
      this.on('connection', (socket) => this._serve(socket as HttpSocket));
    }

    get options(): ServerOptions {
      return this.#given;
    }

    _serve(socket: HttpSocket): void {
      const connection = new ServerConnection(this, socket, context);
      this.#connections.add(connection);
      socket.on('close', () => this.#connections.delete(connection));
    }

    override close(done?: (error?: Error) => void): this {
      super.close(done);
      this.closeIdleConnections();
      return this;
    }

    closeAllConnections(): void {
      for (const { socket } of this.#connections) socket.destroy();
    }

    closeIdleConnections(): void {
      for (const each of this.#connections) if (each.isIdle) each.socket.destroy();
    }

    setTimeout(ms: number, callback?: Listener): this {
      this.timeout = ms;
      if (callback) this.on('timeout', callback);
      return this;
    }

    [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')](): Promise<void> {
      return new Promise((resolve) => this.close(() => resolve()));
    }
  }

  return inheritable(Server);
}
