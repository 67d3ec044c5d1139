import { keep } from '../async/context.ts';
import type { NodeHost } from '../builtin.ts';
import { lost, type HttpSocket } from './connection.ts';
import type { IncomingMessage } from './incoming.ts';
import { HttpParser, MAX_HEADER_SIZE, type BodyKind, type Head } from './parser.ts';

/** The members of a `ClientRequest` that its exchange uses. */
export interface ExchangeRequest {
  readonly method: string;
  readonly maxHeaderSize: number | undefined;
  readonly timeout: number | undefined;
  readonly aborted: boolean;
  readonly writableFinished: boolean;
  readonly joinDuplicateHeaders: boolean;
  socket: HttpSocket | null;
  res: IncomingMessage | null;
  shouldKeepAlive: boolean;
  destroyed: boolean;
  upgradeOrConnect: boolean;
  _ended: boolean;
  emit(name: string, ...args: unknown[]): boolean;
  listenerCount(name: string): number;
  _flushTo(socket: HttpSocket): void;
}

/** The parts of the process and its modules that an exchange uses. */
export interface ExchangeContext {
  readonly host: NodeHost;
  readonly IncomingMessage: new (socket: HttpSocket) => IncomingMessage;
  readonly concat: (parts: readonly Uint8Array[]) => Uint8Array;
}

/** One request and its response over a connection: listens to the socket, parses, and ends with an error or `close`. */
export class Exchange {
  readonly #request: ExchangeRequest;
  readonly #context: ExchangeContext;
  #parser: HttpParser | undefined;
  /** The bytes that follow the head of a response after which the connection is no longer HTTP. */
  #upgraded: Uint8Array[] | undefined;
  #isFree = false;
  #isClosed = false;
  /** Whether the request has failed; no further error is emitted then. */
  hasFailed = false;
  // Each runs with the async context of the request, not with that of the connection.
  readonly #onData = keep((bytes: Uint8Array) => this.#receive(bytes));
  readonly #onEnd = keep(() => this.#socketEnded());
  readonly #onClose = keep(() => this.#socketClosed());
  readonly #onError = keep((error: Error) => this.#socketFailed(error));
  readonly #onTimeout = keep(() => this.#request.emit('timeout'));

  constructor(request: ExchangeRequest, context: ExchangeContext) {
    this.#request = request;
    this.#context = context;
  }

  start(socket: HttpSocket): void {
    const request = this.#request;
    this.#parser = new HttpParser(
      'response',
      {
        head: (head) => this.#begin(head),
        body: (bytes) => this.#notify(() => request.res?._take(bytes)),
        end: (trailers) => this.#notify(() => request.res?._finish(trailers)),
        rest: (bytes) => void this.#upgraded?.push(bytes),
      },
      { maxHeaderSize: request.maxHeaderSize ?? MAX_HEADER_SIZE },
    );
    socket._httpMessage = request;
    socket.on('error', this.#onError);
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('close', this.#onClose);
    if (request.timeout !== undefined) this.listenTimeout(socket);
    request.socket = socket;
    request.emit('socket', socket);
    request._flushTo(socket);
  }

  listenTimeout(socket: HttpSocket): void {
    socket.off('timeout', this.#onTimeout);
    socket.on('timeout', this.#onTimeout);
    if (this.#request.timeout !== undefined) socket.setTimeout?.(this.#request.timeout);
  }

  #leaveSocket(socket: HttpSocket): void {
    socket.off('error', this.#onError);
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('close', this.#onClose);
    socket.off('timeout', this.#onTimeout);
  }

  #receive(bytes: Uint8Array): void {
    const request = this.#request;
    const { socket } = request;
    if (!socket) return;
    try {
      this.#parser?.take(bytes);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      this.#leaveSocket(socket);
      socket.on('error', () => {});
      socket.destroy();
      if (request.res && !request.res.complete) request.res.destroy(error);
      this.fail(Object.assign(error, { rawPacket: bytes }));
      return;
    }
    if (this.#upgraded) this.#handOver(socket, this.#upgraded);
  }

  /** Calls listeners. An error that one throws is uncaught, and does not count as an error in the received bytes. */
  #notify(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#context.host.fail(error);
    }
  }

  #begin(head: Head): BodyKind {
    const request = this.#request;
    const { socket } = request;
    if (!socket) return 'none';
    const response = new this.#context.IncomingMessage(socket)._begin(head.version, head.headers);
    response.joinDuplicateHeaders = request.joinDuplicateHeaders;
    response.statusCode = head.status;
    response.statusMessage = head.statusText;
    if (request.method === 'CONNECT' || (head.status === 101 && head.upgrade)) {
      response.upgrade = true;
      request.res = response;
      this.#upgraded = [];
      return 'other';
    }
    // A 101 that does not name another protocol is the response itself.
    if (head.status < 200 && head.status !== 101) {
      this.#notify(() => this.#inform(head, response));
      return 'none';
    }
    if (request.res) {
      // There was a response already, so this one belongs to no request.
      socket.destroy();
      return 'none';
    }
    response.upgrade = false;
    if (!head.keepAlive) request.shouldKeepAlive = false;
    request.res = response;
    Object.assign(response, { req: request });
    response.on('end', () => this.#responseEnded(response));
    this.#notify(() => {
      if (request.aborted || !request.emit('response', response)) response._dump();
    });
    const bodiless = request.method === 'HEAD' || [101, 204, 304].includes(head.status);
    return bodiless ? 'none' : 'told';
  }

  #inform(head: Head, response: IncomingMessage): void {
    if (head.status === 100) this.#request.emit('continue');
    this.#request.emit('information', {
      statusCode: head.status,
      statusMessage: head.statusText,
      httpVersion: head.version,
      httpVersionMajor: response.httpVersionMajor,
      httpVersionMinor: response.httpVersionMinor,
      headers: response.headers,
      rawHeaders: response.rawHeaders,
    });
  }

  #responseEnded(response: IncomingMessage): void {
    const request = this.#request;
    const { socket } = request;
    request._ended = true;
    if (!socket || request.aborted) return;
    if (!request.shouldKeepAlive) {
      socket.destroySoon?.();
      if (!response.complete) this.#socketClosed();
    } else if (request.writableFinished) this.#free(socket);
  }

  requestFinished(): void {
    const { _ended, shouldKeepAlive, socket } = this.#request;
    if (_ended && shouldKeepAlive && socket) this.#free(socket);
  }

  /** Leaves the connection for the next request. */
  #free(socket: HttpSocket): void {
    if (this.#isFree) return;
    this.#isFree = true;
    this.#leaveSocket(socket);
    if (this.#request.timeout !== undefined) socket.setTimeout?.(0);
    this.#request.destroyed = true;
    this.#context.host.process.nextTick(() => {
      this.close();
      if (socket.listenerCount('free') === 0) socket.destroy();
      else socket.emit('free');
    });
  }

  /** Gives the connection to the program, which speaks another protocol over it. */
  #handOver(socket: HttpSocket, head: readonly Uint8Array[]): void {
    const request = this.#request;
    const { res } = request;
    const name = request.method === 'CONNECT' ? 'connect' : 'upgrade';
    request.upgradeOrConnect = true;
    this.#leaveSocket(socket);
    socket.emit('agentRemove');
    if (request.timeout !== undefined) socket.setTimeout?.(0);
    request.destroyed = true;
    res?._finish([]);
    if (request.listenerCount(name) === 0) {
      socket.destroy();
      return this.close();
    }
    request.emit(name, res, socket, this.#context.concat(head));
    this.close();
  }

  #socketEnded(): void {
    const { res, socket } = this.#request;
    if (!res && !this.hasFailed) this.fail(lost('socket hang up'));
    try {
      this.#parser?.finish();
    } catch {
      // The response that is broken off fails when the connection closes.
    }
    socket?.end();
  }

  #socketFailed(error: Error): void {
    const { res, socket } = this.#request;
    if (!res || !res.complete) this.fail(error);
    socket?.destroy();
  }

  #socketClosed(): void {
    const request = this.#request;
    request.destroyed = true;
    const { res, socket } = request;
    if (socket && !socket.destroyed) socket.destroy();
    if (res) {
      if (!res.complete) res.destroy(lost());
      this.close();
    } else if (!this.hasFailed) this.fail(lost('socket hang up'));
    else this.close();
  }

  /** Emits `error`, then `close`, once. */
  fail(error: Error): void {
    if (this.hasFailed) return;
    this.hasFailed = true;
    this.#request.destroyed = true;
    this.#context.host.process.nextTick(() => {
      this.#request.emit('error', error);
      this.close();
    });
  }

  /** Emits `close` in the next tick, once. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#context.host.process.nextTick(() => this.#request.emit('close'));
  }
}
