import { joined } from '../kit/io.ts';
import type { ByteSink, ByteSource } from '../program.ts';

/** An open file or pipe end. Several descriptors, also of several shells, can refer to the same one. */
export class OpenFile {
  /** The number of descriptors that refer to it. */
  #references = 0;
  readonly source: ByteSource | undefined;
  readonly sink: ByteSink | undefined;
  readonly isTerminal: boolean;
  /** The path of the file that it was opened for writing with, absolute. */
  readonly path: string | undefined;
  readonly #ended: (() => void) | undefined;

  constructor(
    ends: { readonly source?: ByteSource; readonly sink?: ByteSink },
    ended?: () => void,
    isTerminal = false,
    path?: string,
  ) {
    this.source = ends.source;
    this.sink = ends.sink;
    this.#ended = ended;
    this.isTerminal = isTerminal;
    this.path = path;
  }

  retain(): this {
    this.#references++;
    return this;
  }

  release(): void {
    if (--this.#references === 0) this.#ended?.();
  }
}

/** The number of the descriptor that a path names, such as `/dev/fd/63` or `/dev/stdin`. */
export function streamNumber(path: string): number | undefined {
  const [, number] = /^\/dev\/fd\/(\d+)$/.exec(path) ?? [];
  if (number !== undefined) return Number(number);
  return { '/dev/stdin': 0, '/dev/stdout': 1, '/dev/stderr': 2 }[path];
}

export class Descriptors {
  readonly #open: Map<number, OpenFile>;

  constructor(open: Iterable<readonly [number, OpenFile]> = []) {
    this.#open = new Map(open);
    for (const file of this.#open.values()) file.retain();
  }

  get(fd: number): OpenFile | undefined {
    return this.#open.get(fd);
  }

  set(fd: number, file: OpenFile | undefined): void {
    const before = this.#open.get(fd);
    file?.retain();
    if (file) this.#open.set(fd, file);
    else this.#open.delete(fd);
    before?.release();
  }

  /** The first free descriptor from `least` on. */
  free(least: number): number {
    let fd = least;
    while (this.#open.has(fd)) fd++;
    return fd;
  }

  copy(): Descriptors {
    return new Descriptors(this.#open);
  }

  numbers(): number[] {
    return [...this.#open.keys()];
  }

  closeAll(): void {
    for (const fd of this.numbers()) this.set(fd, undefined);
  }
}

const FULL = 64 * 1024;

/** Appends to a file in large pieces. Call {@link flush} before anyone may look at the file. */
export class FileSink implements ByteSink {
  #pieces: Uint8Array[] = [];
  #size = 0;
  #writing: Promise<void> = Promise.resolve();
  readonly #append: (bytes: Uint8Array) => Promise<void>;
  readonly #dirty: Set<FileSink>;

  constructor(append: (bytes: Uint8Array) => Promise<void>, dirty: Set<FileSink>) {
    this.#append = append;
    this.#dirty = dirty;
  }

  write(bytes: Uint8Array): void | Promise<void> {
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.#size += bytes.length;
    this.#dirty.add(this);
    if (this.#size >= FULL) return this.flush();
  }

  flush(): Promise<void> {
    const bytes = joined(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    this.#dirty.delete(this);
    if (bytes.length > 0) this.#writing = this.#writing.catch(() => {}).then(() => this.#append(bytes));
    return this.#writing;
  }
}
