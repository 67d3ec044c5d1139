import type { HostResponse, LoadBuiltin, NodeHost } from './builtin.ts';
import { unpacked } from './http/unpacked.ts';
import type { Agent } from './http/agent.ts';
import type { ClientRequest } from './http/client.ts';
import type { IncomingMessage } from './http/incoming.ts';
import { connectionRefused } from './internal/errno.ts';
import { plainError } from './internal/errors.ts';
import { isOwnHost } from './net/addresses.ts';
import { FOR_HTTP } from './net/arguments.ts';
import { openingForHttp } from './net/http-end.ts';
import type { Socket } from './net/socket.ts';
import { isIterable } from './web-bodies.ts';

const MAX_REDIRECTS = 20;
const redirects = new Set([301, 302, 303, 307, 308]);
const bodiless = new Set([101, 103, 204, 205, 304]);

type Body = Uint8Array | ReadableStream<Uint8Array> | null;

interface FetchRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Body;
  readonly redirect: RequestRedirect;
  readonly signal: AbortSignal;
}

/** The global `fetch` of a process: servers of the workspace, and the hosts that its programs may reach. */
export function makeFetch(host: NodeHost, load: LoadBuiltin): typeof globalThis.fetch {
  const ask = makeAsk(host, load);
  return async function fetch(input, init) {
    const request = new Request(input as RequestInfo, init);
    // The browser filters the headers of a Request to protect its own connections, which are not used here.
    const headers = new Headers(init?.headers ?? request.headers);
    for (const [name, value] of request.headers) if (!headers.has(name)) headers.set(name, value);
    const given = namesOf(init?.headers);
    const isStream = init?.body instanceof ReadableStream || isIterable(init?.body);
    let body: Body = null;
    if (isStream) body = request.body;
    else if (request.body) body = new Uint8Array(await request.arrayBuffer());
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
        const { redirect } = request;
        const answer = await ask({
          url,
          method,
          headers: [...sent(headers, given, { url, method, body, cache: request.cache })],
          body,
          redirect,
          signal,
        });
        if (answer.url !== undefined && redirect === 'error') throw unexpectedRedirect();
        const location = answer.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
        if (!redirects.has(answer.status) || location === undefined || redirect === 'manual') {
          const redirected = hops > 0 || answer.url !== undefined;
          return responseOf(host, whole(answer, method), { url: answer.url ?? url, redirected, signal });
        }
        void answer.body[Symbol.asyncIterator]().return?.();
        if (redirect === 'error') throw unexpectedRedirect();
        if (hops >= MAX_REDIRECTS)
          throw new TypeError('fetch failed', { cause: new Error('redirect count exceeded') });
        const before = new URL(url);
        url = new URL(location, url).href;
        if (answer.status === 303 ? method !== 'HEAD' : answer.status < 303 && method === 'POST') {
          method = 'GET';
          body = null;
          for (const name of BODY_HEADERS) headers.delete(name);
        } else if (isStream) throw new TypeError('fetch failed');
        // Headers that were meant for one host are not sent to the next.
        if (new URL(url).origin !== before.origin) for (const name of PRIVATE_HEADERS) headers.delete(name);
      }
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      handle.release();
    }
  };
}

const BODY_HEADERS = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-location',
];
const PRIVATE_HEADERS = ['authorization', 'proxy-authorization', 'cookie', 'host'];

/** The response to a `data:` URL. */
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

/** Decodes percent escapes into bytes, which need not be valid text. */
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

/** Yields the headers to send. `given`: the names as the program wrote them, in its order. */
function* sent(
  headers: Headers,
  given: readonly string[],
  about: Pick<FetchRequest, 'url' | 'method' | 'body'> & { readonly cache: RequestCache },
): Generator<[string, string]> {
  const { url, method, body, cache } = about;
  const { host: name, protocol } = new URL(url);
  if (!headers.has('host')) yield ['host', name];
  yield ['connection', 'keep-alive'];
  const rest = new Map([...headers].filter(([each]) => each !== 'content-length'));
  for (const each of given) {
    const value = rest.get(each.toLowerCase());
    if (value !== undefined && rest.delete(each.toLowerCase())) yield [each, value];
  }
  yield* rest;
  const usual = {
    accept: '*/*',
    'accept-language': '*',
    'sec-fetch-mode': 'cors',
    'user-agent': 'node',
    ...usualOfCache(headers, cache),
    'accept-encoding': protocol === 'https:' ? 'br, gzip, deflate' : 'gzip, deflate',
  };
  for (const [each, value] of Object.entries(usual)) if (!headers.has(each)) yield [each, value];
  if (body instanceof Uint8Array) yield ['content-length', String(body.byteLength)];
  else if (!body && ['POST', 'PUT', 'PATCH'].includes(method)) yield ['content-length', '0'];
}

const CONDITIONS = ['if-modified-since', 'if-none-match', 'if-unmodified-since', 'if-match', 'if-range'];

/** Default headers for caches: a conditional request is meant for the server, not for a cache on the way. */
function usualOfCache(headers: Headers, cache: RequestCache): Record<string, string> {
  if (['no-store', 'reload'].includes(cache) || CONDITIONS.some((name) => headers.has(name)))
    return { pragma: 'no-cache', 'cache-control': 'no-cache' };
  return cache === 'no-cache' ? { 'cache-control': 'max-age=0' } : {};
}

function namesOf(headers: HeadersInit | undefined): string[] {
  if (!headers || headers instanceof Headers) return [];
  return Array.isArray(headers) ? headers.map(([name]) => String(name)) : Object.keys(headers);
}

/** Makes the function that sends one request to one host, without following redirects. */
function makeAsk(host: NodeHost, load: LoadBuiltin) {
  let agent: Agent | undefined;

  function askHere({ url, method, headers, body, signal }: FetchRequest): Promise<HostResponse> {
    const http = load('http') as {
      Agent: new (options: object) => Agent;
      request(url: URL, options: object): ClientRequest;
    };
    agent ??= ownAgent(new http.Agent({ keepAlive: true }), load);
    return new Promise((resolve, reject) => {
      const isStream = body instanceof ReadableStream;
      const asked = http.request(new URL(url), {
        method,
        // In a list, headers keep their names and order.
        headers: [...headers.flat(), ...(isStream ? ['transfer-encoding', 'chunked'] : [])],
        agent,
        signal,
      });
      asked.on('error', (error: Error) => reject(error));
      asked.on('response', (answer: IncomingMessage) => resolve(answerOf(answer)));
      if (!isStream) return void asked.end(body ?? undefined);
      const send = () => void pour(body, asked).catch((error: unknown) => asked.destroy(error as Error));
      // If no server listens, the body stays unread, because it may go to a host outside instead.
      asked.on('socket', (socket: Socket) => (socket.connecting ? socket.once('connect', send) : send()));
    });
  }

  async function askOutside({
    url,
    method,
    headers,
    body,
    redirect,
    signal,
  }: FetchRequest): Promise<HostResponse> {
    const whole =
      body instanceof ReadableStream ? new Uint8Array(await new Response(body).arrayBuffer()) : body;
    return host.fetch({
      url,
      method,
      headers,
      body: whole,
      signal,
      ...(redirect !== 'follow' && { redirect: 'error' as const }),
    });
  }

  return async (asked: FetchRequest): Promise<HostResponse> => {
    const { hostname, port, protocol } = new URL(asked.url);
    try {
      if (protocol !== 'http:' || !isOwnHost(hostname)) return await askOutside(asked);
      return await askHere(asked).catch((error: unknown) => {
        // A server of this machine may be among the hosts that are allowed.
        if (error instanceof Error && 'syscall' in error && error.syscall === 'connect')
          return askOutside(asked);
        throw error;
      });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
      if (code === 'ERR_REDIRECT' && asked.redirect === 'error') throw unexpectedRedirect();
      const cause = code === 'ECONNREFUSED' ? connectionRefused(protocol, hostname, port) : brokenOff(error);
      throw new TypeError('fetch failed', { cause });
    }
  };
}

/**
 * Makes an agent that connects only to servers of the workspace. Hosts outside are asked without a socket, because a
 * socket does not tell to which address a redirect led.
 */
function ownAgent(agent: Agent, load: LoadBuiltin): Agent {
  const { Socket } = load('net');
  agent.createConnection = ({ path: _request, [FOR_HTTP]: _end, ...options }) =>
    openingForHttp(undefined, () => new Socket(options).connect(options));
  return agent;
}

async function pour(body: ReadableStream<Uint8Array>, into: ClientRequest): Promise<void> {
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    if (into.destroyed) return void reader.cancel();
    if (!(read.value instanceof Uint8Array)) throw new TypeError('Received non-Uint8Array chunk');
    if (!into.write(read.value))
      await new Promise((resolve) => into.once('drain', resolve).once('close', resolve));
  }
  into.end();
}

function answerOf(answer: IncomingMessage): HostResponse {
  const { statusCode, statusMessage, rawHeaders } = answer;
  const headers = rawHeaders.flatMap((each, at) =>
    at % 2 === 0 ? [[each, rawHeaders[at + 1] ?? ''] as const] : [],
  );
  const status = statusCode ?? 0;
  return { status, statusText: statusMessage ?? '', headers, body: answer as AsyncIterable<Uint8Array> };
}

/** Turns a reset connection into the cause that fetch reports. Other errors stay the same. */
function brokenOff(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'ECONNRESET')) return error;
  return plainError('UND_ERR_SOCKET', 'other side closed', SocketError);
}

class SocketError extends Error {
  override name = 'SocketError';
}

// The body keeps the process alive while it is being read, but not before.
function responseOf(
  host: NodeHost,
  answer: HostResponse,
  {
    url,
    redirected,
    signal,
  }: { readonly url: string; readonly redirected: boolean; readonly signal: AbortSignal },
): Response {
  const chunks = answer.body[Symbol.asyncIterator]();
  let broken: Error | undefined;
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
              if (signal.aborted) broken = signal.reason as Error;
              else if (cause !== error) broken = new TypeError('terminated', { cause });
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
  // A browser hides cookies from readers of a Response, but a program needs them.
  if (headers.some(([name]) => name.toLowerCase() === 'set-cookie'))
    Object.defineProperty(response, 'headers', { value: new Headers(headers) });
  Object.defineProperty(response, 'url', { value: url });
  Object.defineProperty(response, 'redirected', { value: redirected });
  // The browser's own methods only say that something failed.
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
