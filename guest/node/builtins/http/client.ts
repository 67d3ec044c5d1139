import { inheritable } from '../callable.ts';
import { keep } from '../async/context.ts';
import type { HeaderList, LoadBuiltin, NodeHost } from '../builtin.ts';
import { abortError, argTypeError, nodeError, outOfRange } from '../internal/errors.ts';
import type { Agent, AgentOptions, Asking, Pooled } from './agent.ts';
import { validateHeaderName } from './headers.ts';
import { openingForHttp, type HttpEnd } from '../net/http-end.ts';
import { lost, type HttpSocket, type IncomingMessage, type Messages } from './messages.ts';
import { HttpParser, type BodyKind, type Head } from './parser.ts';
import { MAX_HEADER_SIZE } from './server.ts';

export interface RequestOptions extends AgentOptions {
  readonly hostname?: string | null;
  readonly defaultPort?: number | string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | number | string[]>> | readonly string[];
  readonly auth?: string | null;
  readonly agent?: Agent | false | null | undefined;
  readonly setHost?: boolean;
  readonly setDefaultHeaders?: boolean;
  readonly insecureHTTPParser?: boolean;
  readonly maxHeaderSize?: number;
  readonly joinDuplicateHeaders?: boolean;
  readonly createConnection?: (
    options: RequestOptions,
    done: (error: Error | null, socket?: Pooled) => void,
  ) => Pooled | undefined;
}

export type ClientRequest = InstanceType<ReturnType<typeof makeClient>>;

export type RequestArgs = [first: unknown, second?: unknown, third?: unknown];
type Done = (error?: Error | null) => void;

export interface ClientParts {
  readonly messages: Messages;
  readonly globalAgent: () => Agent;
  readonly connect: (options: AgentOptions) => Pooled;
  /** Connects a socket that comes from the program's own `createConnection`. */
  readonly endTo?: HttpEnd;
}

const BODILESS = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];

function needHost(host: unknown, name: string): string | null | undefined {
  if (host === null || host === undefined || typeof host === 'string') return host;
  throw argTypeError(`options.${name}`, ['string', 'undefined', 'null'], host);
}

export function makeClient(
  host: NodeHost,
  load: LoadBuiltin,
  { messages, globalAgent, connect, endTo }: ClientParts,
) {
  const { Buffer } = load('buffer');
  const { IncomingMessage, OutgoingMessage } = messages;

  function optionsOf([first, second, third]: RequestArgs): { options: RequestOptions; callback: unknown } {
    const callback = [second, third].find((each) => typeof each === 'function');
    const more = typeof second === 'object' && second !== null ? second : {};
    if (typeof first === 'string' || first instanceof URL) {
      const url = new URL(first);
      const asked: object = load('url').urlToHttpOptions(url);
      return { options: { ...asked, ...more }, callback };
    }
    if (typeof first !== 'object' || first === null)
      throw argTypeError('options', ['Object', 'string', 'URL'], first);
    return { options: { ...first, ...more }, callback };
  }

  function agentOf({ agent, createConnection }: RequestOptions): Agent | undefined {
    if (agent === false) return new (globalAgent().constructor as new () => Agent)();
    if (agent === null || agent === undefined) return createConnection ? undefined : globalAgent();
    if (typeof agent.addRequest !== 'function')
      throw argTypeError('options.agent', ['Agent-like Object', 'undefined', 'false'], agent);
    return agent;
  }

  class ClientRequest extends OutgoingMessage implements Asking {
    readonly method: string;
    path: string;
    readonly host: string;
    readonly protocol: string;
    readonly agent: Agent | undefined;
    readonly maxHeaderSize: number | undefined;
    timeout: number | undefined;
    aborted = false;
    reusedSocket = false;
    res: IncomingMessage | null = null;
    _ended = false;
    upgradeOrConnect = false;
    #parser: HttpParser | undefined;
    #other: { readonly head: Uint8Array[] } | undefined;
    #hasFailed = false;
    #isFree = false;
    #isClosed = false;
    readonly #join: boolean;
    readonly #onData = keep((bytes: Uint8Array) => this.#take(bytes));
    readonly #onEnd = keep(() => this.#ended());
    readonly #onClose = keep(() => this.#closed());
    readonly #onError = keep((error: Error) => this.#failed(error));
    readonly #onTimeout = keep(() => this.emit('timeout'));

    constructor(...args: RequestArgs) {
      super(false);
      const { options: given, callback } = optionsOf(args);
      const agent = (this.agent = agentOf(given));
      const usual = globalAgent();
      const protocol = given.protocol || usual.protocol;
      const expected = agent?.protocol || usual.protocol;
      const path = given.path ? String(given.path) : '/';
      if (/[^\u0021-\u00ff]/.test(path))
        throw nodeError('ERR_UNESCAPED_CHARACTERS', 'Request path contains unescaped characters', TypeError);
      if (protocol !== expected)
        throw nodeError(
          'ERR_INVALID_PROTOCOL',
          `Protocol "${protocol}" not supported. Expected "${expected}"`,
          TypeError,
        );
      const defaultPort = given.defaultPort || agent?.defaultPort;
      const port = given.port || defaultPort || 80;
      const name = needHost(given.hostname, 'hostname') || needHost(given.host, 'host') || 'localhost';
      const options: RequestOptions = { ...given, port, host: name };
      const { method } = options;
      if (method !== undefined && method !== null && typeof method !== 'string')
        throw argTypeError('options.method', 'string', method);
      const { insecureHTTPParser } = options;
      if (insecureHTTPParser !== undefined && typeof insecureHTTPParser !== 'boolean')
        throw argTypeError('options.insecureHTTPParser', 'boolean', insecureHTTPParser);
      if (method) validateHeaderName(method, 'Method');
      this.method = method ? method.toUpperCase() : 'GET';
      this.path = path;
      this.host = name;
      this.protocol = protocol;
      this.maxHeaderSize = options.maxHeaderSize;
      this.#join = options.joinDuplicateHeaders ?? false;
      if (options.timeout !== undefined) this.timeout = needTimeout(options.timeout);
      this.useChunkedEncodingByDefault = !BODILESS.includes(this.method);
      if (agent && (agent.keepAlive || Number.isFinite(agent.maxSockets))) this.shouldKeepAlive = true;
      else {
        this._last = true;
        this.shouldKeepAlive = false;
      }
      if (typeof callback === 'function') this.once('response', callback as (response: unknown) => void);
      this.#startHeaders(options, defaultPort);
      const { signal } = options;
      if (signal?.aborted) host.process.nextTick(() => this.destroy(abortError(signal.reason)));
      else signal?.addEventListener('abort', () => this.destroy(abortError(signal.reason)), { once: true });
      this.on('finish', () => this.#finished());
      this.#connect(options);
    }

    #startHeaders(options: RequestOptions, usual: unknown): void {
      const {
        headers,
        auth,
        setDefaultHeaders = true,
        setHost = setDefaultHeaders,
        host: name,
        port,
      } = options;
      if (!setDefaultHeaders) this._removedConnection = this._removedContLen = this._removedTE = true;
      if (Array.isArray(headers)) {
        const list: HeaderList = headers.every(Array.isArray)
          ? (headers as [string, string][])
          : headers.flatMap((each: unknown, at) => {
              if (at % 2 === 1) return [];
              const name = String(each);
              const value: unknown = headers[at + 1];
              if (!Array.isArray(value)) return [[name, String(value)] as [string, string]];
              if (name.toLowerCase() === 'cookie') return [[name, value.join('; ')] as [string, string]];
              return value.map((one): [string, string] => [name, String(one)]);
            });
        return this._storeHeader(`${this.method} ${this.path} HTTP/1.1\r\n`, list);
      }
      this.takeHeaders(headers);
      const given = this.getHeader('host');
      if (Array.isArray(given)) throw argTypeError('options.headers.host', 'string', given);
      if (setHost && name && !this.hasHeader('host')) {
        const plain = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
        this.setHeader('Host', port && Number(port) !== Number(usual) ? `${plain}:${port}` : plain);
      }
      if (auth && !this.hasHeader('authorization'))
        this.setHeader('Authorization', `Basic ${Buffer.from(auth).toString('base64')}`);
      if (this.hasHeader('expect')) this._implicitHeader();
    }

    #connect({ signal: _signal, ...options }: RequestOptions): void {
      if (this.agent) return this.agent.addRequest(this, options);
      this._last = true;
      this.shouldKeepAlive = false;
      const { createConnection } = options;
      if (!createConnection) return this.onSocket(connect(options));
      let isDone = false;
      const done = (error: Error | null, socket?: Pooled) => {
        if (isDone) return;
        isDone = true;
        this.onSocket(socket ?? null, error ?? undefined);
      };
      // The path of the request is none of a socket.
      const { path: _request, socketPath, ...rest } = options;
      const given = { ...rest, ...(socketPath && { path: socketPath, socketPath }) };
      const open = () => createConnection(given, done);
      const socket = endTo ? openingForHttp(endTo, open) : open();
      if (socket) done(null, socket);
    }

    onSocket(socket: HttpSocket | null, error?: Error): void {
      host.process.nextTick(() => {
        if (this.destroyed || error || !socket) {
          if (socket && !error && this.agent?.keepAlive && !socket.destroyed) socket.emit('free');
          else socket?.destroy(error);
          if (!this.destroyed) this.#fail(error ?? lost('socket hang up'));
          else this.#close();
          return;
        }
        this.#start(socket);
      });
    }

    #start(socket: HttpSocket): void {
      this.#parser = new HttpParser(
        'response',
        {
          head: (head) => this.#begin(head),
          body: (bytes) => this.#tell(() => this.res?._take(bytes)),
          end: (trailers) => this.#tell(() => this.res?._finish(trailers)),
          rest: (bytes) => void this.#other?.head.push(bytes),
        },
        { maxHeaderSize: this.maxHeaderSize ?? MAX_HEADER_SIZE },
      );
      socket._httpMessage = this;
      socket.on('error', this.#onError);
      socket.on('data', this.#onData);
      socket.on('end', this.#onEnd);
      socket.on('close', this.#onClose);
      if (this.timeout !== undefined) this.#listenTimeout(socket);
      this.socket = socket;
      this.emit('socket', socket);
      this.flushTo(socket);
    }

    #listenTimeout(socket: HttpSocket): void {
      socket.off('timeout', this.#onTimeout);
      socket.on('timeout', this.#onTimeout);
      if (this.timeout !== undefined) socket.setTimeout?.(this.timeout);
    }

    #leaveSocket(socket: HttpSocket): void {
      socket.off('error', this.#onError);
      socket.off('data', this.#onData);
      socket.off('end', this.#onEnd);
      socket.off('close', this.#onClose);
      socket.off('timeout', this.#onTimeout);
    }

    override _implicitHeader(): void {
      if (this._header !== null)
        throw nodeError('ERR_HTTP_HEADERS_SENT', 'Cannot render headers after they are sent to the client');
      this._storeHeader(`${this.method} ${this.path} HTTP/1.1\r\n`);
    }

    #take(bytes: Uint8Array): void {
      const { socket } = this;
      if (!socket) return;
      try {
        this.#parser?.take(bytes);
      } catch (error) {
        this.#leaveSocket(socket);
        socket.on('error', () => {});
        socket.destroy();
        if (this.res && !this.res.complete) this.res.destroy(error as Error);
        this.#fail(Object.assign(error as Error, { rawPacket: bytes }));
        return;
      }
      if (this.#other) this.#handOver(socket, this.#other.head);
    }

    /** Calls listeners. An error that one throws is uncaught, and does not count as an error in the received bytes. */
    #tell(run: () => void): void {
      try {
        run();
      } catch (error) {
        host.fail(error);
      }
    }

    #begin(head: Head): BodyKind {
      const { socket } = this;
      if (!socket) return 'none';
      const response = new IncomingMessage(socket)._begin(head.version, head.headers);
      response.joinDuplicateHeaders = this.#join;
      response.statusCode = head.status;
      response.statusMessage = head.statusText;
      if (this.method === 'CONNECT' || (head.status === 101 && head.upgrade)) {
        response.upgrade = true;
        this.res = response;
        this.#other = { head: [] };
        return 'other';
      }
      // A 101 without what it changes to is the answer itself.
      if (head.status < 200 && head.status !== 101) {
        this.#tell(() => {
          if (head.status === 100) this.emit('continue');
          this.emit('information', {
            statusCode: head.status,
            statusMessage: head.statusText,
            httpVersion: head.version,
            httpVersionMajor: response.httpVersionMajor,
            httpVersionMinor: response.httpVersionMinor,
            headers: response.headers,
            rawHeaders: response.rawHeaders,
          });
        });
        return 'none';
      }
      if (this.res) {
        // It was answered already: what comes now is nobody's.
        socket.destroy();
        return 'none';
      }
      response.upgrade = false;
      if (!head.keepAlive) this.shouldKeepAlive = false;
      this.res = response;
      Object.assign(response, { req: this });
      response.on('end', () => this.#answered(response));
      this.#tell(() => {
        if (this.aborted || !this.emit('response', response)) response._dump();
      });
      const bodiless = this.method === 'HEAD' || [101, 204, 304].includes(head.status);
      return bodiless ? 'none' : 'told';
    }

    #answered(response: IncomingMessage): void {
      const { socket } = this;
      this._ended = true;
      if (!socket || this.aborted) return;
      if (!this.shouldKeepAlive) {
        socket.destroySoon?.();
        if (!response.complete) this.#closed();
      } else if (this.writableFinished) this.#free(socket);
    }

    #finished(): void {
      if (this._ended && this.shouldKeepAlive && this.socket) this.#free(this.socket);
    }

    /** The connection is for the next request. */
    #free(socket: HttpSocket): void {
      if (this.#isFree) return;
      this.#isFree = true;
      this.#leaveSocket(socket);
      if (this.timeout !== undefined) socket.setTimeout?.(0);
      this.destroyed = true;
      host.process.nextTick(() => {
        this.#close();
        if (socket.listenerCount('free') === 0) socket.destroy();
        else socket.emit('free');
      });
    }

    #handOver(socket: HttpSocket, head: Uint8Array[]): void {
      const { res } = this;
      const name = this.method === 'CONNECT' ? 'connect' : 'upgrade';
      this.upgradeOrConnect = true;
      this.#leaveSocket(socket);
      socket.emit('agentRemove');
      if (this.timeout !== undefined) socket.setTimeout?.(0);
      this.destroyed = true;
      res?._finish([]);
      if (this.listenerCount(name) === 0) {
        socket.destroy();
        return this.#close();
      }
      this.emit(name, res, socket, Buffer.concat(head));
      this.#close();
    }

    #ended(): void {
      if (!this.res && !this.#hasFailed) this.#fail(lost('socket hang up'));
      try {
        this.#parser?.finish();
      } catch {
        // Told where the connection is closed: as broken off.
      }
      this.socket?.end();
    }

    #failed(error: Error): void {
      if (!this.res || !this.res.complete) this.#fail(error);
      this.socket?.destroy();
    }

    #fail(error: Error): void {
      if (this.#hasFailed) return;
      this.#hasFailed = true;
      this.destroyed = true;
      host.process.nextTick(() => {
        this.emit('error', error);
        this.#close();
      });
    }

    #closed(): void {
      this.destroyed = true;
      const { res, socket } = this;
      if (socket && !socket.destroyed) socket.destroy();
      if (res) {
        if (!res.complete) res.destroy(lost());
        this.#close();
      } else if (!this.#hasFailed) this.#fail(lost('socket hang up'));
      else this.#close();
    }

    #close(): void {
      if (this.#isClosed) return;
      this.#isClosed = true;
      host.process.nextTick(() => this.emit('close'));
    }

    override setTimeout(ms: number, callback?: () => void): this {
      if (this._ended) return this;
      this.timeout = needTimeout(ms);
      if (callback) this.once('timeout', callback);
      if (this.socket) this.#listenTimeout(this.socket);
      return this;
    }

    abort(): void {
      if (this.aborted) return;
      this.aborted = true;
      host.process.nextTick(() => this.emit('abort'));
      this.destroy();
    }

    override _destroy(error: Error | null, done: Done): void {
      const { socket, res } = this;
      res?._dump();
      if (error) {
        this.#hasFailed = true;
        done(error);
      } else if (!res && !this.#hasFailed && (socket || !this.aborted)) {
        this.#hasFailed = true;
        done(lost('socket hang up'));
      } else done();
      if (socket) socket.destroy();
      else host.process.nextTick(() => host.process.nextTick(() => this.#close()));
    }

    clearTimeout(callback?: () => void): this {
      return this.setTimeout(0, callback);
    }

    setNoDelay(): void {}

    setSocketKeepAlive(): void {}
  }
  return inheritable(ClientRequest);
}

function needTimeout(ms: unknown): number {
  if (typeof ms !== 'number') throw argTypeError('msecs', 'number', ms);
  if (ms < 0 || !Number.isFinite(ms)) throw outOfRange('msecs', 'a non-negative finite number', ms);
  return Math.min(ms, 2 ** 31 - 1);
}
