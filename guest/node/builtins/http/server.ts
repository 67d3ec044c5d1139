import { inheritable } from '../callable.ts';
import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import { nodeError, outOfRange } from '../internal/errors.ts';
import type { Messages } from './messages.ts';
import { lost, type HttpSocket } from './connection.ts';
import type { IncomingMessage } from './incoming.ts';
import { HttpParser, parseError, type BodyKind, type Head } from './parser.ts';
import type { makeServerResponse, ServerResponse } from './response.ts';

type Listener = (...args: unknown[]) => void;

interface ServerOptions {
  readonly IncomingMessage?: Messages['IncomingMessage'];
  readonly ServerResponse?: ReturnType<typeof makeServerResponse>;
  readonly maxHeaderSize?: number;
  readonly keepAliveTimeout?: number;
  readonly headersTimeout?: number;
  readonly requestTimeout?: number;
  readonly requireHostHeader?: boolean;
  readonly joinDuplicateHeaders?: boolean;
}

/** How many bytes the head of a message may have. */
export const MAX_HEADER_SIZE = 16 * 1024;
/** More than it says a connection is kept, so that a request on its way still comes. */
const KEPT_LONGER_MS = 1000;

export function makeServer(
  host: NodeHost,
  load: LoadBuiltin,
  messages: Messages,
  PlainResponse: ReturnType<typeof makeServerResponse>,
) {
  const { Server: NetServer } = load('net');
  const { Buffer } = load('buffer');

  /** Answers what comes over connections to it. */
  class Server extends NetServer {
    httpAllowHalfOpen = false;
    timeout = 0;
    keepAliveTimeout: number;
    headersTimeout: number;
    requestTimeout: number;
    maxHeadersCount: number | null = null;
    maxRequestsPerSocket = 0;
    readonly #served = new Set<Served>();
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
      if (typeof onRequest === 'function') this.on('request', onRequest as Listener);
      this.on('connection', (socket) => this._serve(socket as HttpSocket));
    }

    get options(): ServerOptions {
      return this.#given;
    }

    _serve(socket: HttpSocket): void {
      const served = new Served(this, socket);
      this.#served.add(served);
      socket.on('close', () => this.#served.delete(served));
    }

    override close(done?: (error?: Error) => void): this {
      super.close(done);
      this.closeIdleConnections();
      return this;
    }

    closeAllConnections(): void {
      for (const { socket } of this.#served) socket.destroy();
    }

    closeIdleConnections(): void {
      for (const each of this.#served) if (each.isIdle) each.socket.destroy();
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

  /** A connection to a server. */
  class Served {
    readonly server: Server;
    readonly socket: HttpSocket;
    readonly #parser: HttpParser;
    readonly #answers: ServerResponse[] = [];
    readonly #requests: IncomingMessage[] = [];
    #request: IncomingMessage | undefined;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #isHead = false;
    #count = 0;
    #waits = false;
    #hasFailed = false;
    #other: { readonly request: IncomingMessage; readonly head: Uint8Array[] } | undefined;

    constructor(server: Server, socket: HttpSocket) {
      this.server = server;
      this.socket = socket;
      const { maxHeaderSize = MAX_HEADER_SIZE } = server.options;
      this.#parser = new HttpParser(
        'request',
        {
          head: (head) => this.#begin(head),
          body: (bytes) => this.#tell(() => this.#request?._take(bytes)),
          end: (trailers) => {
            this.#stopTimer();
            const request = this.#request;
            this.#request = undefined;
            this.#tell(() => request?._finish(trailers));
          },
          rest: (bytes) => void this.#other?.head.push(bytes),
        },
        { maxHeaderSize },
      );
      if (server.timeout) socket.setTimeout?.(server.timeout);
      // A silent client has no more time than one that sends half a request.
      this.#startTimer(server.headersTimeout || server.requestTimeout);
      Object.assign(socket, {
        setEncoding() {
          throw nodeError(
            'ERR_HTTP_SOCKET_ENCODING',
            'Changing the socket encoding is not allowed per RFC7230 Section 3.',
          );
        },
      });
      socket.on('data', this.#onData);
      socket.on('end', this.#onEnd);
      socket.on('close', this.#onClose);
      socket.on('error', this.#onError);
      socket.on('timeout', this.#onTimeout);
    }

    get isIdle(): boolean {
      return this.#answers.length === 0 && this.#parser.isIdle;
    }

    readonly #onData = (bytes: Uint8Array) => {
      if (this.#waits) {
        this.#waits = false;
        this.socket.setTimeout?.(this.server.timeout);
      }
      try {
        this.#parser.take(bytes);
      } catch (error) {
        return this.#failed(Object.assign(error as Error, { rawPacket: bytes }));
      }
      if (this.#other) return this.#handOver(this.#other);
      if (!this.#parser.isIdle && this.#timer === undefined)
        this.#startTimer(this.server.headersTimeout || this.server.requestTimeout);
    };

    readonly #onEnd = () => {
      try {
        if (!this.#hasFailed) this.#parser.finish();
      } catch (error) {
        return this.#failed(error as Error);
      }
      const last = this.#answers.at(-1);
      if (last && this.server.httpAllowHalfOpen) last._last = true;
      else this.socket.end();
    };

    readonly #onClose = () => {
      this.#stopTimer();
      for (const request of this.#requests.splice(0)) request.destroy(lost());
      this.#answers.length = 0;
    };

    readonly #onError = (error: unknown) => {
      if (this.server.listenerCount('clientError') === 0) this.socket.destroy(error as Error);
      else this.server.emit('clientError', error, this.socket);
    };

    readonly #onTimeout = () => {
      const [answer] = this.#answers;
      const request = this.#request ?? (answer && !answer.req.complete ? answer.req : undefined);
      const heard = [request, answer, this.server].some((each) => each?.emit('timeout', this.socket));
      if (!heard) this.socket.destroy();
    };

    /** Calls listeners. An error that one throws is uncaught, and does not count as an error in the received bytes. */
    #tell(run: () => void): void {
      try {
        run();
      } catch (error) {
        host.fail(error);
      }
    }

    #failed(error: Error): void {
      this.#stopTimer();
      this.#hasFailed = true;
      this.socket.off('data', this.#onData);
      if (this.server.emit('clientError', error, this.socket)) return;
      const [answer] = this.#answers;
      if (this.socket.writable && !answer?._headerSent)
        this.socket.write(REFUSALS[(error as NodeJS.ErrnoException).code ?? ''] ?? BAD_REQUEST);
      if (this.socket.destroySoon) this.socket.destroySoon(error);
      else this.socket.destroy(error);
    }

    #startTimer(ms: number): void {
      this.#stopTimer();
      if (ms <= 0) return;
      this.#timer = setTimeout(
        () => this.#failed(nodeError('ERR_HTTP_REQUEST_TIMEOUT', 'Request timeout')),
        ms,
      );
      (this.#timer as { unref?(): void }).unref?.();
    }

    #stopTimer(): void {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }

    #begin(head: Head): BodyKind {
      const { server, socket } = this;
      if (head.version !== '1.1' && head.version !== '1.0')
        throw parseError('HPE_INVALID_VERSION', 'Invalid HTTP version');
      const { IncomingMessage = messages.IncomingMessage, joinDuplicateHeaders = false } = server.options;
      const request = new IncomingMessage(socket)._begin(head.version, head.headers);
      request.joinDuplicateHeaders = joinDuplicateHeaders;
      request.method = head.method;
      request.url = head.url;
      request.upgrade = false;
      if (head.upgrade) {
        const name = head.method === 'CONNECT' ? 'connect' : 'upgrade';
        request.upgrade = name === 'connect' || server.listenerCount(name) > 0;
        if (request.upgrade) {
          this.#isHead = name === 'connect';
          this.#other = { request, head: [] };
          return 'other';
        }
      }
      this.#request = request;
      this.#requests.push(request);
      this.#startTimer(server.requestTimeout);
      this.#answer(request, head);
      return 'told';
    }

    #answer(request: IncomingMessage, head: Head): void {
      const { server, socket } = this;
      const { ServerResponse = PlainResponse, requireHostHeader = true } = server.options;
      const response = new ServerResponse(request);
      response._keepAliveTimeout = server.keepAliveTimeout;
      response.shouldKeepAlive = head.keepAlive && response.shouldKeepAlive;
      const { maxRequestsPerSocket } = server;
      response._maxRequests = maxRequestsPerSocket;
      response.maxRequestsOnConnectionReached =
        maxRequestsPerSocket > 0 && ++this.#count >= maxRequestsPerSocket;
      this.#answers.push(response);
      if (this.#answers.length === 1) response.assignSocket(socket);
      response.on('finish', () => this.#finished(request, response));
      const run = (event: string) =>
        this.#tell(() => {
          if (!server.emit(event, request, response) && event === 'request') response.end();
        });
      if (maxRequestsPerSocket > 0 && this.#count > maxRequestsPerSocket) {
        server.emit('dropRequest', request, socket);
        response.writeHead(503).end();
        return;
      }
      if (requireHostHeader && head.version === '1.1' && request.headers.host === undefined) {
        response.writeHead(400, ['Connection', 'close']).end();
        return;
      }
      const { expect } = request.headers;
      if (expect === undefined || head.version === '1.0') return run('request');
      if (/(?:^|\W)100-continue(?:$|\W)/i.test(String(expect))) {
        response._expect_continue = true;
        if (server.listenerCount('checkContinue') > 0) return run('checkContinue');
        response.writeContinue();
        return run('request');
      }
      if (server.listenerCount('checkExpectation') > 0) return run('checkExpectation');
      response.writeHead(417).end();
    }

    #finished(request: IncomingMessage, response: ServerResponse): void {
      const { socket, server } = this;
      this.#requests.splice(this.#requests.indexOf(request), 1);
      this.#answers.shift();
      // The unread rest of the request would block the next one.
      if (!request.readableEnded && !request.destroyed) request._dump();
      response.detachSocket(socket);
      if (response._last) return void socket.destroySoon?.();
      const [next] = this.#answers;
      if (next) return next.assignSocket(socket);
      if (!server.listening) return void (this.isIdle && socket.destroySoon?.());
      if (server.keepAliveTimeout > 0 && socket.setTimeout) {
        socket.setTimeout(server.keepAliveTimeout + KEPT_LONGER_MS);
        this.#waits = true;
      }
    }

    /** Hands over a connection that switches to another protocol. */
    #handOver({ request, head }: { request: IncomingMessage; head: Uint8Array[] }): void {
      const { socket, server } = this;
      this.#stopTimer();
      socket.off('data', this.#onData);
      socket.off('end', this.#onEnd);
      socket.off('close', this.#onClose);
      socket.off('error', this.#onError);
      socket.off('timeout', this.#onTimeout);
      if (server.timeout) socket.setTimeout?.(0);
      Reflect.deleteProperty(socket, 'setEncoding');
      request._finish([]);
      const name = this.#isHead ? 'connect' : 'upgrade';
      if (server.listenerCount(name) === 0) return void socket.destroy();
      this.#tell(() => server.emit(name, request, socket, Buffer.concat(head)));
    }
  }

  return inheritable(Server);
}

const refusal = (line: string) => `HTTP/1.1 ${line}\r\nConnection: close\r\n\r\n`;
const BAD_REQUEST = refusal('400 Bad Request');
const REFUSALS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: refusal('431 Request Header Fields Too Large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal('413 Payload Too Large'),
  ERR_HTTP_REQUEST_TIMEOUT: refusal('408 Request Timeout'),
};
