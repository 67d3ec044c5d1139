import type { HostHandle, LoadBuiltin, NodeHost } from '../builtin.ts';
import { connectionRefused, nameNotFound } from '../internal/errno.ts';
import { abortError, argTypeError, nodeError } from '../internal/errors.ts';
import { validateHeaderName } from './headers.ts';
import type { IncomingMessage as Incoming, Messages } from './messages.ts';

export interface RequestOptions {
  readonly protocol?: string | null;
  readonly host?: string | null;
  readonly hostname?: string | null;
  readonly port?: string | number | null;
  readonly path?: string | null;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | number | string[]>> | readonly string[];
  readonly auth?: string | null;
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly agent?: unknown;
  readonly setHost?: boolean;
}

export type RequestArgs = [first: unknown, second?: unknown, third?: unknown];

const hungUp = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

export function makeClient(host: NodeHost, load: LoadBuiltin, messages: Messages, usual: 'http:' | 'https:') {
  const { Buffer } = load('buffer');
  const { IncomingMessage, OutgoingMessage, HttpSocket } = messages;

  function optionsOf([first, second, third]: RequestArgs): { options: RequestOptions; callback: unknown } {
    const callback = [second, third].find((each) => typeof each === 'function');
    const more = typeof second === 'object' && second !== null ? second : {};
    if (typeof first === 'string' || first instanceof URL) {
      const url = new URL(first);
      return { options: { ...load('url').urlToHttpOptions(url), ...more } as RequestOptions, callback };
    }
    if (typeof first !== 'object' || first === null)
      throw argTypeError('options', ['Object', 'string', 'URL'], first);
    return { options: { ...first, ...more }, callback };
  }

  return class ClientRequest extends OutgoingMessage {
    readonly method: string;
    readonly path: string;
    readonly host: string;
    readonly protocol: string;
    readonly agent: unknown;
    aborted = false;
    reusedSocket = false;
    res: Incoming | null = null;
    readonly #port: string;
    readonly #chunks: Uint8Array[] = [];
    readonly #abort = new AbortController();
    #handle: HostHandle | undefined;
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(...args: RequestArgs) {
      super(false);
      const { options, callback } = optionsOf(args);
      const protocol = options.protocol || usual;
      if (protocol !== usual)
        throw nodeError(
          'ERR_INVALID_PROTOCOL',
          `Protocol "${protocol}" not supported. Expected "${usual}"`,
          TypeError,
        );
      const path = options.path || '/';
      const method = options.method ?? 'GET';
      validateHeaderName(method, 'Method');
      if (/[^\u0021-\u00ff]/.test(path))
        throw nodeError('ERR_UNESCAPED_CHARACTERS', 'Request path contains unescaped characters', TypeError);
      this.protocol = protocol;
      this.path = path;
      this.method = method.toUpperCase();
      this.host = options.hostname || options.host || 'localhost';
      this.#port = options.port ? String(options.port) : '';
      this.agent = options.agent;
      this.#startHeaders(options);
      if (typeof callback === 'function') this.once('response', callback as (response: Incoming) => void);
      const { signal } = options;
      if (signal?.aborted) host.process.nextTick(() => this.destroy(abortError(signal.reason)));
      else signal?.addEventListener('abort', () => this.destroy(abortError(signal.reason)), { once: true });
      if (options.timeout) this.setTimeout(options.timeout);
      const socket = new HttpSocket(0);
      this.socket = socket;
      host.process.nextTick(() => this.emit('socket', socket));
    }

    #startHeaders({ headers, auth, setHost = true }: RequestOptions): void {
      this.takeHeaders(headers);
      const plain = this.#port === '' || this.#port === (this.protocol === 'https:' ? '443' : '80');
      if (setHost && !this.hasHeader('host'))
        this.setHeader('Host', plain ? this.host : `${this.host}:${this.#port}`);
      if (auth && !this.hasHeader('authorization'))
        this.setHeader('Authorization', `Basic ${Buffer.from(auth).toString('base64')}`);
    }

    protected override begin(length: number | undefined): void {
      if (this.begun) return;
      const { heads } = this;
      const bodiless = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'].includes(this.method);
      if (!heads.has('content-length') && !heads.has('transfer-encoding')) {
        if (length === undefined) heads.set('Transfer-Encoding', 'chunked');
        else if (length > 0 || !bodiless) heads.set('Content-Length', String(length));
      }
      if (!heads.has('connection')) heads.set('Connection', 'keep-alive');
      this.begun = true;
      this.headersSent = true;
      this.sink = {
        write: (bytes) => void this.#chunks.push(bytes),
        end: () => void this.#send(),
      };
    }

    async #send(): Promise<void> {
      const body = Buffer.concat(this.#chunks);
      const place = this.#port ? `:${this.#port}` : '';
      const name = this.host.includes(':') && !this.host.startsWith('[') ? `[${this.host}]` : this.host;
      this.#handle = host.handle();
      try {
        const answer = await host.fetch({
          url: `${this.protocol}//${name}${place}${this.path}`,
          method: this.method,
          headers: this.heads.list(),
          body: body.length > 0 ? body : null,
          signal: this.#abort.signal,
        });
        if (this.destroyed) return;
        this.#respond(answer);
      } catch (error) {
        this.#release();
        if (!this.destroyed) this.destroy(this.#failure(error));
      }
    }

    #respond(answer: Awaited<ReturnType<NodeHost['fetch']>>): void {
      const response = new IncomingMessage(this.socket ?? undefined).begin(answer.headers);
      response.statusCode = answer.status;
      response.statusMessage = answer.statusText;
      this.res = response;
      clearTimeout(this.#timer);
      response.on('close', () => {
        this.#release();
        this.destroyed = true;
        this.emit('close');
      });
      response.on('error', () => {});
      const heard = this.emit('response', response);
      if (!heard) response.resume();
      void response.receive(answer.body).finally(() => this.#release());
    }

    #failure(error: unknown): Error {
      if (!(error instanceof Error) || !('code' in error)) return error as Error;
      const code = String(error.code);
      if (code === 'ENOTFOUND') return nameNotFound(this.host);
      if (code === 'ECONNRESET') return hungUp();
      if (code === 'ECONNREFUSED') return connectionRefused(this.protocol, this.host, this.#port);
      return error;
    }

    #release(): void {
      clearTimeout(this.#timer);
      this.#handle?.release();
      this.#handle = undefined;
    }

    override setTimeout(milliseconds: number, callback?: () => void): this {
      clearTimeout(this.#timer);
      if (callback) this.once('timeout', callback);
      if (milliseconds > 0) {
        this.#timer = setTimeout(() => this.emit('timeout'), milliseconds);
        const { unref } = this.#timer as { unref?: () => void };
        unref?.call(this.#timer);
      }
      return this;
    }

    abort(): void {
      if (this.aborted) return;
      this.aborted = true;
      host.process.nextTick(() => this.emit('abort'));
      this.destroy();
    }

    override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
      this.#abort.abort();
      this.#release();
      this.res?.destroy();
      done(!error && !this.res && !this.aborted ? hungUp() : error);
      if (!this.res) host.process.nextTick(() => this.emit('close'));
    }

    setNoDelay(): void {}

    setSocketKeepAlive(): void {}
  };
}
