import { plainBase } from '../callable.ts';
import type { HeaderList, LoadBuiltin, NodeHost } from '../builtin.ts';
import { argTypeError, needString, nodeError } from '../internal/errors.ts';
import type { Socket } from '../net/socket.ts';
import {
  distinctHeaders,
  incomingHeaders,
  OutgoingHeaders,
  validateHeaderName,
  validateHeaderValue,
  type HeaderValue,
} from './headers.ts';

export type Messages = ReturnType<typeof makeMessages>;
export type IncomingMessage = InstanceType<Messages['IncomingMessage']>;
export type OutgoingMessage = InstanceType<Messages['OutgoingMessage']>;

/** A connection: a socket of this process, or what a program gives for one. */
export type HttpSocket = Pick<
  Socket,
  'write' | 'end' | 'destroy' | 'on' | 'once' | 'off' | 'emit' | 'pause' | 'resume' | 'read'
> & {
  readonly destroyed: boolean;
  readonly writable: boolean;
  readonly readable: boolean;
  readonly writableNeedDrain?: boolean;
  readonly writableLength?: number;
  readonly connecting?: boolean;
  setTimeout?(ms: number, done?: () => void): unknown;
  destroySoon?(error?: Error): void;
  listenerCount(name: string): number;
  _httpMessage?: unknown;
};

type Done = (error?: Error | null) => void;

/** The other side has left, in the words that node has for it there. */
export function lost(words = 'aborted'): Error {
  return Object.assign(new Error(words), { code: 'ECONNRESET' });
}

/** The messages of HTTP as streams of this process. */
export function makeMessages(host: NodeHost, load: LoadBuiltin) {
  const { Readable, Writable } = load('stream');
  const { Buffer } = load('buffer');

  class IncomingMessage extends plainBase(Readable) {
    httpVersion: string | null = null;
    httpVersionMajor: number | null = null;
    httpVersionMinor: number | null = null;
    complete = false;
    aborted = false;
    upgrade: boolean | null = null;
    joinDuplicateHeaders = false;
    rawHeaders: string[] = [];
    rawTrailers: string[] = [];
    url = '';
    method: string | null = null;
    statusCode: number | null = null;
    statusMessage: string | null = null;
    socket: HttpSocket;
    client: HttpSocket;
    #list: HeaderList = [];
    #trailerList: HeaderList = [];
    #headers: Record<string, string | string[]> | undefined;
    #trailers: Record<string, string | string[]> | undefined;
    #distinct: Record<string, string[]> | undefined;

    constructor(socket: HttpSocket) {
      super({ highWaterMark: 64 * 1024 });
      this.socket = socket;
      this.client = socket;
    }

    get connection(): HttpSocket {
      return this.socket;
    }
    set connection(socket: HttpSocket) {
      this.socket = socket;
    }

    get headers(): Record<string, string | string[]> {
      return (this.#headers ??= incomingHeaders(this.#list, this.joinDuplicateHeaders));
    }
    set headers(headers: Record<string, string | string[]>) {
      this.#headers = headers;
    }

    get headersDistinct(): Record<string, string[]> {
      return (this.#distinct ??= distinctHeaders(this.#list));
    }
    set headersDistinct(headers: Record<string, string[]>) {
      this.#distinct = headers;
    }

    get trailers(): Record<string, string | string[]> {
      return (this.#trailers ??= incomingHeaders(this.#trailerList));
    }
    set trailers(trailers: Record<string, string | string[]>) {
      this.#trailers = trailers;
    }

    get trailersDistinct(): Record<string, string[]> {
      return distinctHeaders(this.#trailerList);
    }

    /** Takes the head of what came. */
    _begin(version: string, list: HeaderList): this {
      this.httpVersion = version;
      [this.httpVersionMajor, this.httpVersionMinor] = version.split('.').map(Number) as [number, number];
      this.#list = list;
      this.rawHeaders = list.flat();
      return this;
    }

    /** Takes a piece of the body. */
    _take(bytes: Uint8Array): void {
      if (this.destroyed || this.readableEnded) return;
      if (!this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) this.socket.pause();
    }

    /** All of it is there. */
    _finish(trailers: HeaderList): void {
      this.#trailerList = trailers;
      this.rawTrailers = trailers.flat();
      this.complete = true;
      if (!this.destroyed) this.push(null);
    }

    override _read(): void {
      if (this.socket.readable) this.socket.resume();
    }

    override _destroy(error: Error | null, done: Done): void {
      if (!this.readableEnded || !this.complete) {
        this.aborted = true;
        this.emit('aborted');
        if (!this.socket.destroyed) this.socket.destroy(error ?? undefined);
      }
      // An error event without a listener would be uncaught.
      host.process.nextTick(() => done(this.listenerCount('error') === 0 ? null : error));
    }

    setTimeout(ms: number, callback?: () => void): this {
      if (callback) this.on('timeout', callback);
      this.socket.setTimeout?.(ms);
      return this;
    }

    /** Nobody reads it. */
    _dump(): void {
      this.resume();
    }
  }

  class OutgoingMessage extends plainBase(Writable) {
    sendDate = false;
    shouldKeepAlive = true;
    chunkedEncoding = false;
    useChunkedEncodingByDefault = true;
    maxRequestsOnConnectionReached = false;
    finished = false;
    socket: HttpSocket | null = null;
    /** The text of the head, once it is settled. */
    _header: string | null = null;
    _headerSent = false;
    _hasBody = true;
    /** After it the connection is closed. */
    _last = false;
    _trailer = '';
    _contentLength: number | null = null;
    _keepAliveTimeout = 0;
    _maxRequests = 0;
    _removedConnection = false;
    _removedContLen = false;
    _removedTE = false;
    #headers: OutgoingHeaders | undefined;
    #waiting: (() => void)[] = [];

    /** `closes`: it is over once all of it is written, with no answer to come. */
    constructor(closes = true) {
      super({ decodeStrings: true, autoDestroy: closes, emitClose: closes });
    }

    get connection(): HttpSocket | null {
      return this.socket;
    }
    set connection(socket: HttpSocket | null) {
      this.socket = socket;
    }

    get headersSent(): boolean {
      return this._header !== null;
    }

    protected get heads(): OutgoingHeaders | undefined {
      return this.#headers;
    }

    #needUnsent(verb: string): void {
      if (this._header !== null)
        throw nodeError('ERR_HTTP_HEADERS_SENT', `Cannot ${verb} headers after they are sent to the client`);
    }

    setHeader(name: string, value: HeaderValue): this {
      this.#needUnsent('set');
      validateHeaderName(name);
      validateHeaderValue(name, value);
      (this.#headers ??= new OutgoingHeaders()).set(name, value);
      return this;
    }

    setHeaders(headers: Iterable<readonly [string, HeaderValue]>): this {
      this.#needUnsent('set');
      if (!(headers instanceof Headers) && !(headers instanceof Map))
        throw argTypeError('headers', ['Headers', 'Map'], headers);
      for (const [name, value] of headers) this.setHeader(name, value);
      return this;
    }

    /** Names and values as a list of both in turn, as pairs, or as an object. */
    protected takeHeaders(headers: unknown): void {
      if (!Array.isArray(headers)) {
        for (const [name, value] of Object.entries((headers ?? {}) as Record<string, HeaderValue>))
          this.setHeader(name, value);
      } else if (headers.every(Array.isArray)) {
        for (const [name, value] of headers) this.setHeader(String(name), value as string);
      } else
        for (let at = 0; at < headers.length; at += 2)
          this.appendHeader(String(headers[at]), headers[at + 1] as string);
    }

    appendHeader(name: string, value: string | string[]): this {
      this.#needUnsent('append');
      validateHeaderName(name);
      validateHeaderValue(name, value);
      (this.#headers ??= new OutgoingHeaders()).append(name, value);
      return this;
    }

    getHeader(name: string): HeaderValue | undefined {
      return (this.#headers ?? NO_HEADERS).get(name);
    }

    getHeaders(): Record<string, HeaderValue> {
      return (this.#headers ?? NO_HEADERS).all();
    }

    getHeaderNames(): string[] {
      return this.#headers?.names(false) ?? [];
    }

    getRawHeaderNames(): string[] {
      return this.#headers?.names(true) ?? [];
    }

    hasHeader(name: string): boolean {
      needString(name, 'name');
      return this.#headers?.has(name) ?? false;
    }

    removeHeader(name: string): void {
      needString(name, 'name');
      this.#needUnsent('remove');
      const lower = name.toLowerCase();
      if (lower === 'connection') this._removedConnection = true;
      if (lower === 'content-length') this._removedContLen = true;
      if (lower === 'transfer-encoding') this._removedTE = true;
      if (lower === 'date') this.sendDate = false;
      this.#headers?.delete(name);
    }

    flushHeaders(): void {
      if (this._header === null) this._implicitHeader();
      this._sendHead();
    }

    addTrailers(headers: Record<string, string> | readonly (readonly [string, string])[]): void {
      const list = Array.isArray(headers) ? headers : Object.entries(headers);
      for (const [name, value] of list as [string, string][]) {
        validateHeaderName(name);
        validateHeaderValue(name, value);
        this._trailer += `${name}: ${value}\r\n`;
      }
    }

    setTimeout(ms: number, callback?: () => void): this {
      if (callback) this.on('timeout', callback);
      if (this.socket) this.socket.setTimeout?.(ms);
      else this.once('socket', (socket: HttpSocket) => socket.setTimeout?.(ms));
      return this;
    }

    /** Settles the head as it is when nothing was said of it. */
    _implicitHeader(): void {
      this.destroy(
        nodeError('ERR_METHOD_NOT_IMPLEMENTED', 'The _implicitHeader() method is not implemented'),
      );
    }

    /** Settles the head; `given` comes in place of the headers that were set. */
    _storeHeader(first: string, given?: HeaderList): void {
      const list = given ?? this.#headers?.list() ?? [];
      const names = new Map(list.map(([name, value]) => [name.toLowerCase(), value]));
      let head = first + list.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      const connection = names.get('connection');
      if (connection !== undefined) {
        this._removedConnection = false;
        if (/\bclose\b/i.test(connection)) this._last = true;
        else this.shouldKeepAlive = true;
      }
      if (this.sendDate && !names.has('date')) head += `Date: ${new Date().toUTCString()}\r\n`;
      const hasLength = names.has('content-length');
      const encoding = names.get('transfer-encoding');
      if (encoding !== undefined && /\bchunked\b/i.test(encoding)) this.chunkedEncoding = true;
      if (this.chunkedEncoding && /^HTTP\S+ (204|304) /.test(first)) {
        this.chunkedEncoding = false;
        this.shouldKeepAlive = false;
      }
      if (this._removedConnection) this._last = !this.shouldKeepAlive;
      else if (connection === undefined) head += this.#connectionHeader(hasLength, names.has('keep-alive'));
      if (!hasLength && encoding === undefined) {
        if (!this._hasBody) this.chunkedEncoding = false;
        else if (!this.useChunkedEncodingByDefault) this._last = true;
        else if (!names.has('trailer') && !this._removedContLen && this._contentLength !== null)
          head += `Content-Length: ${this._contentLength}\r\n`;
        else if (!this._removedTE) {
          head += 'Transfer-Encoding: chunked\r\n';
          this.chunkedEncoding = true;
        } else this._last = true;
      }
      if (!this.chunkedEncoding && names.has('trailer'))
        throw nodeError('ERR_HTTP_TRAILER_INVALID', 'Trailers are invalid with this transfer encoding');
      this._header = `${head}\r\n`;
      if (names.has('expect')) this._sendHead();
    }

    #connectionHeader(hasLength: boolean, hasKeepAlive: boolean): string {
      const keeps =
        this.shouldKeepAlive && (hasLength || this.useChunkedEncodingByDefault || 'agent' in this);
      if (this.maxRequestsOnConnectionReached || !keeps) {
        this._last = true;
        return 'Connection: close\r\n';
      }
      const seconds = Math.floor(this._keepAliveTimeout / 1000);
      const max = this._maxRequests > 0 ? `, max=${this._maxRequests}` : '';
      return `Connection: keep-alive\r\n${seconds > 0 && !hasKeepAlive ? `Keep-Alive: timeout=${seconds}${max}\r\n` : ''}`;
    }

    /** The head, where it has not been sent. */
    #takeHead(): string {
      if (this._headerSent) return '';
      if (this._header === null) this._implicitHeader();
      if (this._headerSent) return '';
      this._headerSent = true;
      return this._header ?? '';
    }

    _sendHead(): void {
      const head = this.#takeHead();
      if (head) this._put(Buffer.from(head, 'latin1'), () => {});
    }

    /** Puts bytes on the connection, once there is one; `done` where there is room for more. */
    _put(bytes: Uint8Array, done: Done): void {
      const { socket } = this;
      if (!socket || this.#waiting.length > 0) return void this.#waiting.push(() => this._put(bytes, done));
      if (socket.destroyed || !socket.writable) return done();
      if (bytes.byteLength === 0 || socket.write(bytes) || socket.connecting) return done();
      const on = () => {
        socket.off('drain', on);
        socket.off('close', on);
        done();
      };
      socket.on('drain', on);
      socket.on('close', on);
    }

    /** There is a connection now. */
    protected flushTo(socket: HttpSocket): void {
      this.socket = socket;
      for (const put of this.#waiting.splice(0)) put();
    }

    /** Reports a write after the end as an error, which does not interrupt data on the way. */
    #late(done: unknown): void {
      const error = nodeError('ERR_STREAM_WRITE_AFTER_END', 'write after end');
      const { destroyed } = this;
      host.process.nextTick(() => {
        if (typeof done === 'function') done(error);
        if (!destroyed) this.emit('error', error);
      });
    }

    override write(...args: unknown[]): boolean {
      if (!this.writableEnded) return Reflect.apply(super.write, this, args) as boolean;
      this.#late(args.findLast((each) => typeof each === 'function'));
      return false;
    }

    override pipe(): never {
      this.emit('error', nodeError('ERR_STREAM_CANNOT_PIPE', 'Cannot pipe, not readable'));
      return undefined as never;
    }

    override end(...args: unknown[]): this {
      const [chunk, encoding] = args;
      if (this.writableEnded && !this.destroyed) {
        const done = args.findLast((each) => typeof each === 'function') as Done | undefined;
        const isOver = this.writableFinished || this.socket?.writableLength === 0;
        if (chunk && chunk !== done) this.#late(done);
        else if (done && !isOver) this.on('finish', done);
        else done?.(nodeError('ERR_STREAM_ALREADY_FINISHED', 'Cannot call end after a stream was finished'));
        return this;
      }
      if (!this.writableEnded && this._header === null) {
        const isBytes = typeof chunk === 'string' || chunk instanceof Uint8Array;
        if (isBytes)
          this._contentLength = Buffer.byteLength(
            chunk as string,
            (typeof encoding === 'string' ? encoding : 'utf8') as 'utf8',
          );
        else if (chunk === undefined || chunk === null || typeof chunk === 'function')
          this._contentLength = 0;
        if (this._contentLength !== null) this._implicitHeader();
      }
      this.finished = true;
      Reflect.apply(super.end, this, args);
      return this;
    }

    override _write(chunk: Uint8Array, _encoding: string, done: Done): void {
      const head = this.#takeHead();
      if (!this._hasBody) return this._put(Buffer.from(head, 'latin1'), done);
      if (chunk.byteLength === 0) return this._put(Buffer.from(head, 'latin1'), done);
      if (!this.chunkedEncoding && head === '') return this._put(chunk, done);
      const before = this.chunkedEncoding ? `${head}${chunk.byteLength.toString(16)}\r\n` : head;
      const parts = [Buffer.from(before, 'latin1'), chunk];
      if (this.chunkedEncoding) parts.push(LINE_END);
      this._put(Buffer.concat(parts), done);
    }

    override _final(done: Done): void {
      const head = this.#takeHead();
      const last = this.chunkedEncoding && this._hasBody ? `0\r\n${this._trailer}\r\n` : '';
      this.emit('prefinish');
      this._put(Buffer.from(head + last, 'latin1'), done);
    }
  }

  return { IncomingMessage, OutgoingMessage };
}

const NO_HEADERS = new OutgoingHeaders();
const LINE_END = Uint8Array.of(13, 10);
