import { plainBase } from '../callable.ts';
import type { LoadBuiltin } from '../builtin.ts';
import { argTypeError, needString, nodeError } from '../internal/errors.ts';
import type { HttpSocket } from './connection.ts';
import { OutgoingHeaders, validateHeaderName, validateHeaderValue, type HeaderValue } from './headers.ts';

const NO_HEADERS = new OutgoingHeaders();

type TrailerList = readonly (readonly [string, string])[];

const isList = (value: object): value is TrailerList => Array.isArray(value);

/** The head of a message that goes out: its headers and trailers, as node's `OutgoingMessage` keeps them. */
export function makeOutgoingHead(load: LoadBuiltin) {
  const { Writable } = load('stream');

  return class OutgoingHead extends plainBase(Writable) {
    sendDate = false;
    shouldKeepAlive = true;
    chunkedEncoding = false;
    useChunkedEncodingByDefault = true;
    maxRequestsOnConnectionReached = false;
    finished = false;
    socket: HttpSocket | null = null;
    /** The text of the head, once it can no longer change. */
    _header: string | null = null;
    _headerSent = false;
    _hasBody = true;
    /** Whether the connection closes after this message. */
    _last = false;
    _trailer = '';
    _contentLength: number | null = null;
    _keepAliveTimeout = 0;
    _maxRequests = 0;
    _removedConnection = false;
    _removedContLen = false;
    _removedTE = false;
    #headers: OutgoingHeaders | undefined;

    get connection(): HttpSocket | null {
      return this.socket;
    }
    set connection(socket: HttpSocket | null) {
      this.socket = socket;
    }

    get headersSent(): boolean {
      return this._header !== null;
    }

    get _outHeaders(): OutgoingHeaders | undefined {
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

    /** Sets headers that are given as names and values in turn, as pairs, or as an object. */
    _takeHeaders(headers: unknown): void {
      if (!Array.isArray(headers)) {
        for (const [name, value] of Object.entries<HeaderValue>(Object(headers))) this.setHeader(name, value);
      } else if (headers.every(Array.isArray)) {
        for (const [name, value] of headers) this.setHeader(String(name), value);
      } else
        for (let at = 0; at < headers.length; at += 2)
          this.appendHeader(String(headers[at]), headers[at + 1]);
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

    addTrailers(headers: Record<string, string> | TrailerList): void {
      const list = isList(headers) ? headers : Object.entries(headers);
      for (const [name, value] of list) {
        validateHeaderName(name);
        validateHeaderValue(name, value);
        this._trailer += `${name}: ${value}\r\n`;
      }
    }
  };
}
