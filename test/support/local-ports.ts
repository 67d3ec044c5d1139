import type {
  HostRequest,
  HostResponse,
  NodeHost,
  ServedRequest,
} from '../../guest/node/builtins/builtin.ts';

/** Servers and their clients in one process, without a kernel between them. */
export function localPorts(): Pick<NodeHost, 'fetch' | 'listen'> {
  const servers = new Map<number, (request: ServedRequest) => void>();
  let next = 40000;
  return {
    listen(port, answer) {
      const chosen = port === 0 ? next++ : port;
      if (servers.has(chosen))
        throw Object.assign(new Error('address already in use'), { code: 'EADDRINUSE' });
      servers.set(chosen, answer);
      return { port: chosen, close: () => void servers.delete(chosen) };
    },
    fetch: (request) => exchange(servers, request),
  };
}

function exchange(
  servers: ReadonlyMap<number, (request: ServedRequest) => void>,
  { url, method, headers, body, signal }: HostRequest,
): Promise<HostResponse> {
  const { port, pathname, search } = new URL(url);
  const serve = servers.get(Number(port || 80));
  if (!serve) return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  return new Promise((resolve, reject) => {
    let writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
    serve({
      method,
      url: pathname + search,
      headers,
      body: (async function* () {
        if (body) yield body;
      })(),
      respond(status, statusText, answered) {
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
        const into = (writer = writable.getWriter());
        resolve({ status, statusText, headers: answered, body: readable });
        return { write: (bytes) => void into.write(bytes), end: () => void into.close() };
      },
      drop() {
        const lost = Object.assign(new Error('the server has broken off'), { code: 'ECONNRESET' });
        void writer?.abort(lost);
        reject(lost);
      },
      onGone: (listener) => signal?.addEventListener('abort', listener, { once: true }),
    });
  });
}
