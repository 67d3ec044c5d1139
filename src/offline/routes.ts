/** The facts of a request that decide what the worker does with it. */
export interface RequestFacts {
  readonly method: string;
  readonly url: string;
  readonly mode: string;
  readonly cache: string;
  /** Whether it asks for a part of a file only. */
  readonly isRange: boolean;
}

export interface Site {
  /** The address of the folder that the app is served from. */
  readonly scope: string;
  /** Whether this build has a file with this path, relative to that folder. */
  readonly has: (path: string) => boolean;
}

export type Route =
  /** The page itself, from the network if it answers in time. */
  | { readonly kind: 'page' }
  /** A script or style, whose name has a hash of its text: it is the same in every build that has it. */
  | { readonly kind: 'asset'; readonly path: string }
  /** Any other file of the build that the address names, or of this worker's build. */
  | { readonly kind: 'file'; readonly path: string; readonly build: string | undefined };

const PAGES = new Set(['', 'index.html']);

/**
 * Decides how the worker answers a request; `undefined` leaves it to the browser. That is what happens to everything
 * except reading the app's own files: other origins, other apps below the same origin, and requests that ask for the
 * server's own answer.
 */
export function routeOf(request: RequestFacts, { scope, has }: Site): Route | undefined {
  if (request.method !== 'GET' || request.isRange || request.cache === 'no-store') return undefined;
  const url = new URL(request.url);
  url.hash = '';
  const build = url.searchParams.get('build') ?? undefined;
  url.search = '';
  if (!url.href.startsWith(scope)) return undefined;
  const path = url.href.slice(scope.length);
  if (PAGES.has(path)) return request.mode === 'navigate' ? { kind: 'page' } : undefined;
  if (/^assets\/[^/]+$/.test(path)) return { kind: 'asset', path };
  return has(path) ? { kind: 'file', path, build } : undefined;
}
