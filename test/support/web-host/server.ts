import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WebHost {
  /** `127.0.0.1:PORT` */
  readonly host: string;
  close(): Promise<void>;
}

/** A host of the web that lets pages of any origin read it, except below `/closed`. It says what it was asked at `/hits`. */
export async function webHost(): Promise<WebHost> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    if (!url.startsWith('/closed')) open(response);
    if (url === '/hits') return void response.end(JSON.stringify(hits.splice(0)));
    const { referer } = request.headers;
    hits.push(`${request.method} ${url}${referer === undefined ? '' : ` from ${referer}`}`);
    answer(request, response, new URL(url, 'http://host'), () => hits.push(`left ${url}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

function open(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-headers', '*');
  response.setHeader('access-control-allow-methods', '*');
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { pathname, searchParams }: URL,
  left: () => void,
): void {
  if (request.method === 'OPTIONS') return void response.writeHead(204).end();
  if (pathname === '/to')
    return void response.writeHead(302, { location: searchParams.get('url') ?? '/' }).end();
  if (pathname === '/endless') {
    response.write('begun\n');
    response.on('close', left);
    return;
  }
  let body = '';
  request.on('data', (piece) => (body += piece));
  request.on('end', () => {
    const { cookie, referer, authorization } = request.headers;
    response.setHeader('content-type', 'application/json');
    response.end(
      `${JSON.stringify({ method: request.method, pathname, body, cookie, referer, authorization })}\n`,
    );
  });
}
