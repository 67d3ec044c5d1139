import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import isolationHeaders from '../../build/headers.json' with { type: 'json' };

/** A static host of dist/ on loopback, as others set theirs up: in a sub-path, with or without the headers. */
export async function startStaticHost({
  base = '/',
  headers = true,
}: { base?: string; headers?: boolean } = {}) {
  const serveFile = sirv(fileURLToPath(new URL('../../dist', import.meta.url)), { etag: true, gzip: true });
  const statuses = new Map<string, number[]>();
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    response.on('finish', () => statuses.set(path, [...(statuses.get(path) ?? []), response.statusCode]));
    if (headers)
      for (const [name, value] of Object.entries(isolationHeaders)) response.setHeader(name, value);
    if (!path.startsWith(base)) return void response.writeHead(404).end();
    request.url = `/${path.slice(base.length)}`;
    serveFile(request, response, () => void response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}${base}`,
    /** The status codes that each path was answered with so far. */
    statuses,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  };
}
