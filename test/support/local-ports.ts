import { connectionPair } from '../../guest/shared/connection.ts';
import type { NodeHost, ServerEvents } from '../../guest/node/builtins/builtin.ts';

/** Servers and their clients in one process, without a kernel between them. */
export function localPorts(): Pick<NodeHost, 'fetch' | 'listen' | 'connect'> {
  const servers = new Map<number | string, ServerEvents>();
  let next = 40000;
  return {
    listen(address, events) {
      const chosen = address === 0 ? next++ : address;
      if (servers.has(chosen))
        throw Object.assign(new Error('address already in use'), { code: 'EADDRINUSE' });
      servers.set(chosen, events);
      return { address: chosen, close: () => void servers.delete(chosen) };
    },
    connect(address, host) {
      const [ours, theirs] = connectionPair((event) => setImmediate(event));
      const server = servers.get(address);
      const port = next++;
      setImmediate(() => server?.accept(theirs, host, port));
      return {
        say: ours.say,
        hear(listener) {
          ours.hear(listener);
          setImmediate(() =>
            listener(server ? { kind: 'open', port } : { kind: 'reset', code: 'ECONNREFUSED' }),
          );
        },
      };
    },
    fetch: () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
  };
}
