import type { HostResponse, LoadBuiltin, NodeHost } from './builtin.ts';
import { unpacked } from './http/unpacked.ts';
import { connectionRefused } from './internal/errno.ts';
import { plainError } from './internal/errors.ts';

const MAX_REDIRECTS = 20;
const redirects = new Set([301, 302, 303, 307, 308]);
const bodiless = new Set([101, 103, 204, 205, 304]);

/** The global `fetch` of a process: servers of the workspace, and the hosts that its programs may reach. */
export function makeFetch(host: NodeHost, load: LoadBuiltin): typeof globalThis.fetch {
  return async function fetch(input, init) {
    const request = new Request(input as RequestInfo, withDuplex(init));
    // Those of a Request are filtered by the browser, which guards its own connections: these are none.
    const headers = new Headers(init?.headers ?? request.headers);
    for (const [name, value] of request.headers) if (!headers.has(name)) headers.set(name, value);
    let body = request.body ? new Uint8Array(await request.arrayBuffer()) : null;
    if (body) headers.set('content-length', String(body.byteLength));
    let { method, url } = request;
    const { signal } = request;
    signal.throwIfAborted();
    if (url.startsWith('data:')) return dataResponse(url);
    if (!/^https?:/.test(url)) throw new TypeError('fetch failed', { cause: new Error('unknown scheme') });
    const handle = host.handle();
    try {
      const whole = (answer: HostResponse, asked: string): HostResponse => {
        const encoding = answer.headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1];
        if (encoding === undefined || asked === 'HEAD' || bodiless.has(answer.status)) return answer;
        return { ...answer, body: unpacked(load, encoding, answer.body) };
      };
      for (let hops = 0; ; hops++) {
        const answer = await asked(host, { url, method, headers: [...sent(headers, url)], body, signal });
        if (answer.url !== undefined && request.redirect === 'error') throw unexpectedRedirect();
        const location = answer.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
        if (!redirects.has(answer.status) || location === undefined || request.redirect === 'manual')
          return responseOf(
            host,
            whole(answer, method),
            answer.url ?? url,
            hops > 0 || answer.url !== undefined,
          );
        if (request.redirect === 'error') throw unexpectedRedirect();
        if (hops >= MAX_REDIRECTS)
          throw new TypeError('fetch failed', { cause: new Error('redirect count exceeded') });
        url = new URL(location, url).href;
        if (answer.status === 303 ? method !== 'HEAD' : answer.status < 303 && method === 'POST') {
          method = 'GET';
          body = null;
          headers.delete('content-type');
          headers.delete('content-length');
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      handle.release();
    }
  };
}

/** What a `data:` URL holds. */
function dataResponse(url: string): Response {
  const found = /^data:([^,]*),(.*?)(?:#.*)?$/s.exec(url);
  if (!found) throw new TypeError('fetch failed', { cause: new Error('invalid data: URL') });
  const [, head = '', text = ''] = found;
  const isBase64 = /;\s*base64\s*$/i.test(head);
  const type = head.replace(/;\s*base64\s*$/i, '');
  const bytes = isBase64
    ? Uint8Array.from(atob(decodeURIComponent(text)), (char) => char.charCodeAt(0))
    : bytesOfEscaped(text);
  const response = new Response(bytes, {
    headers: {
      'content-type': type === '' || type.startsWith(';') ? `text/plain${type || ';charset=US-ASCII'}` : type,
    },
  });
  return Object.defineProperty(response, 'url', { value: url, configurable: true });
}

/** Escapes are of bytes, which need not be text. */
function bytesOfEscaped(text: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const part of text.split(/(%[0-9a-f]{2})/i))
    if (/^%[0-9a-f]{2}$/i.test(part)) bytes.push(parseInt(part.slice(1), 16));
    else bytes.push(...encoder.encode(part));
  return Uint8Array.from(bytes);
}

function unexpectedRedirect(): TypeError {
  return new TypeError('fetch failed', { cause: new Error('unexpected redirect') });
}

function withDuplex(init: RequestInit | undefined): RequestInit | undefined {
  return init?.body instanceof ReadableStream ? Object.assign({}, init, { duplex: 'half' }) : init;
}

function* sent(headers: Headers, url: string): Generator<[string, string]> {
  yield ['host', new URL(url).host];
  yield ['connection', 'keep-alive'];
  yield* headers;
  const usual = {
    accept: '*/*',
    'accept-encoding': 'gzip, deflate',
    'accept-language': '*',
    'sec-fetch-mode': 'cors',
    'user-agent': 'node',
  };
  for (const [name, value] of Object.entries(usual)) if (!headers.has(name)) yield [name, value];
}

async function asked(host: NodeHost, request: Parameters<NodeHost['fetch']>[0]): Promise<HostResponse> {
  try {
    return await host.fetch(request);
  } catch (error) {
    const { hostname, port, protocol } = new URL(request.url);
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    const cause = code === 'ECONNREFUSED' ? connectionRefused(protocol, hostname, port) : brokenOff(error);
    throw new TypeError('fetch failed', { cause });
  }
}

/** What fetch has as the cause where the other side broke off; any other error as it is. */
function brokenOff(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'ECONNRESET')) return error;
  return plainError('UND_ERR_SOCKET', 'other side closed', SocketError);
}

class SocketError extends Error {
  override name = 'SocketError';
}

// The process waits for a body while it is read, not while it lies there.
function responseOf(host: NodeHost, answer: HostResponse, url: string, redirected: boolean): Response {
  const chunks = answer.body[Symbol.asyncIterator]();
  let broken: TypeError | undefined;
  const body = bodiless.has(answer.status)
    ? null
    : new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const handle = host.handle();
            try {
              const { value, done } = await chunks.next();
              if (done) controller.close();
              else controller.enqueue(value);
            } catch (error) {
              const cause = brokenOff(error);
              if (cause !== error) broken = new TypeError('terminated', { cause });
              controller.error(broken ?? error);
            } finally {
              handle.release();
            }
          },
          cancel: async () => void (await chunks.return?.()),
        },
        { highWaterMark: 0 },
      );
  const headers = answer.headers.map(([name, value]): [string, string] => [name, value]);
  const { status, statusText } = answer;
  const response = new Response(body, { status, statusText, headers });
  // A browser keeps cookies from those who read a Response; a program is its own browser.
  if (headers.some(([name]) => name.toLowerCase() === 'set-cookie'))
    Object.defineProperty(response, 'headers', { value: new Headers(headers) });
  Object.defineProperty(response, 'url', { value: url });
  Object.defineProperty(response, 'redirected', { value: redirected });
  // The browser's own say no more than that something failed.
  for (const name of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const) {
    if (!(name in response)) continue;
    const read = response[name].bind(response);
    Object.defineProperty(response, name, {
      value: () =>
        read().catch((error: unknown) => {
          throw broken ?? error;
        }),
    });
  }
  return response;
}
