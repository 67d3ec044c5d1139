/** Requests that the browser itself limits to a list of hosts, through every redirect. */
export interface Policed {
  readonly fetch: typeof globalThis.fetch;
  /** Whether any server answers at this host; `undefined` if that cannot be found out. */
  reachable(url: URL, signal: AbortSignal): Promise<boolean | undefined>;
  /** Whether the policy has stopped a request to this address since the last call. */
  stopped(url: URL): boolean;
  /** Ends all requests in progress, including their bodies. */
  close(): void;
}
