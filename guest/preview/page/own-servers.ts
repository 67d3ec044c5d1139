import { ownPortOf, PORT_FOLDER } from '../../../src/protocol/preview.ts';
import { eventSourceOver } from './events.ts';

/**
 * The address on this origin at which a server of the workspace is reached that a program knows as `localhost`. Undefined for
 * every other address.
 */
export function ownServer(address: string | URL): string | undefined {
  if (!URL.canParse(String(address), document.baseURI)) return undefined;
  const url = new URL(String(address), document.baseURI);
  const port = ownPortOf(url);
  return port === undefined ? undefined : `${PORT_FOLDER}${port}${url.pathname}${url.search}`;
}

/** Lets `fetch`, `XMLHttpRequest` and `EventSource` reach the workspace's other servers by the addresses that programs know. */
export function reachOwnServers(): void {
  const nativeFetch = window.fetch;
  window.fetch = (input, init) => {
    const own = ownServer(input instanceof Request ? input.url : input);
    if (own === undefined) return nativeFetch(input, init);
    return nativeFetch(input instanceof Request ? new Request(own, input) : own, init);
  };
  const { open } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (
    this: XMLHttpRequest,
    method: string,
    address: string | URL,
    ...rest: unknown[]
  ) {
    const [isAsync = true, user, password] = rest as [boolean?, string?, string?];
    open.call(this, method, ownServer(address) ?? address, isAsync, user, password);
  };
  reachEvents(nativeFetch.bind(window));
}

/** Streams of the workspace's servers; those of other hosts are the browser's own. */
function reachEvents(request: typeof fetch): void {
  const Native = window.EventSource;
  const resolve = (address: string | URL) =>
    new URL(ownServer(address) ?? String(address), document.baseURI).href;
  const Own = eventSourceOver({ request, resolve });
  const Replacement = function (address: string | URL, init?: EventSourceInit) {
    const isOwn = new URL(resolve(address)).origin === location.origin;
    return isOwn ? new Own(address, init) : new Native(address, init);
  };
  Replacement.prototype = Own.prototype;
  Object.assign(Replacement, { CONNECTING: 0, OPEN: 1, CLOSED: 2 });
  Object.defineProperty(window, 'EventSource', { configurable: true, writable: true, value: Replacement });
}

/** Connections that no policy holds to the hosts that are allowed. A page of another frame may still make them. */
export function refuseRtc(): void {
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) Reflect.deleteProperty(window, name);
}

/** Refuses service workers: there is one already, and it shows the page. */
export function refuseWorkers(): void {
  const container = (window as Partial<{ ServiceWorkerContainer: typeof ServiceWorkerContainer }>)
    .ServiceWorkerContainer;
  if (!container) return;
  container.prototype.register = () => {
    console.warn('A preview cannot register a service worker. Everything else of the page works without it.');
    return Promise.reject(new DOMException('A preview cannot register a service worker.', 'SecurityError'));
  };
  ServiceWorkerRegistration.prototype.unregister = () => Promise.resolve(false);
}
