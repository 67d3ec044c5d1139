import { plainBase } from '../callable.ts';
import type { HeaderList, LoadBuiltin, NodeHost } from '../builtin.ts';
import type { HttpSocket } from './connection.ts';
import { distinctHeaders, incomingHeaders } from './headers.ts';

export type IncomingMessage = InstanceType<ReturnType<typeof makeIncoming>>;

type Done = (error?: Error | null) => void;

export function makeIncoming(host: NodeHost, load: LoadBuiltin) {
  const { Readable } = load('stream');
  const { Buffer } = load('buffer');

  return class IncomingMessage extends plainBase(Readable) {
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

    /** Takes the head of the message. */
    _begin(version: string, list: HeaderList): this {
      this.httpVersion = version;
      [this.httpVersionMajor = NaN, this.httpVersionMinor = NaN] = version.split('.').map(Number);
      this.#list = list;
      this.rawHeaders = list.flat();
      return this;
    }

    /** Takes a piece of the body. */
    _take(bytes: Uint8Array): void {
      if (this.destroyed || this.readableEnded) return;
      if (!this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) this.socket.pause();
    }

    /** Marks the message as complete. */
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

    /** Discards the body, which nobody reads. */
    _dump(): void {
      this.resume();
    }
  };
}
