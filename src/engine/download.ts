import { FaultError } from '../base/fault.ts';
import { FAULT_TEXTS as TEXTS, fill } from '../base/fault-texts.ts';
import type { EngineDtype } from '../protocol/engine.ts';
import { NEEDED, OPTIONAL, weightsPath } from './layout.ts';
import type { ModelStore, PartialFile } from './store.ts';

export const HUB = 'https://huggingface.co';

/** A download is stored in pieces of this size, so an interruption loses less than one piece. */
const PIECE_BYTES = 8_000_000;

export interface Wanted {
  readonly id: string;
  readonly name: string;
  readonly dtype: EngineDtype;
}

export interface Progress {
  readonly bytes: number;
  /** The size of the file that is under way and of those before, as far as the server told it. */
  readonly total: number | null;
}

export interface DownloadDeps {
  readonly store: ModelStore;
  readonly fetch: typeof fetch;
  readonly hub?: string;
  readonly pieceBytes?: number;
}

/** Fetches the files of a model that are not here yet. What was fetched stays, and the next attempt goes on from there. */
export async function download(
  { store, fetch, hub = HUB, pieceBytes = PIECE_BYTES }: DownloadDeps,
  wanted: Wanted,
  progress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<void> {
  await store.describe({ ...wanted, isWhole: false });
  let before = 0;
  for (const path of [...NEEDED, ...OPTIONAL, weightsPath(wanted.dtype)]) {
    const url = `${hub}/${wanted.id}/resolve/main/${path}`;
    const file = new FileDownload({ store, fetch, pieceBytes }, wanted.id, path, url);
    const isOptional = OPTIONAL.some((each) => each === path);
    const report = (bytes: number, total: number | null) =>
      progress({ bytes: before + bytes, total: total === null ? null : before + total });
    before += await file.run(isOptional, report, signal);
  }
  await store.describe({ ...wanted, isWhole: true });
}

type FileDeps = Required<Pick<DownloadDeps, 'store' | 'fetch' | 'pieceBytes'>>;

class FileDownload {
  readonly #deps: FileDeps;
  readonly #id: string;
  readonly #path: string;
  readonly #url: string;

  constructor(deps: FileDeps, id: string, path: string, url: string) {
    this.#deps = deps;
    this.#id = id;
    this.#path = path;
    this.#url = url;
  }

  /** Resolves to the size of the file. */
  async run(
    isOptional: boolean,
    report: (bytes: number, total: number | null) => void,
    signal: AbortSignal,
  ): Promise<number> {
    const { store } = this.#deps;
    let kept = await store.partial(this.#id, this.#path);
    if (kept.total !== null && kept.bytes === kept.total) return kept.bytes;
    let response = await this.#ask(kept.bytes, signal);
    if (response.status === 404 && isOptional) return 0;
    // A host that is busy, or refuses, has said nothing about what is here already.
    if (!response.ok && response.status !== OUT_OF_RANGE) throw refused(this.#url, response.status);
    if (kept.bytes > 0 && !goesOn(response, kept)) {
      // The server sends the whole, or another version of the file.
      await store.drop(this.#id, this.#path);
      kept = NOTHING;
      if (response.status !== 200) {
        await response.body?.cancel();
        response = await this.#ask(0, signal);
      }
    }
    if (!response.ok) throw refused(this.#url, response.status);
    return this.#read(response, kept, report, signal);
  }

  async #ask(from: number, signal: AbortSignal): Promise<Response> {
    return this.#reached(
      this.#deps.fetch(this.#url, {
        signal,
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        ...(from > 0 && { headers: { Range: `bytes=${from}-` } }),
      }),
      signal,
    );
  }

  /** Waits for something from the host. Rejects with a fault if the connection is missing or breaks. */
  async #reached<T>(waiting: Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await waiting;
    } catch (error) {
      if (signal.aborted) throw error;
      throw new FaultError(
        {
          code: 'unreachable',
          what: fill(TEXTS.unfetched, { host: new URL(this.#url).host }),
          next: TEXTS.keepsWhatIsHere,
          retryable: true,
        },
        { cause: error },
      );
    }
  }

  async #read(
    response: Response,
    kept: PartialFile,
    report: (bytes: number, total: number | null) => void,
    signal: AbortSignal,
  ): Promise<number> {
    const { store, pieceBytes } = this.#deps;
    const total = totalOf(response);
    const etag = response.headers.get('etag');
    let { bytes, pieces } = kept;
    let waiting: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    const write = async (whole: number | null) => {
      await store.add(this.#id, this.#path, pieces++, new Blob(waiting), { total: whole, etag });
      waiting = [];
      size = 0;
    };
    const reader = response.body?.getReader();
    const next = async () => reader && this.#reached(reader.read(), signal);
    try {
      for (let read = await next(); read && !read.done; read = await next()) {
        waiting.push(read.value);
        size += read.value.length;
        bytes += read.value.length;
        report(bytes, total);
        if (size >= pieceBytes) await write(total);
      }
    } finally {
      // The host would go on sending after a piece that could not be written.
      await reader?.cancel().catch(() => undefined);
    }
    if (total !== null && bytes !== total) throw incomplete(this.#url);
    // A server that does not tell the size has told it by ending.
    if (size > 0) await write(total ?? bytes);
    return bytes;
  }
}

/** The status of an answer to a range that lies behind the end of the file. */
const OUT_OF_RANGE = 416;
const NOTHING: PartialFile = { bytes: 0, pieces: 0, total: null, etag: null };

/** Whether the answer is the rest of what is kept, and of the same version. */
function goesOn(response: Response, { total, etag }: PartialFile): boolean {
  if (response.status !== 206 || totalOf(response) !== total) return false;
  const now = response.headers.get('etag');
  return etag === null || now === null || etag === now;
}

/** The size of the whole file, whichever part of it comes. */
function totalOf(response: Response): number | null {
  const range = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  if (range !== undefined) return Number(range);
  // A body that was packed on its way has another size than its header says.
  const isPacked = response.headers.has('content-encoding');
  const length = response.status === 200 && !isPacked ? response.headers.get('content-length') : null;
  return length === null ? null : Number(length);
}

function refused(url: string, status: number): FaultError {
  return new FaultError({
    code: 'model-refused',
    what: fill(TEXTS.fileRefused, { host: new URL(url).host, status, path: new URL(url).pathname }),
    next: 'Look at the page of the model: it may have moved, or ask for an agreement first.',
    retryable: status >= 500,
  });
}

function incomplete(url: string): FaultError {
  return new FaultError({
    code: 'model-incomplete',
    what: fill(TEXTS.endedEarly, { path: new URL(url).pathname }),
    next: 'Go on with the download.',
    retryable: true,
  });
}
