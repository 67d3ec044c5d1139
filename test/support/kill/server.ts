import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { bundle } from '../bundle.ts';
import type { Ack, Report } from './protocol.ts';

export interface KillServer {
  urlOf(life: number): string;
  /** Called for each acknowledgement, which is for something that must survive from now on. */
  onAck: (ack: Ack) => void;
  onReport: (report: Report) => void;
  close(): Promise<void>;
}

/** Serves the page that is to be killed, on loopback, and takes what it says. */
export async function startKillServer(): Promise<KillServer> {
  const script = await bundle(new URL('page.ts', import.meta.url));
  const http = createServer((request, response) => {
    void answer(request).then(({ type, body }) => {
      response.setHeader('content-type', type);
      response.end(body);
    });
  });
  const server: KillServer = {
    urlOf: (life) => `http://127.0.0.1:${(http.address() as AddressInfo).port}/?life=${life}`,
    onAck() {},
    onReport() {},
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };

  async function answer(request: IncomingMessage): Promise<{ type: string; body: string }> {
    if (request.url === '/page.js') return { type: 'text/javascript', body: script };
    if (request.method !== 'POST')
      return { type: 'text/html', body: '<!doctype html><script type="module" src="/page.js"></script>' };
    // A body that was cut by the kill is no message.
    const body = await text(request).catch(() => '');
    if (body && request.url === '/ack') server.onAck(JSON.parse(body));
    if (body && request.url === '/report') server.onReport(JSON.parse(body));
    return { type: 'text/plain', body: '' };
  }

  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return server;
}
