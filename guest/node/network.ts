import { exchange } from '../net.ts';
import type { FromServer, NetRequest } from '../protocol.ts';
import type { NodeHost, ServedRequest } from './builtins/builtin.ts';
import { systemError } from './fs/errors.ts';
import type { KernelLink } from './link.ts';
import type { EventLoop } from './loop.ts';
import { CallFailed } from './shared-answer.ts';

/** What a process reaches by HTTP, and how it is reached. */
export type Network = Pick<NodeHost, 'fetch' | 'listen'>;

/** Everything by HTTP goes over the kernel: it knows which process answers on which port. */
export function kernelNetwork(link: KernelLink, loop: EventLoop): Network {
  return {
    fetch: ({ url, method, headers, body, signal }) =>
      exchange(
        (channel) =>
          link.say(
            { kind: 'child', message: { kind: 'fetch', request: { url, method, headers, body }, channel } },
            [channel],
          ),
        signal,
        (event) => loop.add(event),
      ),
    listen(port, answer) {
      try {
        const bound = Number(link.ask({ kind: 'listen', port }));
        link.servers.set(bound, (request, channel) => loop.add(() => answer(served(request, channel, loop))));
        return {
          port: bound,
          close: () => {
            link.servers.delete(bound);
            link.say({ kind: 'unlisten', port: bound });
          },
        };
      } catch (error) {
        if (!(error instanceof CallFailed)) throw error;
        throw systemError(error.code, 'listen');
      }
    },
  };
}

function served(
  { url, method, headers, body }: NetRequest,
  channel: MessagePort,
  loop: EventLoop,
): ServedRequest {
  const { pathname, search } = new URL(url);
  const say = (message: FromServer) => channel.postMessage(message);
  return {
    method,
    url: pathname + search,
    headers,
    body: (async function* () {
      if (body) yield body;
    })(),
    respond(status, statusText, answered) {
      say({ kind: 'response', status, statusText, headers: answered });
      return {
        write: (bytes) => say({ kind: 'body', bytes: Uint8Array.from(bytes) }),
        end: () => {
          say({ kind: 'end' });
          // One that is listened to keeps the process.
          channel.close();
        },
      };
    },
    drop() {
      say({ kind: 'failed', code: 'ECONNRESET', message: 'the server has broken off' });
      channel.close();
    },
    onGone(listener) {
      channel.onmessage = () => {
        channel.close();
        loop.add(listener);
      };
    },
  };
}
