import { headerOf, type NetHeaders } from '../../../src/protocol/exchange.ts';
import type { PreviewRequest } from '../../../src/protocol/preview.ts';
import { SITE } from '../page/report.ts';
import { ask, type Answer } from '../ask.ts';

export type Send = (request: PreviewRequest, channel: MessagePort) => void;

/** Fetches files of the site through the app, and gives them addresses that the browser can load in here. */
export class Resources {
  readonly #send: Send;
  readonly #page: string;
  readonly #files = new Map<string, Promise<Blob | undefined>>();
  readonly #addresses = new Map<string, Promise<string>>();

  /** `page` is the path of the page. */
  constructor(send: Send, page: string) {
    this.#send = send;
    this.#page = page;
  }

  request(
    target: string,
    init: {
      readonly method?: string;
      readonly headers?: NetHeaders;
      readonly body?: ReadableStream<Uint8Array> | null;
      readonly destination?: string;
      readonly signal?: AbortSignal | undefined;
    } = {},
  ): Promise<Answer> {
    const { method = 'GET', headers = [], body = null, destination = '', signal } = init;
    const request = {
      method,
      target,
      headers,
      destination,
      hasBody: body !== null,
      referrer: this.#page,
      cookies: true,
    };
    return ask(this.#send, request, body, signal);
  }

  /** Follows redirects within the site. Resolves to undefined where there is no such file. */
  file(target: string, destination: string): Promise<Blob | undefined> {
    let file = this.#files.get(target);
    if (!file) this.#files.set(target, (file = this.#fetch(target, destination)));
    return file;
  }

  async text(target: string, destination: string): Promise<string | undefined> {
    return (await this.file(target, destination))?.text();
  }

  /** The address of a file of this site that elements can load; any other address as it is. */
  async address(url: string, base: string, destination: string): Promise<string> {
    const target = targetOf(url, base);
    if (target === undefined) return url;
    let address = this.#addresses.get(target);
    if (!address) {
      address = this.file(target, destination).then((file) => (file ? URL.createObjectURL(file) : url));
      this.#addresses.set(target, address);
    }
    return address;
  }

  async #fetch(target: string, destination: string): Promise<Blob | undefined> {
    let at = target;
    try {
      for (let redirects = 0; redirects < 10; redirects++) {
        const { status, headers, body } = await this.request(at, { destination });
        const location = headerOf(headers, 'location');
        if (status >= 300 && status < 400 && location !== undefined) {
          await body.cancel();
          at = targetOf(location, at) ?? at;
          continue;
        }
        const type = headerOf(headers, 'content-type') ?? '';
        const bytes = await new Response(body).arrayBuffer();
        return status >= 400 ? undefined : new Blob([bytes], { type });
      }
    } catch {
      // The app has noted it among the requests.
    }
    return undefined;
  }
}

/** The path and query of an address of this site, or of `localhost` as its programs say; undefined for other sites. */
export function targetOf(url: string, base: string): string | undefined {
  const from = new URL(base, SITE).href;
  if (!URL.canParse(url, from)) return undefined;
  const { origin, pathname, search } = new URL(url, from);
  return origin === SITE ? pathname + search : undefined;
}
