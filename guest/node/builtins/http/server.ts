import type { EventEmitter } from '../internal/emitter.ts';
import type { HostHandle, LoadBuiltin, NodeHost, ServedRequest } from '../builtin.ts';
import { systemError } from '../internal/errno.ts';
import { nodeError } from '../internal/errors.ts';
import type { Messages } from './messages.ts';

type Listener = (...args: unknown[]) => void;

export function makeServer(host: NodeHost, load: LoadBuiltin, messages: Messages) {
  const net: unknown = load('net');
  const { Server: NetServer } = net as { Server: new () => EventEmitter };
  const { IncomingMessage, ServerResponse, HttpSocket } = messages;

  /** Answers what comes to a port of the workspace. */
  return class Server extends NetServer {
    timeout = 0;
    keepAliveTimeout = 5000;
    headersTimeout = 60000;
    requestTimeout = 300000;
    maxHeadersCount: number | null = null;
    maxRequestsPerSocket = 0;
    #bound: { port: number; close(): void } | undefined;
    #address: { address: string; family: string; port: number } | null = null;
    #handle: HostHandle | undefined;
    #active = 0;
    #closed: (() => void) | undefined;

    constructor(options?: unknown, listener?: unknown) {
      super();
      const onRequest = typeof options === 'function' ? options : listener;
      if (typeof onRequest === 'function') this.on('request', onRequest as Listener);
    }

    get listening(): boolean {
      return this.#bound !== undefined;
    }

    listen(...args: unknown[]): this {
      if (this.#bound)
        throw nodeError(
          'ERR_SERVER_ALREADY_LISTEN',
          'Listen method has been called more than once without closing.',
        );
      const done = args.find((arg) => typeof arg === 'function') as Listener | undefined;
      const [first, second] = args;
      const options = typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : {};
      const port = Number(
        typeof first === 'number' || typeof first === 'string' ? first : (options.port ?? 0),
      );
      const given = typeof second === 'string' ? second : options.host;
      if (!Number.isInteger(port) || port < 0 || port > 65535)
        throw nodeError(
          'ERR_SOCKET_BAD_PORT',
          `options.port should be >= 0 and < 65536. Received ${typeof first === 'string' ? `type string ('${first}')` : `type number (${port})`}.`,
          RangeError,
        );
      const address = typeof given === 'string' ? (given === 'localhost' ? '127.0.0.1' : given) : '::';
      if (done) this.once('listening', done);
      try {
        this.#bound = host.listen(port, (request) => this.#serve(request));
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'EADDRINUSE';
        const failed = systemError(code, 'listen', undefined, { address, port });
        failed.message = `listen ${code}: ${code === 'EACCES' ? 'permission denied' : 'address already in use'} ${address}:${port}`;
        host.process.nextTick(() => this.emit('error', failed));
        return this;
      }
      this.#handle = host.handle();
      this.#address = { address, family: address.includes(':') ? 'IPv6' : 'IPv4', port: this.#bound.port };
      host.process.nextTick(() => {
        if (this.#bound) this.emit('listening');
      });
      return this;
    }

    address() {
      return this.#address;
    }

    close(done?: (error?: Error) => void): this {
      if (!this.#bound) {
        if (done)
          host.process.nextTick(() => done(nodeError('ERR_SERVER_NOT_RUNNING', 'Server is not running.')));
        return this;
      }
      if (done) this.once('close', () => done());
      this.#bound.close();
      this.#bound = undefined;
      this.#address = null;
      this.#closed = () => {
        this.#handle?.release();
        this.#handle = undefined;
        this.emit('close');
      };
      if (this.#active === 0) this.#finishClosing();
      return this;
    }

    closeAllConnections(): void {}

    closeIdleConnections(): void {}

    getConnections(done: (error: Error | null, count: number) => void): void {
      host.process.nextTick(() => done(null, this.#active));
    }

    setTimeout(): this {
      return this;
    }

    ref(): this {
      this.#handle?.ref();
      return this;
    }

    unref(): this {
      this.#handle?.unref();
      return this;
    }

    [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')](): Promise<void> {
      return new Promise((resolve) => this.close(() => resolve()));
    }

    #finishClosing(): void {
      const closed = this.#closed;
      this.#closed = undefined;
      if (closed) host.process.nextTick(closed);
    }

    #serve(served: ServedRequest): void {
      const socket = new HttpSocket(this.#address?.port ?? 0);
      const request = new IncomingMessage(socket).begin(served.headers);
      request.method = served.method;
      request.url = served.url;
      this.#active++;
      let over = false;
      const ended = () => {
        if (over) return;
        over = true;
        this.#active--;
        if (this.#active === 0) this.#finishClosing();
      };
      const response = new ServerResponse(request, (status, text, headers) => {
        const sink = served.respond(status, text, headers);
        return {
          write: (bytes) => sink.write(bytes),
          end: () => {
            sink.end();
            ended();
          },
        };
      });
      response.on('close', () => {
        // Given up: whoever asked is not left waiting.
        if (!over) {
          served.drop();
          request.leave();
        }
        ended();
      });
      socket.on('close', () => response.destroy());
      served.onGone(() => {
        if (over) return;
        request.leave();
        response.destroy();
      });
      void request.receive(served.body);
      try {
        if (!this.emit('request', request, response)) {
          response.statusCode = 404;
          response.end();
        }
      } catch (error) {
        host.fail(error);
      }
    }
  };
}
