import { headerOf, type NetHeaders } from '../../../src/protocol/exchange.ts';
import { eventSourceOver } from '../page/events.ts';
import { ownServer } from '../page/own-servers.ts';
import { SITE } from '../page/report.ts';
import { responseOf } from '../response.ts';
import { targetOf, type Resources } from './resources.ts';

/** Lets `fetch`, `XMLHttpRequest` and `EventSource` reach the workspace's servers through the app. */
export function replaceNetwork(resources: Resources, path: () => string): void {
  const targetIn = (url: string | URL) => {
    const absolute = new URL(String(url), SITE + path());
    // `location` is that of the frame, whatever the page makes of it.
    const isSite = absolute.origin === SITE || absolute.host === location.host;
    return isSite ? absolute.pathname + absolute.search : ownServer(absolute);
  };
  const nativeFetch = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const target = targetIn(url);
    if (target === undefined) return nativeFetch(input, init);
    const request = new Request(SITE + target, input instanceof Request ? input : init);
    if (input instanceof Request && init) return window.fetch(new Request(request, init));
    return fetchThrough(resources, target, request);
  };
  Object.defineProperty(window, 'XMLHttpRequest', { configurable: true, writable: true, value: PreviewXhr });
  const events = eventSourceOver({
    request: (url, init) => window.fetch(url, init),
    resolve: (url) => new URL(String(url), SITE + path()).href,
  });
  Object.defineProperty(window, 'EventSource', { configurable: true, writable: true, value: events });
}

async function fetchThrough(resources: Resources, target: string, request: Request): Promise<Response> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  let at = target;
  for (let redirects = 0; ; redirects++) {
    const bytes = isRead || redirects > 0 ? null : await request.clone().arrayBuffer();
    const answer = await resources
      .request(at, {
        method: redirects > 0 && !isRead ? 'GET' : request.method,
        headers: [...request.headers] as NetHeaders,
        body: bytes && new Blob([bytes]).stream(),
        signal: request.signal,
      })
      .catch((error: unknown) => {
        if (request.signal.aborted) throw error;
        throw new TypeError('Failed to fetch');
      });
    const { status, headers, body } = answer;
    const location = headerOf(headers, 'location');
    if (status >= 300 && status < 400 && location !== undefined && request.redirect === 'follow') {
      await body.cancel();
      if (redirects === 20) throw new TypeError('Failed to fetch');
      at = targetOf(location, at) ?? at;
      continue;
    }
    const response = responseOf(answer);
    Object.defineProperty(response, 'url', { value: SITE + at });
    return response;
  }
}

/** The parts of `XMLHttpRequest` that pages use, over `fetch`; not synchronous. */
class PreviewXhr extends EventTarget {
  static readonly UNSENT = 0;
  static readonly OPENED = 1;
  static readonly HEADERS_RECEIVED = 2;
  static readonly LOADING = 3;
  static readonly DONE = 4;
  readyState = 0;
  status = 0;
  statusText = '';
  responseURL = '';
  responseType: XMLHttpRequestResponseType = '';
  response: unknown = '';
  responseText = '';
  timeout = 0;
  withCredentials = false;
  readonly upload = new EventTarget();
  onreadystatechange: ((event: Event) => void) | null = null;
  onload: ((event: Event) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;
  onabort: ((event: Event) => void) | null = null;
  onloadend: ((event: Event) => void) | null = null;
  #method = 'GET';
  #url = '';
  readonly #headers = new Headers();
  #received = new Headers();
  #abort = new AbortController();

  open(method: string, url: string | URL): void {
    this.#method = method;
    this.#url = String(url);
    this.#become(1);
  }
  setRequestHeader(name: string, value: string): void {
    this.#headers.append(name, value);
  }
  getResponseHeader(name: string): string | null {
    return this.#received.get(name);
  }
  getAllResponseHeaders(): string {
    return [...this.#received].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  }
  overrideMimeType(): void {}
  abort(): void {
    this.#abort.abort();
  }

  send(body?: XMLHttpRequestBodyInit | null): void {
    void this.#send(body ?? null);
  }

  async #send(body: XMLHttpRequestBodyInit | null): Promise<void> {
    try {
      const { signal } = (this.#abort = new AbortController());
      const response = await fetch(this.#url, { method: this.#method, headers: this.#headers, body, signal });
      this.status = response.status;
      this.statusText = response.statusText;
      this.responseURL = response.url;
      this.#received = response.headers;
      this.#become(2);
      if (this.responseType === 'blob') this.response = await response.blob();
      else if (this.responseType === 'arraybuffer') this.response = await response.arrayBuffer();
      else {
        this.responseText = await response.text();
        this.response = this.responseType === 'json' ? jsonIn(this.responseText) : this.responseText;
      }
      this.#become(4);
      this.#emit('load');
    } catch {
      this.#become(4);
      this.#emit(this.#abort.signal.aborted ? 'abort' : 'error');
    }
    this.#emit('loadend');
  }

  #become(state: number): void {
    this.readyState = state;
    this.#emit('readystatechange');
  }

  #emit(type: 'readystatechange' | 'load' | 'error' | 'abort' | 'loadend'): void {
    const event = new ProgressEvent(type);
    this[`on${type}`]?.call(this, event);
    this.dispatchEvent(event);
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
