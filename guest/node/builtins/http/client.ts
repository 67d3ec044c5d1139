import { inheritable } from '../callable.ts';
import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import { abortError, argTypeError, nodeError } from '../internal/errors.ts';
import type { Agent, AgentOptions, PooledRequest, PooledSocket } from './agent.ts';
import { FOR_HTTP } from '../net/arguments.ts';
import { openingForHttp, type HttpEnd } from '../net/http-end.ts';
import { Exchange, type ExchangeContext, type ExchangeRequest } from './exchange.ts';
import type { Messages } from './messages.ts';
import { lost, type HttpSocket } from './connection.ts';
import type { IncomingMessage } from './incoming.ts';
import {
  checkRequest,
  headerPairs,
  hostHeader,
  mergeArguments,
  needTimeout,
  type RequestArgs,
  type RequestOptions,
  type RequestTarget,
} from './request-options.ts';

export type ClientRequest = InstanceType<ReturnType<typeof makeClient>>;

type Done = (error?: Error | null) => void;

export interface ClientParts {
  readonly messages: Messages;
  readonly globalAgent: () => Agent;
  readonly connect: (options: AgentOptions) => PooledSocket;
  /** Connects a socket that comes from the program's own `createConnection`. */
  readonly endTo?: HttpEnd;
}

const BODILESS = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];

export function makeClient(host: NodeHost, load: LoadBuiltin, parts: ClientParts) {
  const { Buffer } = load('buffer');
  const { OutgoingMessage, IncomingMessage } = parts.messages;
  const context: ExchangeContext = { host, IncomingMessage, concat: (list) => Buffer.concat(list) };

  class ClientRequest extends OutgoingMessage implements PooledRequest, ExchangeRequest {
    readonly method: string;
    path: string;
    readonly host: string;
    readonly protocol: string;
    readonly agent: Agent | undefined;
    readonly maxHeaderSize: number | undefined;
    readonly joinDuplicateHeaders: boolean;
    timeout: number | undefined;
    aborted = false;
    reusedSocket = false;
    res: IncomingMessage | null = null;
    _ended = false;
    upgradeOrConnect = false;
    readonly #exchange = new Exchange(this, context);

    constructor(...args: RequestArgs) {
      super(false);
      const { options: given, callback } = mergeArguments(args, (url) => load('url').urlToHttpOptions(url));
      const agent = (this.agent = agentOf(given, parts.globalAgent));
      const target = checkRequest(given, agent, parts.globalAgent());
      const { options } = target;
      this.method = target.method;
      this.path = target.path;
      this.host = target.host;
      this.protocol = target.protocol;
      this.maxHeaderSize = options.maxHeaderSize;
      this.joinDuplicateHeaders = options.joinDuplicateHeaders ?? false;
      if (options.timeout !== undefined) this.timeout = needTimeout(options.timeout);
      this.useChunkedEncodingByDefault = !BODILESS.includes(this.method);
      if (agent && (agent.keepAlive || Number.isFinite(agent.maxSockets))) this.shouldKeepAlive = true;
      else {
        this._last = true;
        this.shouldKeepAlive = false;
      }
      if (callback) this.once('response', callback);
      this.#startHeaders(target);
      const { signal } = options;
      if (signal?.aborted) host.process.nextTick(() => this.destroy(abortError(signal.reason)));
      else signal?.addEventListener('abort', () => this.destroy(abortError(signal.reason)), { once: true });
      this.on('finish', () => this.#exchange.requestFinished());
      this.#connect(options);
    }

    #startHeaders({ options, host: name, defaultPort }: RequestTarget): void {
      const { headers, auth, setDefaultHeaders = true, setHost = setDefaultHeaders, port } = options;
      if (!setDefaultHeaders) this._removedConnection = this._removedContLen = this._removedTE = true;
      if (Array.isArray(headers))
        return this._storeHeader(`${this.method} ${this.path} HTTP/1.1\r\n`, headerPairs(headers));
      this._takeHeaders(headers);
      const given = this.getHeader('host');
      if (Array.isArray(given)) throw argTypeError('options.headers.host', 'string', given);
      if (setHost && !this.hasHeader('host')) this.setHeader('Host', hostHeader(name, port, defaultPort));
      if (auth && !this.hasHeader('authorization'))
        this.setHeader('Authorization', `Basic ${Buffer.from(auth).toString('base64')}`);
      if (this.hasHeader('expect')) this._implicitHeader();
    }

    #connect({ signal: _signal, ...options }: RequestOptions): void {
      if (this.agent)
        return this.agent.addRequest(this, { ...options, ...(parts.endTo && { [FOR_HTTP]: parts.endTo }) });
      this._last = true;
      this.shouldKeepAlive = false;
      const { createConnection } = options;
      if (!createConnection) return this.onSocket(parts.connect(options));
      let isDone = false;
      const done = (error: Error | null, socket?: PooledSocket) => {
        if (isDone) return;
        isDone = true;
        this.onSocket(socket ?? null, error ?? undefined);
      };
      // The path of a socket is another thing than the path of a request.
      const { path: _request, socketPath, ...rest } = options;
      const given = { ...rest, ...(socketPath && { path: socketPath, socketPath }) };
      const open = () => createConnection(given, done);
      const socket = parts.endTo ? openingForHttp(parts.endTo, open) : open();
      if (socket) done(null, socket);
    }

    onSocket(socket: HttpSocket | null, error?: Error): void {
      host.process.nextTick(() => {
        if (!this.destroyed && !error && socket) return this.#exchange.start(socket);
        if (socket && !error && this.agent?.keepAlive && !socket.destroyed) socket.emit('free');
        else socket?.destroy(error);
        if (!this.destroyed) this.#exchange.fail(error ?? lost('socket hang up'));
        else this.#exchange.close();
      });
    }

    override _implicitHeader(): void {
      if (this._header !== null)
        throw nodeError('ERR_HTTP_HEADERS_SENT', 'Cannot render headers after they are sent to the client');
      this._storeHeader(`${this.method} ${this.path} HTTP/1.1\r\n`);
    }

    override setTimeout(ms: number, callback?: () => void): this {
      if (this._ended) return this;
      this.timeout = needTimeout(ms);
      if (callback) this.once('timeout', callback);
      if (this.socket) this.#exchange.listenTimeout(this.socket);
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
      const exchange = this.#exchange;
      res?._dump();
      if (error) {
        exchange.hasFailed = true;
        done(error);
      } else if (!res && !exchange.hasFailed && (socket || !this.aborted)) {
        exchange.hasFailed = true;
        done(lost('socket hang up'));
      } else done();
      if (socket) socket.destroy();
      else host.process.nextTick(() => host.process.nextTick(() => exchange.close()));
    }

    clearTimeout(callback?: () => void): this {
      return this.setTimeout(0, callback);
    }

    setNoDelay(): void {}

    setSocketKeepAlive(): void {}
  }
  return inheritable(ClientRequest);
}

/** Returns the agent of a request, or none if the request connects by itself. */
function agentOf({ agent, createConnection }: RequestOptions, globalAgent: () => Agent): Agent | undefined {
  if (agent === false) return new (globalAgent().constructor as new () => Agent)();
  if (agent === null || agent === undefined) return createConnection ? undefined : globalAgent();
  if (typeof agent.addRequest !== 'function')
    throw argTypeError('options.agent', ['Agent-like Object', 'undefined', 'false'], agent);
  return agent;
}
