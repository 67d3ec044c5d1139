import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface GitHost {
  /** `http://127.0.0.1:PORT/`, below which the repositories of the folder are. */
  readonly url: string;
  close(): Promise<void>;
}

/** A host on loopback that serves the bare repositories of a folder by native git's own `http-backend`. */
export async function gitHost(folder: string): Promise<GitHost> {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://host');
    const backend = spawn('git', ['-c', 'http.receivepack=true', 'http-backend'], {
      env: {
        PATH: process.env.PATH ?? '/usr/bin',
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        REQUEST_METHOD: request.method ?? 'GET',
        PATH_INFO: decodeURIComponent(pathname),
        QUERY_STRING: search.slice(1),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
      },
    });
    // Git may end before it has read everything that it is sent, which is no error here: its answer says what was wrong.
    backend.stdin.on('error', () => undefined);
    request.pipe(backend.stdin);
    const pieces: Buffer[] = [];
    backend.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    backend.on('close', () => {
      const all = Buffer.concat(pieces);
      const end = all.indexOf('\r\n\r\n');
      const headers = all.subarray(0, Math.max(0, end)).toString().split('\r\n');
      const fields = headers.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]);
      const status = Number(fields.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200);
      response.writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== 'Status')));
      response.end(all.subarray(end + 4));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}
