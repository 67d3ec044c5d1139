import { messageOf } from '../../src/base/message-of.ts';
import {
  PAGE_SCRIPT_PATH,
  PORT_FOLDER,
  PREVIEW_FOLDER,
  SHELL_PATH,
  SHELL_SCRIPT_PATH,
  type PreviewRequest,
} from '../../src/protocol/preview.ts';
import { ask } from './ask.ts';
import { responseOf } from './response.ts';

/*
 * The service worker of the preview's origin: it hands every request to the app's page, but for those of the preview's own
 * files. A browser may end it at any time, and it then asks the shell for another way to the app.
 */

interface LastingEvent {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends LastingEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface MessageFromShell extends LastingEvent {
  readonly data: unknown;
  readonly ports: readonly MessagePort[];
}
interface Client {
  readonly url: string;
  postMessage(message: unknown): void;
}
declare const self: {
  readonly location: Location;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { includeUncontrolled: boolean; type: 'window' }): Promise<readonly Client[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: LastingEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageFromShell) => void): void;
};

let app: MessagePort | undefined;
let connected: Promise<MessagePort> | undefined;
let arrived: ((port: MessagePort) => void) | undefined;

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('message', (event) => {
  const { data, ports } = event;
  if (data === 'vitrine-claim') return event.waitUntil(self.clients.claim());
  const [port, shell] = ports;
  if (data !== 'vitrine-app' || !port) return;
  app = port;
  arrived?.(port);
  shell?.postMessage('connected');
});
self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== self.location.origin) return;
  if (isOwnFile(event.request, url)) return;
  const isOwn = url.pathname.startsWith(PREVIEW_FOLDER) && !url.pathname.startsWith(PORT_FOLDER);
  event.respondWith(isOwn ? Promise.resolve(pageOf('Not found.', 404)) : answer(event, url));
});

/**
 * Whether the server of the origin may answer: with the shell, whose document has a policy, and with scripts that a document
 * loads. A page could take the network of any other document of this origin that comes without the app's policy, so even these
 * scripts are not answered to a frame.
 */
function isOwnFile({ destination }: Request, { pathname }: URL): boolean {
  if (pathname === SHELL_PATH) return true;
  return destination === 'script' && (pathname === SHELL_SCRIPT_PATH || pathname === PAGE_SCRIPT_PATH);
}

async function answer(event: FetchEvent, url: URL): Promise<Response> {
  const { request } = event;
  try {
    const port = await connection();
    if (!port) return gone(request);
    const body = await bodyOf(request);
    const answered = await ask(
      (message, channel) => port.postMessage(message, [channel]),
      describe(request, url, body !== null),
      body,
      request.signal,
    );
    return responseOf(answered);
  } catch (error) {
    if (request.mode !== 'navigate') return Response.error();
    return pageOf(messageOf(error));
  }
}

function describe(request: Request, url: URL, hasBody: boolean): PreviewRequest {
  const { referrer } = request;
  const asking = URL.canParse(referrer) ? new URL(referrer) : undefined;
  const isOwn = asking?.origin === url.origin && asking.pathname !== SHELL_PATH;
  return {
    method: request.method,
    target: url.pathname + url.search,
    headers: [...request.headers],
    hasBody,
    destination: request.destination,
    referrer: isOwn ? asking.pathname + asking.search : '',
    cookies: request.credentials !== 'omit',
  };
}

/** Firefox has no streams of requests. */
async function bodyOf(request: Request): Promise<ReadableStream<Uint8Array> | null> {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  if (request.body) return request.body;
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.byteLength > 0 ? new Blob([bytes]).stream() : null;
}

/** Undefined where no page of the app shows this preview any more. */
async function connection(): Promise<MessagePort | undefined> {
  if (app) return app;
  connected ??= new Promise<MessagePort>((resolve) => (arrived = resolve));
  const shells = await self.clients.matchAll({ includeUncontrolled: true, type: 'window' });
  const open = shells.filter(({ url }) => new URL(url).pathname === SHELL_PATH);
  if (open.length === 0) return undefined;
  for (const shell of open) shell.postMessage('vitrine-worker-asks');
  return connected;
}

function gone(request: Request): Response {
  if (request.mode !== 'navigate') return Response.error();
  return pageOf('This preview is shown only while Vitrine is open.');
}

function pageOf(text: string, status = 502): Response {
  return new Response(text, {
    status,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      // Nothing loads in this document, and no other document reaches into it.
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Cross-Origin-Embedder-Policy': 'credentialless',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  });
}
