import type * as nodeHttp from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundledBuiltins } from '../../../test/support/bundled-builtins.ts';
import { localPorts } from '../../../test/support/local-ports.ts';

let http: typeof nodeHttp;

beforeAll(async () => {
  const load = await bundledBuiltins(localPorts());
  http = load('http') as typeof nodeHttp;
});

async function listening(
  answer: nodeHttp.RequestListener,
): Promise<{ server: nodeHttp.Server; port: number }> {
  const server = http.createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

function ask(
  options: nodeHttp.RequestOptions,
  body?: string,
): Promise<{ response: nodeHttp.IncomingMessage; text: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve({ response, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

describe('http', () => {
  it('answers a request with status, headers and a body of known length', async () => {
    const { server, port } = await listening((request, response) => {
      response.writeHead(201, 'Made', { 'X-Url': request.url ?? '', 'Set-Cookie': ['a=1', 'b=2'] });
      response.end('hello');
    });
    const { response, text } = await ask({ port, path: '/x?y=1' });
    expect([response.statusCode, response.statusMessage, text]).toEqual([201, 'Made', 'hello']);
    expect(response.headers).toMatchObject({
      'x-url': '/x?y=1',
      'set-cookie': ['a=1', 'b=2'],
      'transfer-encoding': 'chunked',
      connection: 'keep-alive',
      'keep-alive': 'timeout=5',
    });
    server.close();
  });

  it('gives a large body that is written at once', async () => {
    const body = 'x'.repeat(5_000_000);
    const { server, port } = await listening((_, response) => void response.end(body));
    const { response, text } = await ask({ port });
    expect(response.headers['content-length']).toBe(String(body.length));
    expect(text.length).toBe(body.length);
    server.close();
  });

  it('takes a body and gives one in pieces', async () => {
    const { server, port } = await listening((request, response) => {
      let body = '';
      request.on('data', (piece) => (body += String(piece)));
      request.on('end', () => {
        response.write(`${request.method} `);
        response.write(body.toUpperCase());
        response.end('!');
      });
    });
    const { response, text } = await ask({ port, method: 'POST' }, 'body');
    expect(text).toBe('POST BODY!');
    expect(response.headers['transfer-encoding']).toBe('chunked');
    server.close();
  });

  it('tells of a port that is taken and of one where nobody listens', async () => {
    const { server, port } = await listening((_request, response) => response.end());
    const second = http.createServer().listen(port);
    const taken = await new Promise<NodeJS.ErrnoException>((resolve) => second.on('error', resolve));
    expect(taken.message).toBe(`listen EADDRINUSE: address already in use :::${port}`);
    expect(taken).toMatchObject({ code: 'EADDRINUSE', syscall: 'listen', port });
    await new Promise((resolve) => server.close(resolve));
    await expect(ask({ port })).rejects.toMatchObject({
      message: `connect ECONNREFUSED 127.0.0.1:${port}`,
      code: 'ECONNREFUSED',
      errno: -111,
      syscall: 'connect',
    });
  });

  it('refuses headers after they are sent', async () => {
    const seen: unknown[] = [];
    const { server, port } = await listening((_request, response) => {
      response.write('a');
      try {
        response.setHeader('x', '1');
      } catch (error) {
        seen.push((error as NodeJS.ErrnoException).code);
      }
      response.end();
    });
    await ask({ port });
    expect(seen).toEqual(['ERR_HTTP_HEADERS_SENT']);
    server.close();
  });

  it('streams into a response with pipe', async () => {
    const { Readable } = await import('node:stream');
    const { server, port } = await listening((_request, response) => {
      Readable.from(['a', 'b', 'c']).pipe(response);
    });
    expect((await ask({ port })).text).toBe('abc');
    server.close();
  });

  it('answers no body to HEAD and 204', async () => {
    const { server, port } = await listening((request, response) => {
      if (request.url === '/none') response.statusCode = 204;
      response.end('not shown');
    });
    expect((await ask({ port, method: 'HEAD' })).text).toBe('');
    const { response, text } = await ask({ port, path: '/none' });
    expect([response.statusCode, text]).toEqual([204, '']);
    server.close();
  });
});
