import { EXCHANGE_WINDOW, Window } from '../../../src/protocol/exchange.ts';
import { connectionPair, type ConnectionEnd, type ConnectionMessage } from '../../shared/connection.ts';
import { exchange } from '../../shared/net.ts';
import type { FromServer, NetRequest, ToServer } from '../../shared/protocol.ts';
import { leaveFrame } from '../builtins/async/context.ts';
import type { NodeHost, ServedRequest } from '../builtins/builtin.ts';
import { systemError } from '../fs/errors.ts';
import type { KernelLink } from './link.ts';
import type { EventLoop } from '../loop/loop.ts';
import { CallFailed } from '../../shared/shared-answer.ts';

/** The browser's own class. Ports of programs use an envelope that the kernel does not know. */
const { MessageChannel } = globalThis;
const { prototype } = globalThis.MessagePort;
// Listening through the browser's own methods keeps no process alive: the socket does that, not its channel.
const listenTo = prototype.addEventListener as (...args: unknown[]) => void;
const { start } = prototype as { start: () => void };

/** The calls with which a process reaches others and can be reached. */
export type Network = Pick<NodeHost, 'fetch' | 'listen' | 'connect'>;

/** Connects through the kernel, which knows who listens where, unless a process connects to itself. */
export function kernelNetwork(link: KernelLink, loop: EventLoop): Network {
  const turn = (event: () => void) => {
    leaveFrame();
    loop.add(event);
  };
  let ownPort = FIRST_OWN_PORT;
  return {
    fetch: ({ url, method, headers, body, redirect, signal }) =>
      exchange(
        (channel) =>
          link.say(
            {
              kind: 'child',
              message: {
                kind: 'fetch',
                request: { url, method, headers, body, ...(redirect && { redirect }) },
                channel,
              },
            },
            [channel],
          ),
        signal,
        turn,
      ),
    connect(to, host) {
      const server = link.servers.get(to);
      if (server) {
        const [ours, theirs] = connectionPair((event) => loop.addOnce(event));
        const port = ownPort++;
        loop.addOnce(() => {
          // A server's work does not belong to the async context of its client.
          leaveFrame();
          server.accept(theirs, host, port);
        });
        return opened(ours, port, (event) => loop.addOnce(event));
      }
      const { port1, port2 } = new MessageChannel();
      link.say({ kind: 'child', message: { kind: 'connect', to, host, channel: port2 } }, [port2]);
      return endOf(port1, turn);
    },
    listen(address, { accept, serve }) {
      try {
        const bound = link.ask({ kind: 'listen', address });
        link.servers.set(bound, {
          accept,
          connected: (channel, host, port) => turn(() => accept(endOf(channel, turn), host, port)),
          serve: (request, channel) => turn(() => serve(served(request, channel, loop))),
        });
        return {
          address: bound,
          close: () => {
            link.servers.delete(bound);
            link.say({ kind: 'unlisten', address: bound });
          },
        };
      } catch (error) {
        if (!(error instanceof CallFailed)) throw error;
        throw systemError(error.code, 'listen');
      }
    },
  };
}

/** The first port number of clients that connect to a server of their own process. */
const FIRST_OWN_PORT = 60_000;

/** Makes `open` the first message, as the kernel does for connections to other processes. */
function opened(end: ConnectionEnd, port: number, turn: (event: () => void) => void): ConnectionEnd {
  return {
    say: end.say,
    hear: (listener) => {
      turn(() => listener({ kind: 'open', port }));
      end.hear(listener);
    },
  };
}

function endOf(channel: MessagePort, turn: (event: () => void) => void): ConnectionEnd {
  return {
    say(message) {
      channel.postMessage(message, message.kind === 'data' ? [message.bytes.buffer] : []);
      if (message.kind === 'gone' || message.kind === 'reset') channel.close();
    },
    hear(listener) {
      Reflect.apply(listenTo, channel, [
        'message',
        ({ data }: MessageEvent<ConnectionMessage>) => turn(() => listener(data)),
      ]);
      Reflect.apply(start, channel, []);
    },
  };
}

function served(
  { url, method, headers, body }: NetRequest,
  channel: MessagePort,
  loop: EventLoop,
): ServedRequest {
  const { pathname, search, host } = new URL(url);
  const window = new Window(EXCHANGE_WINDOW);
  const say = (message: FromServer) => channel.postMessage(message);
  let gone = () => {};
  channel.onmessage = ({ data }: MessageEvent<ToServer>) => {
    if (data.kind === 'used') return loop.add(() => window.used(data.bytes));
    channel.close();
    loop.add(() => gone());
  };
  return {
    method,
    host,
    url: pathname + search,
    headers,
    body,
    respond(status, statusText, answered) {
      say({ kind: 'response', status, statusText, headers: answered });
      return {
        write: (bytes) => {
          say({ kind: 'body', bytes: Uint8Array.from(bytes) });
          return window.sent(bytes.byteLength);
        },
        end: () => {
          say({ kind: 'end' });
          // A channel with a listener would keep the process alive.
          channel.close();
        },
      };
    },
    drop() {
      say({ kind: 'failed', code: 'ECONNRESET', message: 'the server has broken off' });
      channel.close();
    },
    onGone(listener) {
      gone = listener;
    },
  };
}
