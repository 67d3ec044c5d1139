import { randomUUID } from 'node:crypto';
import type { Page, Request } from '@playwright/test';

/** The parameter of an address that says which body goes with it. */
const MARK = 'vitrine-kit-body';
const TOLD = 'vitrineKitSent';

/**
 * What the app sends to a model. Playwright sees no bodies of requests in Firefox by WebDriver BiDi, so there the page tells
 * them before it sends them.
 */
export class SentBodies {
  readonly #bodies = new Map<string, string>();
  readonly #watched: string[] = [];

  /** To be called before the app is opened, which keeps the `fetch` that it finds. */
  static async of(page: Page): Promise<SentBodies> {
    const sent = new SentBodies();
    if (page.context().browser()?.browserType().name() !== 'firefox') return sent;
    await page.exposeFunction(TOLD, (url: string, body: string) => sent.#told(url, body));
    await page.addInitScript(tellBodies, [TOLD, MARK] as const);
    return sent;
  }

  /** Requests below this address are read. */
  watch(below: string): void {
    this.#watched.push(below);
  }

  /** The address and the body of a request as the app meant it. */
  read(request: Request): { readonly url: string; readonly body: string } {
    const url = new URL(request.url());
    const id = url.searchParams.get(MARK);
    if (id === null) return { url: url.href, body: request.postData() ?? '' };
    url.searchParams.delete(MARK);
    return { url: url.href, body: this.#bodies.get(id) ?? '' };
  }

  /** Returns the mark that the request is to have, if it is read. */
  #told(url: string, body: string): string | null {
    if (!this.#watched.some((below) => url.startsWith(below))) return null;
    const id = randomUUID();
    this.#bodies.set(id, body);
    return id;
  }
}

/** Runs in the page. */
function tellBodies([told, mark]: readonly [string, string]): void {
  if (window !== window.top) return;
  const send = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    if (typeof init?.body !== 'string' || input instanceof Request) return send(input, init);
    const url = new URL(input, location.href);
    const tell: (url: string, body: string) => Promise<string | null> = Reflect.get(window, told);
    const id = await tell(url.href, init.body);
    if (id !== null) url.searchParams.set(mark, id);
    return send(url, init);
  };
}
