import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SearchAccess } from '../../src/tools/websearch/service.ts';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** A server on this machine in the place of a search service; keeps what it was asked. */
export async function searchServer(answer: (asked: ReceivedRequest) => Answer | 'nothing') {
  const asked: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const one: ReceivedRequest = {
        method: request.method ?? '',
        url: new URL(request.url ?? '/', 'http://local'),
        headers: request.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
      asked.push(one);
      const given = answer(one);
      if (given === 'nothing') return;
      response.writeHead(given.status ?? 200, { 'content-type': 'application/json', ...given.headers });
      response.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    asked,
    address,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Both services at one address, with the keys that are given. */
export function searchingAt(
  address: string,
  keys: { exa?: string; github?: string },
  reachable: boolean | undefined = false,
): SearchAccess {
  return {
    web: { fetch: (...given) => fetch(...given), reachable: async () => reachable },
    address: () => address,
    key: (service) => keys[service],
  };
}
