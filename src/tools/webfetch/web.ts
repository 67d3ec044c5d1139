import type { Policed } from '../../base/policed.ts';

/** Access to the web, as far as a page has it. The app provides it; tests provide their own. */
export interface Web {
  readonly fetch: typeof globalThis.fetch;
  /** Whether anything answers at this address; `undefined` where that cannot be determined. */
  reachable(address: URL, signal: AbortSignal): Promise<boolean | undefined>;
  /** A fetch that the browser confines to these origins, redirects included. Rejects where it cannot enforce that. */
  policed(origins: readonly string[]): Promise<Policed>;
  /** The address of the proxy that the person has set, with `{url}` in place of the page's address; none by default. */
  proxy(): string | undefined;
}
