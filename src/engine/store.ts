import * as z from 'zod/mini';
import { ENGINE_DTYPES, type EngineDtype } from '../protocol/engine.ts';

const aboutSchema = z.object({
  id: z.string(),
  name: z.string(),
  dtype: z.enum(ENGINE_DTYPES),
  /** Whether every file is there. */
  isWhole: z.boolean(),
});

/** A model whose files are in this browser, all of them or some. */
export interface KeptModel {
  readonly id: string;
  readonly name: string;
  readonly dtype: EngineDtype;
  readonly isWhole: boolean;
  readonly bytes: number;
}

/** A file of which some pieces are kept. */
export interface PartialFile {
  readonly bytes: number;
  readonly pieces: number;
  /** The size of the whole, if it was told. */
  readonly total: number | null;
  /** The host's name for this version of the file, if it was told. */
  readonly etag: string | null;
}

/** The facts about the whole file that each of its pieces carries. */
export type WholeFile = Pick<PartialFile, 'total' | 'etag'>;

/** The part of a browser's caches that is used here. */
export type ModelCaches = Pick<CacheStorage, 'keys' | 'has' | 'delete'> & {
  open(name: string): Promise<ModelCache>;
};
type ModelCache = Pick<Cache, 'match' | 'put' | 'keys' | 'delete'>;

/** Caches take addresses alone. This one leads nowhere. */
const PLACE = 'https://model.invalid/';
const ABOUT = `${PLACE}about`;
const BYTES = 'x-bytes';
const TOTAL = 'x-total';
const ETAG = 'x-etag';

/**
 * The files of models, kept in this browser: one cache for each model, and each file in pieces, so that a download goes on where
 * it was interrupted.
 */
export class ModelStore {
  readonly #caches: ModelCaches;
  readonly #prefix: string;

  /** Other apps of the same origin have other scopes. */
  constructor(caches: ModelCaches, scope: string) {
    this.#caches = caches;
    this.#prefix = `vitrine-model:${scope}:`;
  }

  async list(): Promise<readonly KeptModel[]> {
    const names = (await this.#caches.keys()).filter((name) => name.startsWith(this.#prefix));
    const models = await Promise.all(names.map((name) => this.about(name.slice(this.#prefix.length))));
    return models.filter((model) => model !== undefined);
  }

  async about(id: string): Promise<KeptModel | undefined> {
    if (!(await this.#caches.has(this.#prefix + id))) return undefined;
    const cache = await this.#open(id);
    const kept = await cache.match(ABOUT);
    const about = aboutSchema.safeParse(await kept?.json().catch(() => undefined));
    if (!about.success) return undefined;
    const sizes = await Promise.all((await cache.keys()).map(async (key) => sizeOf(await cache.match(key))));
    return { ...about.data, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  }

  /** Writes what a model is; `isWhole` once all of its files are there. */
  async describe(model: Omit<KeptModel, 'bytes'>): Promise<void> {
    const { id, name, dtype, isWhole } = model;
    await (await this.#open(id)).put(ABOUT, Response.json({ id, name, dtype, isWhole }));
  }

  async partial(id: string, path: string): Promise<PartialFile> {
    const pieces = await this.#pieces(id, path);
    const headers = pieces.at(0)?.headers;
    const total = headers?.get(TOTAL);
    return {
      pieces: pieces.length,
      bytes: pieces.reduce((sum, piece) => sum + sizeOf(piece), 0),
      total: total ? Number(total) : null,
      etag: headers?.get(ETAG) ?? null,
    };
  }

  /** Appends the piece with this number. */
  async add(id: string, path: string, piece: number, content: Blob, whole: WholeFile): Promise<void> {
    const headers = {
      [BYTES]: String(content.size),
      ...(whole.total !== null && { [TOTAL]: String(whole.total) }),
      ...(whole.etag !== null && { [ETAG]: whole.etag }),
    };
    await (await this.#open(id)).put(addressOf(path, piece), new Response(content, { headers }));
  }

  /** Removes the last piece first: a tab that ends meanwhile leaves the beginning, and no pieces behind a gap. */
  async drop(id: string, path: string): Promise<void> {
    const cache = await this.#open(id);
    const { length } = await this.#pieces(id, path);
    for (let piece = length - 1; piece >= 0; piece--) await cache.delete(addressOf(path, piece));
  }

  /** The files by their paths. */
  async files(id: string): Promise<ReadonlyMap<string, Blob>> {
    const keys = await (await this.#open(id)).keys();
    const paths = new Set(keys.filter(({ url }) => url !== ABOUT).map(({ url }) => pathOf(url)));
    const entries = [...paths].map(async (path) => {
      const blobs = await Promise.all((await this.#pieces(id, path)).map((piece) => piece.blob()));
      return [path, new Blob(blobs)] as const;
    });
    return new Map(await Promise.all(entries));
  }

  async remove(id: string): Promise<void> {
    await this.#caches.delete(this.#prefix + id);
  }

  async #pieces(id: string, path: string): Promise<readonly Response[]> {
    const cache = await this.#open(id);
    const pieces: Response[] = [];
    for (;;) {
      const piece = await cache.match(addressOf(path, pieces.length));
      if (!piece) return pieces;
      pieces.push(piece);
    }
  }

  #open(id: string): Promise<ModelCache> {
    return this.#caches.open(this.#prefix + id);
  }
}

const addressOf = (path: string, piece: number): string => `${PLACE}files/${path}?piece=${piece}`;
const pathOf = (address: string): string => new URL(address).pathname.replace(/^\/files\//, '');
const sizeOf = (response: Response | undefined): number => Number(response?.headers.get(BYTES) ?? 0);
