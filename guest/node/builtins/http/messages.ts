import type { HeaderList, LoadBuiltin } from '../builtin.ts';
import { nodeError } from '../internal/errors.ts';
import { makeIdleSocket } from '../net.ts';
import { incomingHeaders, OutgoingHeaders, type HeaderValue } from './headers.ts';
import { STATUS_CODES } from './names.ts';

/** Where the bytes of a message go once its head is settled. */
export interface Sink {
  write(bytes: Uint8Array): void;
  end(): void;
}

export type Messages = ReturnType<typeof makeMessages>;
export type IncomingMessage = InstanceType<Messages['IncomingMessage']>;
export type OutgoingMessage = InstanceType<Messages['OutgoingMessage']>;
export type ServerResponse = InstanceType<Messages['ServerResponse']>;

type Respond = (status: number, text: string, headers: [string, string][]) => Sink;
type Done = (error?: Error | null) => void;

const lost = () => Object.assign(new Error('aborted'), { code: 'ECONNRESET' });

/** The messages of HTTP as streams of this process. */
export function makeMessages(load: LoadBuiltin) {
  const { Readable, Writable } = load('stream');
  const { Buffer } = load('buffer');

  /** What stands for a connection: it has addresses. */
  class HttpSocket extends makeIdleSocket(load) {
    remoteAddress = '127.0.0.1';
    remoteFamily = 'IPv4';
    remotePort = 0;
    localAddress = '127.0.0.1';
    localPort: number;
    encrypted = false;
    timeout = 0;
    constructor(localPort: number) {
      super();
      this.localPort = localPort;
    }
    address() {
      return { address: this.localAddress, family: 'IPv4', port: this.localPort };
    }
  }

  class IncomingMessage extends Readable {
    httpVersion = '1.1';
    httpVersionMajor = 1;
    httpVersionMinor = 1;
    complete = false;
    aborted = false;
    rawHeaders: string[] = [];
    rawTrailers: string[] = [];
    trailers: Record<string, string> = {};
    url = '';
    method: string | null = null;
    statusCode: number | null = null;
    statusMessage: string | null = null;
    headers: Record<string, string | string[]> = {};
    socket: InstanceType<typeof HttpSocket>;
    #resume: (() => void) | undefined;

    constructor(socket?: InstanceType<typeof HttpSocket>) {
      super({ highWaterMark: 64 * 1024 });
      this.socket = socket ?? new HttpSocket(0);
    }

    get connection(): InstanceType<typeof HttpSocket> {
      return this.socket;
    }

    get headersDistinct(): Record<string, string[]> {
      const found = Object.create(null) as Record<string, string[]>;
      for (let at = 0; at < this.rawHeaders.length; at += 2)
        (found[(this.rawHeaders[at] ?? '').toLowerCase()] ??= []).push(this.rawHeaders[at + 1] ?? '');
      return found;
    }

    /** Takes the head of what came. */
    begin(list: HeaderList): this {
      this.rawHeaders = list.flatMap(([name, value]) => [name, value]);
      this.headers = incomingHeaders(list);
      return this;
    }

    /** Takes the body, as fast as it is read. */
    async receive(body: AsyncIterable<Uint8Array>): Promise<void> {
      try {
        for await (const bytes of body) {
          if (this.destroyed) return;
          if (!this.push(Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)))
            await new Promise<void>((resolve) => (this.#resume = resolve));
        }
        this.complete = true;
        this.push(null);
      } catch (error) {
        this.aborted = true;
        this.emit('aborted');
        const isLost = error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
        this.destroy(isLost ? lost() : (error as Error));
      }
    }

    /** Whoever sends it is gone. */
    leave(): void {
      if (this.destroyed) return;
      if (!this.readableEnded) {
        this.aborted = true;
        this.emit('aborted');
      }
      this.destroy(!this.readableEnded && this.listenerCount('error') > 0 ? lost() : undefined);
    }

    override _read(): void {
      this.#resume?.();
      this.#resume = undefined;
    }

    override _destroy(error: Error | null, done: Done): void {
      this.#resume?.();
      done(error);
    }

    setTimeout(_ms: number, callback?: () => void): this {
      if (callback) this.on('timeout', callback);
      return this;
    }
  }

  class OutgoingMessage extends Writable {
    readonly #headers = new OutgoingHeaders();
    sendDate = true;
    shouldKeepAlive = true;
    chunkedEncoding = false;
    useChunkedEncodingByDefault = true;
    finished = false;
    headersSent = false;
    /** The head is on its way; it may have been written before that. */
    protected begun = false;
    socket: InstanceType<typeof HttpSocket> | null = null;
    /** Before the head is sent: what has been written. */
    protected sink: Sink | undefined;

    /** `closes`: it is over once all of it is written, with no answer to come. */
    constructor(closes = true) {
      super({ decodeStrings: true, autoDestroy: closes, emitClose: closes });
    }

    get connection(): InstanceType<typeof HttpSocket> | null {
      return this.socket;
    }

    get _header(): string | null {
      return this.headersSent ? '' : null;
    }

    protected get heads(): OutgoingHeaders {
      return this.#headers;
    }

    protected needUnsent(verb: string): void {
      if (this.headersSent)
        throw nodeError('ERR_HTTP_HEADERS_SENT', `Cannot ${verb} headers after they are sent to the client`);
    }

    setHeader(name: string, value: HeaderValue): this {
      this.needUnsent('set');
      this.#headers.set(name, value);
      return this;
    }

    setHeaders(headers: Iterable<readonly [string, HeaderValue]>): this {
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
          this.appendHeader(String(headers[at]), String(headers[at + 1]));
    }

    appendHeader(name: string, value: string | string[]): this {
      this.needUnsent('append');
      this.#headers.append(name, value);
      return this;
    }

    getHeader(name: string): HeaderValue | undefined {
      return this.#headers.get(name);
    }

    getHeaders(): Record<string, HeaderValue> {
      return this.#headers.all();
    }

    getHeaderNames(): string[] {
      return this.#headers.names(false);
    }

    getRawHeaderNames(): string[] {
      return this.#headers.names(true);
    }

    hasHeader(name: string): boolean {
      return this.#headers.has(name);
    }

    removeHeader(name: string): void {
      this.needUnsent('remove');
      this.#headers.delete(name);
    }

    flushHeaders(): void {
      this.begin(undefined);
    }

    addTrailers(): void {}

    setTimeout(_ms: number, callback?: () => void): this {
      if (callback) this.once('timeout', callback);
      return this;
    }

    /** Settles the head. `length`: of the whole body where it is known. */
    protected begin(_length: number | undefined): void {}

    override end(...args: unknown[]): this {
      const [chunk, encoding] = args;
      if (!this.writableEnded && !this.begun) {
        if (chunk === undefined || chunk === null || typeof chunk === 'function') this.begin(0);
        else if (typeof chunk === 'string' || chunk instanceof Uint8Array)
          this.begin(
            Buffer.byteLength(chunk as string, (typeof encoding === 'string' ? encoding : 'utf8') as 'utf8'),
          );
      }
      this.finished = true;
      Reflect.apply(super.end, this, args);
      return this;
    }

    override _write(chunk: Uint8Array, _encoding: string, done: Done): void {
      if (!this.begun) this.begin(undefined);
      this.sink?.write(Uint8Array.from(chunk));
      done();
    }

    override _final(done: Done): void {
      if (!this.begun) this.begin(0);
      this.sink?.end();
      done();
    }
  }

  class ServerResponse extends OutgoingMessage {
    statusCode = 200;
    statusMessage: string | undefined;
    readonly req: InstanceType<typeof IncomingMessage>;
    readonly #respond: Respond;

    constructor(
      request: InstanceType<typeof IncomingMessage>,
      respond: Respond = () => ({ write: () => {}, end: () => {} }),
    ) {
      super();
      this.req = request;
      this.socket = request.socket;
      this.#respond = respond;
    }

    writeHead(status: number, second?: unknown, third?: unknown): this {
      this.needUnsent('write');
      const code = Math.trunc(status);
      if (!(code >= 100 && code <= 999))
        throw nodeError('ERR_HTTP_INVALID_STATUS_CODE', `Invalid status code: ${String(status)}`, RangeError);
      this.statusCode = code;
      if (typeof second === 'string') this.statusMessage = second;
      this.takeHeaders(typeof second === 'object' && second !== null ? second : third);
      this.headersSent = true;
      return this;
    }

    // Why it was broken off is told to nobody: there may be no listener, and the client sees the connection lost.
    override _destroy(_error: Error | null, done: Done): void {
      done();
    }

    writeContinue(): void {}

    writeProcessing(): void {}

    writeEarlyHints(_hints: unknown, done?: () => void): void {
      done?.();
    }

    assignSocket(): void {}

    detachSocket(): void {}

    protected override begin(length: number | undefined): void {
      if (this.begun) return;
      // A head that was written by itself cannot know how long the body will be.
      const known = this.headersSent ? undefined : length;
      const text = this.statusMessage ?? STATUS_CODES[String(this.statusCode)] ?? 'unknown';
      this.statusMessage = text;
      const { heads } = this;
      const bodiless = this.statusCode === 204 || this.statusCode === 304 || this.req.method === 'HEAD';
      if (this.sendDate && !heads.has('date')) heads.set('Date', new Date().toUTCString());
      if (!heads.has('connection')) {
        heads.set('Connection', 'keep-alive');
        heads.set('Keep-Alive', 'timeout=5');
      }
      if (!heads.has('content-length') && !heads.has('transfer-encoding') && !bodiless) {
        if (known === undefined) heads.set('Transfer-Encoding', 'chunked');
        else heads.set('Content-Length', String(known));
      }
      this.begun = true;
      this.headersSent = true;
      const sink = this.#respond(this.statusCode, text, heads.list());
      this.sink = bodiless ? { write: () => {}, end: () => sink.end() } : sink;
    }
  }

  return { HttpSocket, IncomingMessage, OutgoingMessage, ServerResponse };
}
