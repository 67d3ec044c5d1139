import { buildOfPage, cacheName, cachePrefix, type Build, type BuildFile, type Part } from './build.ts';

/** How much of a build is kept, in bytes of files that are not compressed. */
export interface Kept {
  readonly build: string;
  readonly bytes: number;
  readonly ofBytes: number;
  /** Whether everything is kept that the page needs without a network. */
  readonly works: boolean;
}

/** The part of the browser's caches that the store uses. */
export type Caches = Pick<CacheStorage, 'open' | 'keys' | 'delete' | 'has'>;

export interface StoreDeps {
  readonly build: Build;
  /** The address of the folder that the app is served from. */
  readonly scope: string;
  readonly caches: Caches;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** How many files are fetched at the same time, so that the page's own requests are not held up. */
const AT_ONCE = 3;

/** The kept files of all builds: each build has a cache of its own, from which its pages alone are served. */
export class Store {
  readonly #deps: StoreDeps;
  readonly #scopePath: string;
  readonly #parts: ReadonlyMap<string, BuildFile>;
  #isStopped = false;

  constructor(deps: StoreDeps) {
    this.#deps = deps;
    this.#scopePath = new URL(deps.scope).pathname;
    this.#parts = new Map(deps.build.files.map((file) => [file.path, file]));
  }

  has(path: string): boolean {
    return this.#parts.has(path);
  }

  /** A file of the named build. */
  async file(path: string, build = this.#deps.build.id): Promise<Response | undefined> {
    const name = cacheName(this.#scopePath, build);
    // Opening a cache would make it.
    if (!(await this.#deps.caches.has(name))) return undefined;
    return this.#match(name, path);
  }

  /** A file with a hash in its name, of whichever build has it. */
  async asset(path: string): Promise<Response | undefined> {
    const own = await this.file(path);
    if (own) return own;
    for (const name of await this.#others()) {
      const found = await this.#match(name, path);
      if (found) return found;
    }
    return undefined;
  }

  /** From now on nothing is kept, and a download fails, until the next one is asked for. */
  stop(): void {
    this.#isStopped = true;
  }

  start(): void {
    this.#isStopped = false;
  }

  /** Keeps an answer for a file of this build, unless it is none. */
  async keep(path: string, response: Response): Promise<void> {
    if (this.#isStopped || !this.has(path) || !isFile(path, response)) return;
    await (await this.#open()).put(this.#address(path), plain(response));
  }

  /** Downloads the missing files of these parts; rejects with the first that could not be had. Keeps what it has. */
  async download(parts: readonly Part[], progress: (kept: Kept) => void = () => {}): Promise<void> {
    const kept = await this.#paths();
    const missing = this.#deps.build.files.filter(
      ({ path, part }) => parts.includes(part) && !kept.has(path),
    );
    const next = missing.values();
    let failed = false;
    const run = async () => {
      for (const { path } of next) {
        if (failed) return;
        try {
          if (this.#isStopped) throw new Error('The download was stopped.');
          await this.#get(path);
        } catch (error) {
          failed = true;
          throw error;
        }
        kept.add(path);
        progress(this.#sum(kept));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, run));
  }

  async kept(): Promise<Kept> {
    return this.#sum(await this.#paths());
  }

  /** Removes what is kept of every build but this one and those in use. */
  async clean(inUse: ReadonlySet<string>): Promise<void> {
    const prefix = cachePrefix(this.#scopePath);
    for (const name of await this.#others())
      if (!inUse.has(name.slice(prefix.length))) await this.#deps.caches.delete(name);
  }

  async #get(path: string): Promise<void> {
    const copy = path.startsWith('assets/') ? await this.asset(path) : undefined;
    await this.keep(path, copy ?? (await this.#fetch(path)));
  }

  async #fetch(path: string): Promise<Response> {
    const isHashed = path.startsWith('assets/');
    const response = await this.#deps.fetch(this.#address(path), {
      cache: isHashed ? 'default' : 'no-cache',
      credentials: 'same-origin',
      priority: 'low',
    });
    if (!isFile(path, response)) throw new Error(`${this.#address(path)} answered ${response.status}`);
    // The host may have published another build meanwhile.
    if (path === '' && buildOfPage(await response.clone().text()) !== this.#deps.build.id)
      throw new Error(`${this.#address(path)} is of another build`);
    return response;
  }

  #sum(paths: ReadonlySet<string>): Kept {
    const { id } = this.#deps.build;
    const files = this.#deps.build.files.filter(({ part }) => part !== 'asked');
    const bytesOf = (of: readonly BuildFile[]) => of.reduce((sum, { bytes }) => sum + bytes, 0);
    return {
      build: id,
      bytes: bytesOf(files.filter(({ path }) => paths.has(path))),
      ofBytes: bytesOf(files),
      works: files.every(({ path, part }) => part === 'later' || paths.has(path)),
    };
  }

  /** The paths of this build that are kept. */
  async #paths(): Promise<Set<string>> {
    const keys = await (await this.#open()).keys();
    return new Set(keys.map(({ url }) => url.slice(this.#deps.scope.length)));
  }

  async #others(): Promise<readonly string[]> {
    const own = cacheName(this.#scopePath, this.#deps.build.id);
    const names = await this.#deps.caches.keys();
    return names.filter((name) => name !== own && name.startsWith(cachePrefix(this.#scopePath)));
  }

  async #match(name: string, path: string): Promise<Response | undefined> {
    const cache = await this.#deps.caches.open(name);
    return cache.match(this.#address(path), { ignoreVary: true });
  }

  #open(): Promise<Cache> {
    return this.#deps.caches.open(cacheName(this.#scopePath, this.#deps.build.id));
  }

  #address(path: string): string {
    return `${this.#deps.scope}${path}`;
  }
}

/** Some hosts answer with their start page if a file does not exist. */
function isFile(path: string, response: Response): boolean {
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  return response.ok && response.type !== 'opaque' && (!isPage || path === '' || path.endsWith('.html'));
}

/** The answer without what keeps a cache from storing it, or a page from being served with it. */
function plain(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.delete('Vary');
  return new Response(response.body, { status: 200, headers });
}
