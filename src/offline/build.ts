/** One build of the app, as its service worker knows it. `build/service-worker.ts` writes it into the worker. */
export interface Build {
  /** A hash over all files, so every build has another one. The page has it in a meta element. */
  readonly id: string;
  readonly files: readonly BuildFile[];
  /** The headers of the site, from `build/headers.json`: those of every file, and those of the files in `assets/`. */
  readonly headers: { readonly every: SiteHeaders; readonly assets: SiteHeaders };
}

type SiteHeaders = Readonly<Record<string, string>>;

export interface BuildFile {
  /** Relative to the folder of the page; `''` is the page itself. */
  readonly path: string;
  /** The size of the file as it is, not compressed. */
  readonly bytes: number;
  readonly part: Part;
}

/**
 * `start`: what a worker has before it serves anything. `core`: what the page, the demo, lessons, recordings and `node`
 * need. `later`: grammars, language services, formatters and the like, which are kept when they are first used, and
 * downloaded when the rest is there. `asked`: what runs models in the tab, which is large; it is kept when it is first used,
 * and never downloaded before.
 */
export type Part = 'start' | 'core' | 'later' | 'asked';

/** The part of a page's text that says which build it belongs to. */
export const buildMark = (id: string) => `name="vitrine-build" content="${id}"`;
const MARK = /name="vitrine-build" content="([\w-]+)"/;

/** The build that a page's text belongs to; undefined for any other text. */
export const buildOfPage = (text: string): string | undefined => MARK.exec(text)?.[1];

/** Other apps of the same origin have other scopes, so neither touches what the other keeps. */
export const cacheName = (scope: string, id: string) => `${cachePrefix(scope)}${id}`;
export const cachePrefix = (scope: string) => `vitrine-files:${scope}:`;

/** Each page holds this lock, shared, for as long as it lives: its build is in use. */
export const lockName = (scope: string, id: string) => `${lockPrefix(scope)}${id}`;
export const lockPrefix = (scope: string) => `vitrine-build:${scope}:`;
