import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import { headersFor } from '../../scripts/headers.mjs';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));

/**
 * A static host of dist/ on loopback, as others set theirs up: in a sub-path, with or without the headers. `answers`
 * takes over the requests for which it returns something. `publish` makes it serve another folder.
 */
export async function startStaticHost({
  base = '/',
  headers = true,
  answers = () => undefined,
}: {
  base?: string;
  headers?: boolean;
  answers?: (path: string) => { readonly status: number; readonly body?: string } | undefined;
} = {}) {
  const filesOf = (folder: string) => sirv(folder, { etag: true, gzip: true });
  let serveFile = filesOf(dist);
  const statuses = new Map<string, number[]>();
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    response.on('finish', () => statuses.set(path, [...(statuses.get(path) ?? []), response.statusCode]));
    if (headers)
      for (const [name, value] of Object.entries(headersFor(path))) response.setHeader(name, value);
    const answer = answers(path);
    if (answer)
      return void response.writeHead(answer.status, { 'Content-Type': 'text/html' }).end(answer.body ?? '');
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
    publish: (folder: string) => void (serveFile = filesOf(folder)),
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  };
}
