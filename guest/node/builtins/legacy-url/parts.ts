/** The fields of a URL that `url.parse` returns. */
export interface Parts {
  protocol: string | null;
  slashes: boolean | null;
  auth: string | null;
  host: string | null | undefined;
  port: string | null;
  hostname: string | null | undefined;
  hash: string | null;
  search: string | null;
  query: string | object | null;
  pathname: string | null;
  path: string | null;
  href: string | null;
}

const SLASHED: ReadonlySet<string | null> = new Set(
  ['http', 'https', 'ftp', 'gopher', 'file', 'ws', 'wss'].flatMap((name) => [name, `${name}:`]),
);

/** Whether two slashes and a host follow the protocol. */
export function isSlashed(protocol: string | null): boolean {
  return SLASHED.has(protocol);
}

/** Whether the protocol has code after it, in which nothing is a host and nothing is escaped. */
export function isScript(protocol: string | null): boolean {
  return protocol === 'javascript:' || protocol === 'javascript';
}

/** Sets `path`, where there is a path or a search. */
export function setPath(url: Parts): void {
  if (url.pathname || url.search) url.path = `${url.pathname ?? ''}${url.search ?? ''}`;
}

export function isBracketed(hostname: string): boolean {
  return hostname.startsWith('[') && hostname.endsWith(']');
}
