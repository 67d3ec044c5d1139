import http from 'node:http';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { composeHead, type HeadSettings } from './head-text.ts';

type Settings = Partial<HeadSettings>;

/** The head that the machine's own node writes for a response with these headers, without its date. */
function native(status: number, headers: readonly [string, string][], { shouldKeepAlive = true }: Settings) {
  const request = Object.assign(new http.IncomingMessage(null as never), {
    httpVersionMajor: 1,
    httpVersionMinor: 1,
  });
  const response = new http.ServerResponse(request);
  const written: Buffer[] = [];
  const socket = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  response.assignSocket(socket as never);
  response.sendDate = false;
  response.shouldKeepAlive = shouldKeepAlive;
  for (const [name, value] of headers) response.setHeader(name, value);
  response.writeHead(status, 'Fine');
  response.flushHeaders();
  return Buffer.concat(written).toString('latin1');
}

function own(status: number, headers: readonly [string, string][], given: Settings): string {
  const message: HeadSettings = {
    sendDate: false,
    useChunkedEncodingByDefault: true,
    maxRequestsOnConnectionReached: false,
    _hasBody: status !== 204 && status !== 304,
    _contentLength: null,
    _keepAliveTimeout: 0,
    _maxRequests: 0,
    _removedContLen: false,
    _removedTE: false,
    _removedConnection: false,
    shouldKeepAlive: true,
    chunkedEncoding: false,
    _last: false,
    ...given,
  };
  return composeHead(message, `HTTP/1.1 ${status} Fine\r\n`, headers);
}

test.each<[string, number, [string, string][], Settings]>([
  ['no header', 200, [], {}],
  ['a length', 200, [['Content-Length', '3']], {}],
  ['chunks that are asked for', 200, [['Transfer-Encoding', 'chunked']], {}],
  ['chunks for a response without a body', 204, [['Transfer-Encoding', 'chunked']], {}],
  ['a response without a body', 304, [], {}],
  ['a connection that closes', 200, [['Connection', 'close']], {}],
  ['a connection that is kept', 200, [['Connection', 'keep-alive']], {}],
  ['another protocol', 200, [['Connection', 'Upgrade'], ['Upgrade', 'x']], {}], // prettier-ignore
  ['a message after which the connection closes', 200, [['a', '1']], { shouldKeepAlive: false }],
])('%s: the head is the one that node writes', (_what, status, headers, given) => {
  expect(own(status, headers, given)).toBe(native(status, headers, given));
});

test('a trailer needs chunks', () => {
  expect(() => own(200, [['Trailer', 'x'], ['Content-Length', '1']], {})).toThrow(
    expect.objectContaining({ code: 'ERR_HTTP_TRAILER_INVALID' }),
  ); // prettier-ignore
});
