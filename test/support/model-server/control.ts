import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { start, type ModelServer, type ServerOptions } from './server.ts';

/**
 * Starts model servers for tests that run in a browser and cannot listen themselves:
 * `POST /start` with the options gives `{url}`, `POST /requests` and `POST /close` take that `{url}`.
 */
export async function control(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const servers = new Map<string, ModelServer>();

  async function answer(path: string, body: unknown): Promise<unknown> {
    if (path === '/start') {
      const server = await start(body as ServerOptions);
      servers.set(server.url, server);
      return { url: server.url };
    }
    const { url } = body as { url: string };
    if (path === '/requests') return servers.get(url)?.requests ?? [];
    await servers.get(url)?.close();
    return {};
  }

  const listener = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    textOf(request)
      .then((text) => answer(request.url ?? '', JSON.parse(text)))
      .then(
        (value) => response.end(JSON.stringify(value)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    async close() {
      await Promise.all([...servers.values()].map((server) => server.close()));
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8');
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
