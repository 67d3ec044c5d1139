import { EXCHANGE_WINDOW, Window } from '../../../../src/protocol/exchange.ts';
import type { ConnectionEnd, ConnectionMessage } from '../../../shared/connection.ts';
import type { HostResponse, LoadBuiltin, NodeHost } from '../builtin.ts';
import { connectionRefused, nameNotFound } from '../internal/errno.ts';
import { MAX_HEADER_SIZE, HttpParser, type Head } from './parser.ts';
import { lost } from './connection.ts';

export interface OutsidePlace {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

/** The codes of exchanges, as the errors that a system's sockets have. */
export function failureOf({ protocol, hostname, port }: OutsidePlace, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'ENOTFOUND') return nameNotFound(hostname);
  if (error.code === 'ECONNRESET') return lost('socket hang up');
  if (error.code === 'ECONNREFUSED') return connectionRefused(protocol, hostname, port);
  return error;
}

/**
 * Imitates a connection to a host outside: the app makes the requests that are written to it, and the answers can be read
 * from it. `fail` breaks it off with the reason.
 */
export function outsideEnd(
  host: NodeHost,
  load: LoadBuiltin,
  place: OutsidePlace,
  fail: (error: unknown) => void,
): ConnectionEnd {
  const { Buffer } = load('buffer');
  const abort = new AbortController();
  const window = new Window(EXCHANGE_WINDOW);
  const name = place.hostname.includes(':') ? `[${place.hostname.replace(/^\[|\]$/g, '')}]` : place.hostname;
  const origin = `${place.protocol}//${name}${place.port && `:${place.port}`}`;
  let tell: (message: ConnectionMessage) => void = () => {};
  let head: Head | undefined;
  let pieces: Uint8Array[] = [];
  let before = Promise.resolve();

  const put = (bytes: Uint8Array) => {
    // Counted first, because the socket may report them as read while it is told.
    const room = window.sent(bytes.byteLength);
    tell({ kind: 'data', bytes });
    return room;
  };
  const text = (words: string) => put(Uint8Array.from(Buffer.from(words, 'latin1')));

  async function ask({ method, url, headers }: Head, body: Uint8Array): Promise<void> {
    try {
      const answer = await host.fetch({
        url: origin + url,
        method,
        headers,
        body: body.byteLength > 0 ? body : null,
        signal: abort.signal,
      });
      await pass(answer, method);
    } catch (error) {
      if (!abort.signal.aborted) fail(failureOf(place, error));
    }
  }

  async function pass({ status, statusText, headers, body }: HostResponse, method: string): Promise<void> {
    const lines = headers
      .filter(([each]) => each.toLowerCase() !== 'transfer-encoding')
      .map(([each, value]) => `${each}: ${value}\r\n`);
    const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
    const framing = hasBody && !headers.some(([each]) => each.toLowerCase() === 'content-length');
    const more = framing ? 'transfer-encoding: chunked\r\n' : '';
    await text(`HTTP/1.1 ${status} ${statusText}\r\n${lines.join('')}${more}\r\n`);
    for await (const bytes of body) {
      if (!hasBody || bytes.byteLength === 0) continue;
      const size = Buffer.from(`${bytes.byteLength.toString(16)}\r\n`);
      await put(Uint8Array.from(framing ? Buffer.concat([size, bytes, Buffer.from('\r\n')]) : bytes));
    }
    if (framing) await text('0\r\n\r\n');
  }

  const parser = new HttpParser(
    'request',
    {
      head(begun) {
        head = begun;
        pieces = [];
        if (begun.headers.some(([each, value]) => /^expect$/i.test(each) && /100-continue/i.test(value)))
          void text('HTTP/1.1 100 Continue\r\n\r\n');
        return 'told';
      },
      body: (bytes) => void pieces.push(bytes),
      end() {
        const asked = head;
        const body = Buffer.concat(pieces);
        if (asked) before = before.then(() => ask(asked, body));
      },
      rest: () => {},
    },
    { maxHeaderSize: MAX_HEADER_SIZE * 8 },
  );

  return {
    say(message) {
      switch (message.kind) {
        case 'data':
          try {
            parser.take(message.bytes);
          } catch (error) {
            return fail(error);
          }
          return tell({ kind: 'used', bytes: message.bytes.byteLength });
        case 'used':
          return window.used(message.bytes);
        case 'gone':
        case 'reset':
          return abort.abort();
        case 'end':
        case 'open':
      }
    },
    hear(listener) {
      tell = listener;
      host.process.nextTick(() => listener({ kind: 'open', port: 0 }));
    },
  };
}
