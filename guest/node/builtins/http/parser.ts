import { plainError } from '../internal/errors.ts';
import type { HeaderList } from '../builtin.ts';
import { METHODS } from './names.ts';

/** The first line of a message and its headers. */
export interface Head {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly version: string;
  readonly headers: HeaderList;
  /** Whether the connection stays open: as the message says, or by default in this version. */
  readonly keepAlive: boolean;
  /** Whether the connection switches to another protocol, if the other side agrees. */
  readonly upgrade: boolean;
}

/** How the body of a message goes on: there is none, it comes as told, or what follows is no HTTP any more. */
export type BodyKind = 'told' | 'none' | 'other';

export interface ParserEvents {
  head(head: Head): BodyKind;
  body(bytes: Uint8Array): void;
  end(trailers: HeaderList): void;
  /** All that comes after a head that was answered with `other`. */
  rest(bytes: Uint8Array): void;
}

export interface ParserOptions {
  readonly maxHeaderSize: number;
}

type Expects =
  'first' | 'headers' | 'length' | 'chunk' | 'chunkData' | 'chunkEnd' | 'trailers' | 'close' | 'other';

const NEWLINE = 10;
const latin1 = new TextDecoder('latin1');
const token = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/;
const noBytes = new Uint8Array();

/** How many bytes the head of a message may have, as in node. */
export const MAX_HEADER_SIZE = 16 * 1024;

/** Returns an error with the text of node's parser. */
export function parseError(code: string, reason: string): Error {
  return Object.assign(plainError(code, `Parse Error: ${reason}`), { reason, bytesParsed: 0 });
}

/** Reads messages of HTTP/1.1 as their bytes come. */
export class HttpParser {
  readonly #kind: 'request' | 'response';
  readonly #events: ParserEvents;
  readonly #maxHeaderSize: number;
  #expects: Expects = 'first';
  /** The start of a line whose end has not arrived. */
  #line: Uint8Array = noBytes;
  #headSize = 0;
  #first = '';
  #headers: [string, string][] = [];
  #left = 0;

  constructor(kind: 'request' | 'response', events: ParserEvents, { maxHeaderSize }: ParserOptions) {
    this.#kind = kind;
    this.#events = events;
    this.#maxHeaderSize = maxHeaderSize;
  }

  /** Nothing of a message has come that is not whole. */
  get isIdle(): boolean {
    return this.#expects === 'first' && this.#line.byteLength === 0;
  }

  /** Throws what is wrong with it. */
  take(bytes: Uint8Array): void {
    for (let left = bytes; left.byteLength > 0;) left = this.#step(left);
  }

  /** No more bytes come. Throws where they should have. */
  finish(): void {
    if (this.#expects === 'close') return this.#end();
    if (this.#expects !== 'other' && !this.isIdle)
      throw parseError('HPE_INVALID_EOF_STATE', 'Invalid EOF state');
  }

  #step(bytes: Uint8Array): Uint8Array {
    switch (this.#expects) {
      case 'length':
      case 'chunkData': {
        const taken = bytes.subarray(0, this.#left);
        this.#left -= taken.byteLength;
        this.#events.body(taken);
        if (this.#left === 0) {
          if (this.#expects === 'length') this.#end();
          else this.#expects = 'chunkEnd';
        }
        return bytes.subarray(taken.byteLength);
      }
      case 'close':
        this.#events.body(bytes);
        return noBytes;
      case 'other':
        this.#events.rest(bytes);
        return noBytes;
      default:
        return this.#stepLine(bytes);
    }
  }

  #stepLine(bytes: Uint8Array): Uint8Array {
    const at = bytes.indexOf(NEWLINE);
    const piece = at === -1 ? bytes : bytes.subarray(0, at);
    this.#headSize += piece.byteLength;
    if (this.#headSize > this.#maxHeaderSize) throw parseError('HPE_HEADER_OVERFLOW', 'Header overflow');
    const whole = this.#line.byteLength === 0 ? piece : joined(this.#line, piece);
    if (at === -1) {
      this.#line = whole === piece ? piece.slice() : whole;
      if (this.#expects === 'first' && this.#line.byteLength >= 8) this.#look(latin1.decode(this.#line));
      return noBytes;
    }
    this.#line = noBytes;
    const text = latin1.decode(whole);
    this.#takeLine(text.endsWith('\r') ? text.slice(0, -1) : text);
    return bytes.subarray(at + 1);
  }

  /** Whether a first line, of which there is only the beginning, can be one: whoever sends no newline would wait. */
  #look(text: string): void {
    if (this.#kind === 'response' && !text.startsWith('HTTP/')) throw wrongVersion();
    if (this.#kind === 'request') needMethod(text.split(' ', 1)[0] ?? '', text.includes(' '));
  }

  #takeLine(line: string): void {
    switch (this.#expects) {
      case 'first':
        // Empty lines between messages count for nothing.
        if (line === '') return;
        this.#first = line;
        if (this.#kind === 'request') readRequestLine(line);
        else readStatusLine(line);
        this.#headers = [];
        this.#expects = 'headers';
        return;
      case 'headers':
        if (line !== '') return this.#takeHeader(line);
        return this.#takeHead();
      case 'chunk': {
        const size = /^\s*([\da-f]+)\s*(;.*)?$/i.exec(line)?.[1];
        if (size === undefined || size.length > 12)
          throw parseError('HPE_INVALID_CHUNK_SIZE', 'Invalid character in chunk size');
        this.#left = parseInt(size, 16);
        this.#headSize = 0;
        this.#headers = [];
        this.#expects = this.#left === 0 ? 'trailers' : 'chunkData';
        return;
      }
      case 'chunkEnd':
        if (line !== '') throw parseError('HPE_STRICT', 'Expected LF after chunk data');
        this.#expects = 'chunk';
        return;
      case 'trailers':
        if (line !== '') return this.#takeHeader(line);
        return this.#end(this.#headers);
      case 'length':
      case 'chunkData':
      case 'close':
      case 'other':
    }
  }

  #takeHeader(line: string): void {
    const last = this.#headers.at(-1);
    if (/^[ \t]/.test(line) && last) {
      last[1] = `${last[1]} ${line.trim()}`.trim();
      return;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    if (colon < 1 || !token.test(name)) throw parseError('HPE_INVALID_HEADER_TOKEN', 'Invalid header token');
    const value = line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '');
    if (/[\0-\x08\x0a-\x1f\x7f]/.test(value))
      throw parseError('HPE_INVALID_HEADER_TOKEN', 'Invalid header value char');
    this.#headers.push([name, value]);
  }

  #value(name: string): string | undefined {
    const values = this.#headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
    return values.length === 0 ? undefined : values.join(', ');
  }

  #takeHead(): void {
    this.#headSize = 0;
    const length = this.#value('content-length');
    const encoding = this.#value('transfer-encoding');
    if (this.#headers.filter(([name]) => name.toLowerCase() === 'content-length').length > 1)
      throw parseError('HPE_UNEXPECTED_CONTENT_LENGTH', 'Content-Length already present');
    if (length !== undefined && !/^\d+$/.test(length))
      throw parseError('HPE_INVALID_CONTENT_LENGTH', 'Invalid character in Content-Length');
    if (length !== undefined && encoding !== undefined) {
      const names = this.#headers.map(([name]) => name.toLowerCase());
      if (names.indexOf('transfer-encoding') < names.indexOf('content-length'))
        throw parseError(
          'HPE_INVALID_CONTENT_LENGTH',
          "Content-Length can't be present with Transfer-Encoding",
        );
      throw parseError(
        'HPE_INVALID_TRANSFER_ENCODING',
        "Transfer-Encoding can't be present with Content-Length",
      );
    }
    const isChunked = /(^|,)\s*chunked\s*$/i.test(encoding ?? '');
    const head = this.#headOf();
    const body = this.#events.head(head);
    if (body === 'other') this.#expects = 'other';
    else if (body === 'none') this.#end();
    else if (isChunked) this.#expects = 'chunk';
    else if (length !== undefined) {
      this.#left = Number(length);
      if (this.#left === 0) this.#end();
      else this.#expects = 'length';
    } else if (this.#kind === 'response') this.#expects = 'close';
    else if (encoding !== undefined)
      throw parseError('HPE_INVALID_TRANSFER_ENCODING', 'Request has invalid `Transfer-Encoding`');
    else this.#end();
  }

  #headOf(): Head {
    const line =
      this.#kind === 'request'
        ? { ...readRequestLine(this.#first), status: 0, statusText: '' }
        : { ...readStatusLine(this.#first), method: '', url: '' };
    const connection = (this.#value('connection') ?? '').toLowerCase().split(/\s*,\s*/);
    return {
      ...line,
      headers: this.#headers,
      keepAlive: connection.includes('close')
        ? false
        : line.version === '1.1' || connection.includes('keep-alive'),
      upgrade:
        line.method === 'CONNECT' || (connection.includes('upgrade') && this.#value('upgrade') !== undefined),
    };
  }

  #end(trailers: HeaderList = []): void {
    this.#expects = 'first';
    this.#headSize = 0;
    this.#events.end(trailers);
  }
}

function readRequestLine(line: string) {
  const [method = '', url = '', protocol, ...rest] = line.split(/ +/);
  needMethod(method, true);
  if (url === '') throw parseError('HPE_INVALID_URL', 'Unexpected start char in url');
  if (protocol === undefined) throw parseError('HPE_INVALID_CONSTANT', 'Expected HTTP/, RTSP/ or ICE/');
  const version = /^HTTP\/(\d\.\d)$/.exec(protocol)?.[1];
  if (version === undefined || rest.length > 0) throw wrongVersion();
  if (!['0.9', '1.0', '1.1', '2.0'].includes(version))
    throw parseError('HPE_INVALID_VERSION', 'Invalid HTTP version');
  return { method, url, version };
}

function needMethod(method: string, whole: boolean): void {
  if (whole ? METHODS.includes(method) : METHODS.some((each) => each.startsWith(method))) return;
  throw parseError('HPE_INVALID_METHOD', 'Invalid method encountered');
}

function readStatusLine(line: string) {
  const found = /^HTTP\/(\d\.\d) (\d{3})(?: (.*))?$/.exec(line);
  if (!found)
    throw line.startsWith('HTTP/') ? parseError('HPE_INVALID_STATUS', 'Invalid status code') : wrongVersion();
  const [, version = '', status = '', statusText = ''] = found;
  return { version, status: Number(status), statusText };
}

function wrongVersion(): Error {
  return parseError('HPE_INVALID_CONSTANT', 'Expected HTTP/, RTSP/ or ICE/');
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.byteLength + second.byteLength);
  both.set(first);
  both.set(second, first.byteLength);
  return both;
}
