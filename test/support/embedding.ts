import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site on loopback with these files, each with its headers. Every one has an origin of its own. */
export async function startFiles(files: Readonly<Record<string, SiteFile>>) {
  const server = createServer((request, response) => {
    const file = files[new URL(request.url ?? '/', 'http://host').pathname];
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...file.headers });
    response.end(file.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  };
}

export interface SiteFile {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}
