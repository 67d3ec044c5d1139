import { connectionPair, type ConnectionEnd } from '../../../shared/connection.ts';
import type { LoadBuiltin, ServedRequest } from '../builtin.ts';
import { ATTACH } from '../net/socket.ts';
import { MAX_HEADER_SIZE, HttpParser } from './parser.ts';
import { ownTimers } from '../../loop/own-timers.ts';

/** Passes a request that came without a connection to a server of this process, over a new connection. */
export function makeAnswer(load: LoadBuiltin) {
  const { Socket } = load('net');
  const { Buffer } = load('buffer');

  return (request: ServedRequest, connect: (end: ConnectionEnd) => void): void => {
    const [ours, theirs] = connectionPair((event) => ownTimers().setImmediate(event));
    const socket = new Socket()[ATTACH](ours);
    let sink: ReturnType<ServedRequest['respond']> | undefined;
    let over = false;
    const finish = () => {
      over = true;
      sink?.end();
      socket.destroy();
    };
    const fail = () => {
      if (over) return;
      over = true;
      request.drop();
      socket.destroy();
    };
    const parser = new HttpParser(
      'response',
      {
        head({ status, statusText, headers, upgrade }) {
          if (status === 101 && upgrade) return 'other';
          if (status < 200) return 'none';
          sink = request.respond(status, statusText, headers);
          return request.method === 'HEAD' || status === 204 || status === 304 ? 'none' : 'told';
        },
        body(bytes) {
          const waits = sink?.write(bytes);
          if (!waits) return;
          socket.pause();
          void waits.then(() => socket.resume());
        },
        end: () => sink && finish(),
        rest: fail,
      },
      { maxHeaderSize: MAX_HEADER_SIZE * 4 },
    );
    socket.on('data', (bytes: Uint8Array) => {
      try {
        if (!over) parser.take(bytes);
      } catch {
        fail();
      }
    });
    socket.on('end', () => {
      try {
        if (!over) parser.finish();
      } catch {
        // Told as what it is: broken off.
      }
      fail();
    });
    socket.on('error', fail);
    socket.on('close', fail);
    request.onGone(() => {
      over = true;
      socket.destroy();
    });
    connect(theirs);
    socket.write(Buffer.from(headOf(request), 'latin1'));
    if (request.body) socket.write(request.body);
  };
}

function headOf({ method, url, host, headers, body }: ServedRequest): string {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = headers.filter(([name]) => name.toLowerCase() !== 'transfer-encoding');
  const more: [string, string][] = [];
  if (!names.has('host')) more.push(['Host', host]);
  if (body && !names.has('content-length')) more.push(['Content-Length', String(body.byteLength)]);
  const text = [...more, ...lines].map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}\r\n`);
  return `${method} ${url} HTTP/1.1\r\n${text.join('')}\r\n`;
}
