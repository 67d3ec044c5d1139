import { FaultError } from '../../base/fault.ts';
import { digestBytes, type Hash } from '../../base/hash.ts';
import { ROOT } from '../../base/places.ts';
import { ALWAYS_IGNORED, IGNORE_FILES, IgnoreRules } from '../../protocol/ignore-rules.ts';
import { Ignored } from '../../protocol/ignored.ts';
import { IMPORT_LIMITS } from '../transfer.ts';

/** A file of the disk as it was read. Size in bytes, time of the last change in milliseconds since 1970. */
export interface DiskFile {
  readonly hash: Hash;
  readonly size: number;
  readonly modified: number;
}

export interface DiskReading {
  readonly files: ReadonlyMap<string, DiskFile>;
  /** Paths that were left out with everything below them: ignored ones, and files over the limit. */
  readonly leftOut: ReadonlySet<string>;
}

export interface ReadOptions {
  /** The known files: one with the same size and time is not read again. */
  readonly known?: ReadonlyMap<string, DiskFile>;
  readonly onProgress?: (files: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * A folder of the person's disk, by a handle of the File System Access API. Paths are relative to it, with `/` between
 * their parts. Everything rejects with what the browser says where the person no longer permits it.
 */
export class DiskFolder {
  readonly handle: FileSystemDirectoryHandle;

  constructor(handle: FileSystemDirectoryHandle) {
    this.handle = handle;
  }

  get name(): string {
    return this.handle.name;
  }

  /** Lists the files that are not ignored, with their contents' hashes. Fault `folder-too-large` over the limits. */
  async list(options: ReadOptions = {}): Promise<DiskReading> {
    const listing = new Listing(options);
    await listing.walk(this.handle, '');
    return listing;
  }

  /** `null` if there is no file. */
  async read(path: string): Promise<Uint8Array | null> {
    const file = await this.#file(path);
    return file && new Uint8Array(await file.arrayBuffer());
  }

  /** Writes a whole file: the browser puts it in the place of the old one when all of it has been written. */
  async write(path: string, content: Uint8Array): Promise<DiskFile> {
    const { folder, name } = await this.#place(path, true);
    const handle = await folder.getFileHandle(name, { create: true });
    const stream = await handle.createWritable();
    try {
      await stream.write(new Uint8Array(content));
      await stream.close();
    } catch (error) {
      await stream.abort().catch(() => {});
      throw error;
    }
    return describe(await handle.getFile(), content);
  }

  async remove(path: string): Promise<void> {
    const { folder, name } = await this.#place(path, false);
    await folder.removeEntry(name);
  }

  async #file(path: string): Promise<File | null> {
    try {
      const { folder, name } = await this.#place(path, false);
      return await (await folder.getFileHandle(name)).getFile();
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotFoundError') return null;
      throw error;
    }
  }

  async #place(path: string, create: boolean): Promise<{ folder: FileSystemDirectoryHandle; name: string }> {
    const parts = path.split('/');
    const name = parts.pop() ?? '';
    let folder = this.handle;
    for (const part of parts) folder = await folder.getDirectoryHandle(part, { create });
    return { folder, name };
  }
}

async function describe(file: File, content: Uint8Array): Promise<DiskFile> {
  return {
    hash: await digestBytes(new Uint8Array(content)),
    size: file.size,
    modified: file.lastModified,
  };
}

/** One reading of a folder. Ignore files hold for what is below them, so each is read before the rest of its folder. */
class Listing implements DiskReading {
  readonly files = new Map<string, DiskFile>();
  readonly leftOut = new Set<string>();
  readonly #rules = new IgnoreRules();
  readonly #ignored: Ignored;
  readonly #options: ReadOptions;
  #bytes = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#rules.addWeakest(ROOT, ALWAYS_IGNORED);
    this.#ignored = new Ignored(this.#rules);
  }

  async walk(folder: FileSystemDirectoryHandle, prefix: string): Promise<void> {
    const entries: (FileSystemDirectoryHandle | FileSystemFileHandle)[] = [];
    for await (const entry of folder.values()) entries.push(entry);
    for (const name of IGNORE_FILES) {
      const entry = entries.find((each) => each.name === name);
      if (entry?.kind === 'file')
        this.#rules.add(`${ROOT}/${prefix}`.replace(/\/$/, ''), name, await (await entry.getFile()).text());
    }
    for (const entry of entries) {
      this.#options.signal?.throwIfAborted();
      const path = prefix + entry.name;
      if (this.#ignored.has(`${ROOT}/${path}`, entry.kind === 'directory')) this.leftOut.add(path);
      else if (entry.kind === 'directory') await this.walk(entry, `${path}/`);
      else await this.#add(path, await entry.getFile());
    }
  }

  async #add(path: string, file: File): Promise<void> {
    if (file.size > IMPORT_LIMITS.fileBytes) {
      this.leftOut.add(path);
      return;
    }
    this.#bytes += file.size;
    if (this.files.size >= IMPORT_LIMITS.files || this.#bytes > IMPORT_LIMITS.totalBytes)
      throw new FaultError({
        code: 'folder-too-large',
        what: 'This folder holds more than a workspace can.',
        next: 'Choose a folder inside it, or name what can be made again in its .gitignore.',
      });
    const known = this.#options.known?.get(path);
    const isKnown = known?.size === file.size && known.modified === file.lastModified;
    this.files.set(path, isKnown ? known : await describe(file, new Uint8Array(await file.arrayBuffer())));
    this.#options.onProgress?.(this.files.size);
  }
}
