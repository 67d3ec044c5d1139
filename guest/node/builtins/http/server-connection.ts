import type { NodeHost } from '../builtin.ts';
import { nodeError } from '../internal/errors.ts';
import { lost, type HttpSocket } from './connection.ts';
import type { IncomingMessage } from './incoming.ts';
import { HttpParser, MAX_HEADER_SIZE, parseError, type BodyKind, type Head } from './parser.ts';
import type { ServerResponse } from './response.ts';
import { ownTimers } from '../../loop/own-timers.ts';

type MessageClass = new (socket: HttpSocket) => IncomingMessage;
type ResponseClass = new (request: IncomingMessage) => ServerResponse;

export interface ServerOptions {
  readonly IncomingMessage?: MessageClass;
  readonly ServerResponse?: ResponseClass;
  readonly maxHeaderSize?: number;
  readonly keepAliveTimeout?: number;
  readonly headersTimeout?: number;
  readonly requestTimeout?: number;
  readonly requireHostHeader?: boolean;
  readonly joinDuplicateHeaders?: boolean;
}

/** The members of a server that its connections use. */
export interface RequestServer {
  readonly options: ServerOptions;
  readonly listening: boolean;
  readonly httpAllowHalfOpen: boolean;
  readonly timeout: number;
  readonly keepAliveTimeout: number;
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly maxRequestsPerSocket: number;
  emit(name: string, ...args: unknown[]): boolean;
  listenerCount(name: string): number;
}

/** The parts of the process and its modules that a connection uses. */
export interface ConnectionContext {
  readonly host: NodeHost;
  readonly IncomingMessage: MessageClass;
  readonly ServerResponse: ResponseClass;
  readonly concat: (parts: readonly Uint8Array[]) => Uint8Array;
}

/** A request after which the connection is no longer HTTP, and the bytes that followed it. */
interface Upgraded {
  readonly name: 'connect' | 'upgrade';
  readonly request: IncomingMessage;
  readonly head: Uint8Array[];
}

/** A connection is kept longer than the server says, so that a request on its way still arrives. */
const KEPT_LONGER_MS = 1000;

const refusal = (line: string) => `HTTP/1.1 ${line}\r\nConnection: close\r\n\r\n`;
const BAD_REQUEST = refusal('400 Bad Request');
const REFUSALS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: refusal('431 Request Header Fields Too Large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal('413 Payload Too Large'),
  ERR_HTTP_REQUEST_TIMEOUT: refusal('408 Request Timeout'),
};

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** A connection to a server: its requests in order, and their responses. */
export class ServerConnection {
  readonly #context: ConnectionContext;
  readonly server: RequestServer;
  readonly socket: HttpSocket;
  readonly #parser: HttpParser;
  readonly #responses: ServerResponse[] = [];
  readonly #requests: IncomingMessage[] = [];
  #request: IncomingMessage | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #count = 0;
  /** Whether the connection is kept for a further request, with a timeout of its own. */
  #isKept = false;
  #hasFailed = false;
  #upgraded: Upgraded | undefined;

  constructor(server: RequestServer, socket: HttpSocket, context: ConnectionContext) {
    this.#context = context;
    this.server = server;
    this.socket = socket;
    const { maxHeaderSize = MAX_HEADER_SIZE } = server.options;
    this.#parser = new HttpParser(
      'request',
      {
        head: (head) => this.#begin(head),
        body: (bytes) => this.#notify(() => this.#request?._take(bytes)),
        end: (trailers) => {
          this.#stopTimer();
          const request = this.#request;
          this.#request = undefined;
          this.#notify(() => request?._finish(trailers));
        },
        rest: (bytes) => void this.#upgraded?.head.push(bytes),
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
    return this.#responses.length === 0 && this.#parser.isIdle;
  }

  readonly #onData = (bytes: Uint8Array) => {
    if (this.#isKept) {
      this.#isKept = false;
      this.socket.setTimeout?.(this.server.timeout);
    }
    try {
      this.#parser.take(bytes);
    } catch (error) {
      return this.#failed(Object.assign(asError(error), { rawPacket: bytes }));
    }
    if (this.#upgraded) return this.#handOver(this.#upgraded);
    if (!this.#parser.isIdle && this.#timer === undefined)
      this.#startTimer(this.server.headersTimeout || this.server.requestTimeout);
  };

  readonly #onEnd = () => {
    try {
      if (!this.#hasFailed) this.#parser.finish();
    } catch (error) {
      return this.#failed(asError(error));
    }
    const last = this.#responses.at(-1);
    if (last && this.server.httpAllowHalfOpen) last._last = true;
    else this.socket.end();
  };

  readonly #onClose = () => {
    this.#stopTimer();
    for (const request of this.#requests.splice(0)) request.destroy(lost());
    this.#responses.length = 0;
  };

  readonly #onError = (error: unknown) => {
    if (this.server.listenerCount('clientError') === 0) this.socket.destroy(asError(error));
    else this.server.emit('clientError', error, this.socket);
  };

  readonly #onTimeout = () => {
    const [response] = this.#responses;
    const request = this.#request ?? (response && !response.req.complete ? response.req : undefined);
    const isHeard = [request, response, this.server].some((each) => each?.emit('timeout', this.socket));
    if (!isHeard) this.socket.destroy();
  };

  /** Calls listeners. An error that one throws is uncaught, and does not count as an error in the received bytes. */
  #notify(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#context.host.fail(error);
    }
  }

  #failed(error: Error): void {
    this.#stopTimer();
    this.#hasFailed = true;
    this.socket.off('data', this.#onData);
    if (this.server.emit('clientError', error, this.socket)) return;
    const [response] = this.#responses;
    if (this.socket.writable && !response?._headerSent)
      this.socket.write(REFUSALS[String(Reflect.get(error, 'code'))] ?? BAD_REQUEST);
    if (this.socket.destroySoon) this.socket.destroySoon(error);
    else this.socket.destroy(error);
  }

  #startTimer(ms: number): void {
    this.#stopTimer();
    if (ms <= 0) return;
    this.#timer = ownTimers().setTimeout(
      () => this.#failed(nodeError('ERR_HTTP_REQUEST_TIMEOUT', 'Request timeout')),
      ms,
    );
    (this.#timer as { unref?(): void }).unref?.();
  }

  #stopTimer(): void {
    ownTimers().clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #begin(head: Head): BodyKind {
    const { server, socket } = this;
    if (head.version !== '1.1' && head.version !== '1.0')
      throw parseError('HPE_INVALID_VERSION', 'Invalid HTTP version');
    const { IncomingMessage = this.#context.IncomingMessage, joinDuplicateHeaders = false } = server.options;
    const request = new IncomingMessage(socket)._begin(head.version, head.headers);
    request.joinDuplicateHeaders = joinDuplicateHeaders;
    request.method = head.method;
    request.url = head.url;
    request.upgrade = false;
    if (head.upgrade) {
      const name = head.method === 'CONNECT' ? 'connect' : 'upgrade';
      request.upgrade = name === 'connect' || server.listenerCount(name) > 0;
      if (request.upgrade) {
        this.#upgraded = { name, request, head: [] };
        return 'other';
      }
    }
    this.#request = request;
    this.#requests.push(request);
    this.#startTimer(server.requestTimeout);
    this.#respond(request, head);
    return 'told';
  }

  #respond(request: IncomingMessage, head: Head): void {
    const { server, socket } = this;
    const { ServerResponse = this.#context.ServerResponse, requireHostHeader = true } = server.options;
    const response = new ServerResponse(request);
    response._keepAliveTimeout = server.keepAliveTimeout;
    response.shouldKeepAlive = head.keepAlive && response.shouldKeepAlive;
    const { maxRequestsPerSocket } = server;
    response._maxRequests = maxRequestsPerSocket;
    response.maxRequestsOnConnectionReached =
      maxRequestsPerSocket > 0 && ++this.#count >= maxRequestsPerSocket;
    this.#responses.push(response);
    if (this.#responses.length === 1) response.assignSocket(socket);
    response.on('finish', () => this.#finished(request, response));
    const run = (event: string) =>
      this.#notify(() => {
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
    this.#responses.shift();
    // The unread rest of the request would block the next one.
    if (!request.readableEnded && !request.destroyed) request._dump();
    response.detachSocket(socket);
    if (response._last) return void socket.destroySoon?.();
    const [next] = this.#responses;
    if (next) return next.assignSocket(socket);
    if (!server.listening) return void (this.isIdle && socket.destroySoon?.());
    if (server.keepAliveTimeout > 0 && socket.setTimeout) {
      socket.setTimeout(server.keepAliveTimeout + KEPT_LONGER_MS);
      this.#isKept = true;
    }
  }

  /** Hands over a connection that switches to another protocol. */
  #handOver({ name, request, head }: Upgraded): void {
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
    if (server.listenerCount(name) === 0) return void socket.destroy();
    this.#notify(() => server.emit(name, request, socket, this.#context.concat(head)));
  }
}
