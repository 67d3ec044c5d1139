import { inheritable } from '../callable.ts';
import type { HeaderList } from '../builtin.ts';
import { argTypeError, argValueError, nodeError } from '../internal/errors.ts';
import { inspect } from '../internal/inspect.ts';
import { OutgoingHeaders, validateHeaderName, validateHeaderValue, type HeaderValue } from './headers.ts';
import type { Messages } from './messages.ts';
import type { HttpSocket } from './connection.ts';
import type { IncomingMessage } from './incoming.ts';
import { STATUS_CODES } from './names.ts';

type Done = (error?: Error | null) => void;

export type ServerResponse = InstanceType<ReturnType<typeof makeServerResponse>>;

export function makeServerResponse({ OutgoingMessage }: Messages) {
  class ServerResponse extends OutgoingMessage {
    statusCode = 200;
    statusMessage: string | undefined;
    readonly req: IncomingMessage;
    _sent100 = false;
    _expect_continue = false;

    constructor(request: IncomingMessage) {
      super();
      this.req = request;
      this.sendDate = true;
      if (request.method === 'HEAD') this._hasBody = false;
      if (request.httpVersionMajor === 1 && (request.httpVersionMinor ?? 1) < 1) {
        this.useChunkedEncodingByDefault = /(?:^|\W)chunked(?:$|\W)/i.test(String(request.headers.te));
        this.shouldKeepAlive = false;
      }
    }

    override _implicitHeader(): void {
      this.writeHead(this.statusCode);
    }

    writeHead(status: number, second?: unknown, third?: unknown): this {
      if (this._header !== null)
        throw nodeError('ERR_HTTP_HEADERS_SENT', 'Cannot write headers after they are sent to the client');
      const code = Math.trunc(status);
      if (!(code >= 100 && code <= 999)) {
        const shown = typeof status === 'object' ? inspect(status) : String(status);
        throw nodeError('ERR_HTTP_INVALID_STATUS_CODE', `Invalid status code: ${shown}`, RangeError);
      }
      if (typeof second === 'string') this.statusMessage = second;
      this.statusMessage ??= STATUS_CODES[String(code)] ?? 'unknown';
      this.statusCode = code;
      const headers = typeof second === 'object' && second !== null ? second : third;
      let given: HeaderList | undefined;
      if (this._outHeaders) this._takeHeaders(headers);
      else given = listOf(headers);
      if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(this.statusMessage))
        throw nodeError('ERR_INVALID_CHAR', 'Invalid character in statusMessage', TypeError);
      if (code === 204 || code === 304 || (code >= 100 && code <= 199)) this._hasBody = false;
      if (this._expect_continue && !this._sent100) this.shouldKeepAlive = false;
      this._storeHeader(`HTTP/1.1 ${code} ${this.statusMessage}\r\n`, given);
      return this;
    }

    writeHeader(...args: Parameters<ServerResponse['writeHead']>): this {
      return this.writeHead(...args);
    }

    writeContinue(done?: () => void): void {
      this.#raw('HTTP/1.1 100 Continue\r\n\r\n', done);
      this._sent100 = true;
    }

    writeProcessing(done?: () => void): void {
      this.#raw('HTTP/1.1 102 Processing\r\n\r\n', done);
    }

    writeEarlyHints(hints: Record<string, string | string[]>, done?: () => void): void {
      if (typeof hints !== 'object' || hints === null) throw argTypeError('hints', 'Object', hints);
      const { link, ...others } = hints;
      if (link === undefined || link === null || link.length === 0) return;
      for (const each of Array.isArray(link) ? link : [link])
        if (!LINK.test(each))
          throw argValueError(
            'hints',
            each,
            'must be an array or string of format "</styles.css>; rel=preload; as=style"',
          );
      const lines = [['Link', Array.isArray(link) ? link.join(', ') : link], ...Object.entries(others)];
      this.#raw(
        `HTTP/1.1 103 Early Hints\r\n${lines.map(([name, value]) => `${String(name)}: ${String(value)}\r\n`).join('')}\r\n`,
        done,
      );
    }

    #raw(text: string, done: (() => void) | undefined): void {
      this._put(new TextEncoder().encode(text), () => done?.());
    }

    assignSocket(socket: HttpSocket): void {
      if (socket._httpMessage)
        throw nodeError('ERR_HTTP_SOCKET_ASSIGNED', 'ServerResponse has an already assigned socket');
      socket._httpMessage = this;
      socket.on('close', this.#left);
      this.emit('socket', socket);
      this._flushTo(socket);
    }

    detachSocket(socket: HttpSocket): void {
      socket.off('close', this.#left);
      socket._httpMessage = null;
      this.socket = null;
    }

    readonly #left = () => void this.destroy();

    // Why it was broken off is told to nobody: there may be no listener, and the client sees the connection lost.
    override _destroy(error: Error | null, done: Done): void {
      if (!this.writableFinished && this.socket && !this.socket.destroyed)
        this.socket.destroy(error ?? undefined);
      done();
    }
  }
  return inheritable(ServerResponse);
}

/** An address in angle brackets, with at least one thing said of it. */
const LINK = /^<[^>]*>(?:\s*;\s*[^;"\s]+(?:=(?:"[^"]*"|[^;"\s]+))?)+$/;

/** Headers that are given with the head and not kept. Those of one name in a list of both in turn stay apart. */
function listOf(headers: unknown): HeaderList | undefined {
  if (headers === undefined || headers === null) return undefined;
  if (Array.isArray(headers) && (headers.length === 0 || !headers.every(Array.isArray))) {
    if (headers.length % 2 !== 0) throw argValueError('headers', headers);
    const list: [string, string][] = [];
    for (let at = 0; at < headers.length; at += 2) {
      const [name, value] = [headers[at] as unknown, headers[at + 1] as unknown];
      validateHeaderName(name);
      validateHeaderValue(String(name), value);
      for (const each of Array.isArray(value) ? value : [value]) list.push([String(name), String(each)]);
    }
    return list;
  }
  // Each pair is a line of its own.
  if (Array.isArray(headers)) return listOf(headers.flat());
  const made = new OutgoingHeaders();
  const pairs = Object.entries(headers as object);
  for (const [name, value] of pairs as [string, HeaderValue][]) made.set(name, value);
  return made.list();
}
