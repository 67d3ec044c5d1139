/** The way to the web, as far as a page has one. The app brings it; tests bring their own. */
export interface Web {
  readonly fetch: typeof globalThis.fetch;
  /** Whether anything answers there at all, whatever it says; `undefined` where that cannot be told. */
  reachable(address: URL, signal: AbortSignal): Promise<boolean | undefined>;
  /** The address of a proxy that the person set, with `{url}` where the page's address goes; none by default. */
  proxy(): string | undefined;
}
