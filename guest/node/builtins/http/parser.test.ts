import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpParser, type BodyKind, type Head } from './parser.ts';

interface Message {
  head: Head;
  body: string;
  trailers?: unknown;
}

function parserOf(kind: 'request' | 'response', body: BodyKind = 'told', maxHeaderSize = 16384) {
  const messages: Message[] = [];
  const rest: string[] = [];
  const text = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);
  const parser = new HttpParser(
    kind,
    {
      head(head) {
        messages.push({ head, body: '' });
        return body;
      },
      body(bytes) {
        const last = messages.at(-1);
        if (last) last.body += text(bytes);
      },
      end(trailers) {
        const last = messages.at(-1);
        if (last) last.trailers = trailers;
      },
      rest: (bytes) => void rest.push(text(bytes)),
    },
    { maxHeaderSize },
  );
  const take = (message: string) => parser.take(new TextEncoder().encode(message));
  return { parser, messages, rest, take };
}

function errorOf(run: () => void): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { code, message };
  }
}

const CHUNKED =
  'POST /a?b=c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n' +
  '5\r\nhello\r\n6;ext=1\r\n world\r\n0\r\nX: y\r\n\r\n';

describe('requests', () => {
  it('reads the first line, headers, chunks and trailers', () => {
    const { messages, take, parser } = parserOf('request');
    take(CHUNKED);
    expect(messages).toEqual([
      {
        head: expect.objectContaining({
          method: 'POST',
          url: '/a?b=c',
          version: '1.1',
          keepAlive: true,
          upgrade: false,
        }) as Head,
        body: 'hello world',
        trailers: [['X', 'y']],
      },
    ]);
    expect(parser.isIdle).toBe(true);
  });

  it('reads the same, whatever the pieces', () => {
    const whole = parserOf('request');
    whole.take(CHUNKED);
    for (const size of [1, 2, 3, 7, 16]) {
      const { messages, take } = parserOf('request');
      for (let at = 0; at < CHUNKED.length; at += size) take(CHUNKED.slice(at, at + size));
      expect(messages).toEqual(whole.messages);
    }
  });

  it('reads requests that follow each other on one connection', () => {
    const { messages, take } = parserOf('request');
    take('POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nab\r\nGET /next HTTP/1.0\r\n\r\n');
    expect(messages.map(({ head, body }) => [head.url, body, head.keepAlive])).toEqual([
      ['/', 'ab', true],
      ['/next', '', false],
    ]);
  });

  it('joins a header that goes on in the next line', () => {
    const { messages, take } = parserOf('request');
    take('GET / HTTP/1.1\r\nX: a\r\n  b\r\n\r\n');
    expect(messages[0]?.head.headers).toEqual([['X', 'a b']]);
  });

  it('passes on what follows a change of the protocol', () => {
    const { messages, rest, take } = parserOf('request', 'other');
    take('GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nraw');
    take('more');
    expect(messages[0]?.head.upgrade).toBe(true);
    expect(rest).toEqual(['raw', 'more']);
  });
});

describe('responses', () => {
  it('reads a body to the end of the connection', () => {
    const { messages, take, parser } = parserOf('response');
    take('HTTP/1.1 404 Not Found\r\n\r\nbody');
    expect(messages[0]).not.toHaveProperty('trailers');
    parser.finish();
    expect(messages[0]).toMatchObject({ head: { status: 404, statusText: 'Not Found' }, body: 'body' });
    expect(messages[0]).toHaveProperty('trailers', []);
  });

  it('reads no body where there is none', () => {
    const { messages, take, parser } = parserOf('response', 'none');
    take('HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n');
    expect(messages[0]?.body).toBe('');
    expect(parser.isIdle).toBe(true);
  });

  it('refuses a connection that ends in the middle of a body', () => {
    const { take, parser } = parserOf('response');
    take('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf');
    expect(errorOf(() => parser.finish())).toMatchObject({ code: 'HPE_INVALID_EOF_STATE' });
  });

  it('refuses headers above the limit', () => {
    const { take } = parserOf('response', 'told', 100);
    expect(errorOf(() => take(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100)}\r\n\r\n`))).toMatchObject({
      code: 'HPE_HEADER_OVERFLOW',
    });
  });
});

describe('errors, compared with the http of this Node', () => {
  const server = http.createServer((_request, response) => response.end());
  let port: number;
  const seen: { code: string | undefined; requests: number } = { code: undefined, requests: 0 };

  beforeAll(async () => {
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      seen.code = error.code;
      socket.destroy();
    });
    server.on('request', () => seen.requests++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  /** Returns the code of the error that a real server reports for the bytes. */
  async function realCode(message: string): Promise<string | undefined> {
    Object.assign(seen, { code: undefined, requests: 0 });
    const socket = net.connect(port, '127.0.0.1');
    socket.end(message);
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve).once('error', () => {}));
    return seen.code;
  }

  it.each([
    ['an unknown method', 'NOPE / HTTP/1.1\r\n\r\n'],
    ['another protocol', 'GET / FTP/1.1\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: h\r\nnocolon\r\n\r\n'],
    ['a space in a header name', 'GET / HTTP/1.1\r\nHost: h\r\na b: c\r\n\r\n'],
    ['a length that is no number', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na'],
    [
      'a chunk size that is no number',
      'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
    ],
    ['an encoding that is not chunked', 'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n'],
  ])('refuses %s', async (_what, message) => {
    const { take } = parserOf('request');
    const ours = errorOf(() => take(message));
    expect(ours).toHaveProperty('code', await realCode(message));
  });

  it('takes what the real server takes', async () => {
    expect(await realCode('GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n')).toBeUndefined();
    expect(seen.requests).toBe(1);
  });
});
