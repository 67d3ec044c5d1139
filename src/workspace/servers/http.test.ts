import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, createServer as createRaw, type AddressInfo, type Server as RawServer } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import type { ServerConnection } from '../workspace.ts';
import { requestOver, type ServerRequest } from './http.ts';
import { openSocket, type SocketData } from './web-socket.ts';

const closing: (() => unknown)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

/** A connection to a real server of Node's. */
function connectTo(server: { address(): unknown }): ServerConnection {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  closing.push(() => socket.destroy());
  const { readable, writable } = Duplex.toWeb(socket);
  return { readable, writable } as ServerConnection;
}

async function serve(listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => (server.closeAllConnections(), server.close()));
  return server;
}

async function raw(answer: string): Promise<RawServer> {
  const server = createRaw((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return server;
}

const ask = (server: Server | RawServer, request: Partial<ServerRequest> = {}) =>
  requestOver(connectTo(server), {
    method: 'GET',
    target: '/',
    headers: [['host', 'localhost']],
    body: null,
    ...request,
  });

const text = (body: ReadableStream<Uint8Array<ArrayBuffer>>) => new Response(body).text();

test('a request and its answer, with their headers', async () => {
  const server = await serve(({ method, url, headers }, response) => {
    response.writeHead(201, 'Made', { 'X-One': 'ä', 'Set-Cookie': ['a=1', 'b=2'] });
    response.end(JSON.stringify({ method, url, host: headers.host, own: headers['x-own'] }));
  });
  const answer = await ask(server, {
    target: '/a?b=c',
    headers: [
      ['host', 'localhost:3000'],
      ['x-own', 'a\r\nx-evil: 1'],
    ],
  });
  expect(answer).toMatchObject({ status: 201, statusText: 'Made' });
  expect(answer.headers.filter(([name]) => name === 'set-cookie')).toEqual([
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ]);
  expect(JSON.parse(await text(answer.body))).toEqual({
    method: 'GET',
    url: '/a?b=c',
    host: 'localhost:3000',
    own: 'a x-evil: 1',
  });
});

test('an answer arrives piece by piece, and is whole with and without a length', async () => {
  let go = () => {};
  const server = await serve((request, response) => {
    if (request.url === '/known') return (response.setHeader('Content-Length', 5), response.end('known'));
    response.write('first');
    go = () => response.end('last');
  });
  const { body } = await ask(server);
  const reader = body.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('first');
  go();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('last');
  expect((await reader.read()).done).toBe(true);
  expect(await text((await ask(server, { target: '/known' })).body)).toBe('known');
  expect(await text((await ask(await raw('HTTP/1.1 200 OK\r\n\r\nuntil the end'))).body)).toBe(
    'until the end',
  );
});

test('a body is sent as it comes, and an unread answer is not fetched further', async () => {
  let got = 0;
  let written = 0;
  const size = 32 * 1024 * 1024;
  const server = await serve((request, response) => {
    if (request.method === 'POST') {
      request.on('data', (piece: Buffer) => (got += piece.length));
      request.on('end', () => response.end(String(got)));
      return;
    }
    const more = () => {
      if (written >= size) return void response.end();
      written += 64 * 1024;
      response.write(new Uint8Array(64 * 1024), more);
    };
    more();
  });
  let left = 40;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(100_000));
      else controller.close();
    },
  });
  expect(await text((await ask(server, { method: 'POST', body })).body)).toBe('4000000');
  const answer = await ask(server);
  const reader = answer.body.getReader();
  await reader.read();
  expect(written).toBeLessThan(size);
  await reader.cancel();
});

test.each([
  ['', 'closed the connection without an answer'],
  ['hello\r\n\r\n', 'does not speak HTTP'],
])('%j is no answer', async (answer, message) => {
  await expect(ask(await raw(answer))).rejects.toThrow(message);
});

test.each([
  'Content-Length: 10\r\n\r\nhalf',
  'Transfer-Encoding: chunked\r\n\r\na\r\nhalf',
  'Transfer-Encoding: chunked\r\n\r\nxyz\r\n',
])('an answer that is cut off fails: %j', async (rest) => {
  const { body } = await ask(await raw(`HTTP/1.1 200 OK\r\n${rest}`));
  await expect(text(body)).rejects.toThrow('in the middle of its answer');
});

test('HEAD, 204 and interim answers have no body', async () => {
  const server = await serve((request, response) => {
    response.writeProcessing();
    if (request.url === '/none') response.statusCode = 204;
    response.setHeader('Content-Length', request.url === '/none' ? 0 : 5);
    response.end();
  });
  expect(await text((await ask(server, { method: 'HEAD' })).body)).toBe('');
  const none = await ask(server, { target: '/none' });
  expect([none.status, await text(none.body)]).toEqual([204, '']);
});

test('a WebSocket sends and receives text and bytes of every size, and closes', async () => {
  const server = await serve(() => {});
  const sockets = new WebSocketServer({ server, handleProtocols: () => 'chat' });
  sockets.on('connection', (socket) => {
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
    socket.on('close', (code, reason) => ends.push([code, String(reason)]));
  });
  closing.push(() => sockets.close());
  const ends: unknown[] = [];
  const got: SocketData[] = [];
  let wake = () => {};
  const next = async (count: number) => {
    while (got.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  let closed: (end: unknown) => void = () => {};
  const over = new Promise((resolve) => (closed = resolve));
  const socket = await openSocket(
    connectTo(server),
    { target: '/chat', headers: [['host', 'localhost']], protocols: ['chat', 'other'] },
    { message: (data) => (got.push(data), wake()), closed: (...end) => closed(end) },
  );
  socket.listen();
  expect(socket.protocol).toBe('chat');
  const large = new Uint8Array(200_000).fill(7);
  for (const data of ['hello ä', new Uint8Array([1, 2]), 'x'.repeat(1000), large]) await socket.send(data);
  await next(4);
  expect(got).toEqual(['hello ä', new Uint8Array([1, 2]), 'x'.repeat(1000), large]);
  await socket.close(4001, 'done');
  expect(await over).toEqual([4001, 'done', true]);
  await expect.poll(() => ends).toEqual([[4001, 'done']]);
});

test('a server that ends a WebSocket, or does not know it, is told as that', async () => {
  const server = await serve((_request, response) => response.writeHead(404).end());
  const request = { target: '/', headers: [['host', 'localhost']] as const, protocols: [] };
  const events = { message: () => {}, closed: () => {} };
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 404 Not Found\r\n\r\n'));
  await expect(openSocket(connectTo(server), request, events)).rejects.toThrow('answered 404');
  const sockets = new WebSocketServer({ port: 0 });
  closing.push(() => sockets.close());
  sockets.on('connection', (socket) => socket.terminate());
  await new Promise((resolve) => sockets.once('listening', resolve));
  let closed: (end: unknown) => void = () => {};
  const over = new Promise((resolve) => (closed = resolve));
  const open = await openSocket(connectTo(sockets), request, {
    ...events,
    closed: (...end) => closed(end),
  });
  open.listen();
  expect(await over).toEqual([1006, '', false]);
});
