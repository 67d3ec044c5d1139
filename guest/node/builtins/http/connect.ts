import type { ConnectionEnd, ConnectionMessage } from '../../../shared/connection.ts';
import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import { isOwnHost } from '../net/addresses.ts';
import { CONNECTED, type SocketOptions } from '../net/arguments.ts';
import type { AgentOptions, PooledSocket } from './agent.ts';
import { outsideEnd } from './outside.ts';

/**
 * Makes the function that opens a socket for requests, to a server of the workspace or else, over the app, to a
 * host outside.
 */
export function makeConnect(host: NodeHost, load: LoadBuiltin, protocol: 'http:' | 'https:') {
  const { Socket } = load('net');
  const endTo = makeEnd(host, load, protocol);
  return (options: AgentOptions): PooledSocket => {
    const socket = new Socket(options);
    const { path: _request, socketPath, ...rest } = options;
    if (socketPath) return socket.connect({ ...rest, path: socketPath });
    const hostname = options.host || 'localhost';
    if (protocol === 'https:')
      Object.assign(socket, { encrypted: true, authorized: true, getPeerCertificate: () => ({}) });
    const end = endTo(options, (error) => socket.destroy(error as Error));
    return socket.connect({ ...rest, port: Number(options.port ?? ''), host: hostname, [CONNECTED]: end });
  };
}

/** Makes the connection end to which the requests for some options are written. */
export function makeEnd(host: NodeHost, load: LoadBuiltin, protocol: 'http:' | 'https:') {
  return (options: SocketOptions, fail: (error: unknown) => void): ConnectionEnd => {
    const hostname = options.host || 'localhost';
    const port = String(options.port ?? '');
    const outside = () => {
      const usual = port === (protocol === 'https:' ? '443' : '80');
      return outsideEnd(host, load, { protocol, hostname, port: usual ? '' : port }, fail);
    };
    const isOwn = protocol === 'http:' && isOwnHost(hostname);
    return isOwn ? firstOf(host.connect(Number(port), hostname), outside) : outside();
  };
}

/** Uses the second end if the first is refused: a server of this machine may be among the allowed hosts. */
function firstOf(first: ConnectionEnd, second: () => ConnectionEnd): ConnectionEnd {
  let end = first;
  let isOpen = false;
  return {
    say: (message) => end.say(message),
    hear(listener) {
      first.hear((message: ConnectionMessage) => {
        isOpen ||= message.kind === 'open';
        if (message.kind !== 'reset' || isOpen) return listener(message);
        end = second();
        end.hear(listener);
      });
    },
  };
}
