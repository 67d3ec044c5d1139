import type { LoadBuiltin } from '../builtins/builtin.ts';
import type { FsCore } from './core.ts';
import { abortError, nodeError, plainError } from '../builtins/internal/errors.ts';
import { optionsOf } from './arguments.ts';

type RunLater = <T>(run: () => T) => Promise<T>;

interface Streams {
  readonly ReadStream: new (path: unknown, options: object) => object;
  readonly WriteStream: new (path: unknown, options: object) => object;
}

/** Methods that begin and end the use of a handle. It is not closed while it is in use. */
export const ENTER = Symbol('enter');
export const LEAVE = Symbol('leave');

/** Makes the class of the handles that `fs.promises.open` returns. */
export function makeFileHandle(core: FsCore, load: LoadBuiltin, later: RunLater, streams: () => Streams) {
  const EventEmitter = load('events');
  const { Buffer } = load('buffer');

  async function writePieces(
    file: { write(bytes: Uint8Array): Promise<unknown> },
    pieces: AsyncIterable<unknown> | Iterable<unknown>,
    options: unknown,
  ) {
    const { encoding, signal } = optionsOf(options);
    const check = () => {
      if (signal?.aborted) throw abortError(signal.reason);
    };
    check();
    for await (const piece of pieces) {
      check();
      await file.write(core.bytesOf(piece, encoding));
      check();
    }
  }

  return class FileHandle extends EventEmitter {
    #fd: number;
    /** Counts the handle itself and each operation and stream that uses it. The file is closed when the last one ends. */
    #users = 1;
    #closing: Promise<void> | undefined;
    #closed: ((end: Promise<void>) => void) | undefined;
    #isStreamed = false;

    constructor(fd: number) {
      super();
      this.#fd = fd;
    }

    get fd(): number {
      return this.#fd;
    }

    #do<T>(syscall: string, run: (fd: number) => T): Promise<T> {
      if (this.#fd < 0) {
        const closed = plainError('EBADF', 'file closed');
        return Promise.reject(Object.assign(closed, { syscall }));
      }
      this[ENTER]();
      return later(() => {
        try {
          return run(this.#fd);
        } finally {
          this[LEAVE]();
        }
      });
    }

    [ENTER](): void {
      this.#users++;
    }

    [LEAVE](): void {
      this.#users--;
      if (this.#users > 0) return;
      const fd = this.#fd;
      this.#fd = -1;
      this.#closed?.(later(() => core.close(fd)));
    }

    appendFile(data: unknown, options?: unknown) {
      if (isIterable(data)) return writePieces(this, data, options);
      return this.#do('write', (fd) => core.appendFile(fd, data, options));
    }
    chmod(mode: unknown) {
      return this.#do('fchmod', (fd) => core.fchmod(fd, mode));
    }
    chown(user: unknown, group: unknown) {
      return this.#do('fchown', (fd) => core.fchown(fd, user, group));
    }
    datasync() {
      return this.#do('fdatasync', (fd) => core.fdatasync(fd));
    }
    sync() {
      return this.#do('fsync', (fd) => core.fsync(fd));
    }
    stat(options?: unknown) {
      return this.#do('fstat', (fd) => core.fstat(fd, options));
    }
    truncate(length?: unknown) {
      return this.#do('ftruncate', (fd) => core.ftruncate(fd, length));
    }
    utimes(accessed: unknown, modified: unknown) {
      return this.#do('futime', (fd) => core.futimes(fd, accessed, modified));
    }
    readFile(options?: unknown) {
      return this.#do('read', (fd) => core.readFile(fd, options));
    }
    writeFile(data: unknown, options?: unknown) {
      if (isIterable(data)) return writePieces(this, data, options);
      return this.#do('write', (fd) => core.writeFile(fd, data, options));
    }

    async read(target?: unknown, ...args: unknown[]) {
      let buffer = target;
      let rest = args;
      if (!ArrayBuffer.isView(target)) {
        const { buffer: own = Buffer.alloc(16384), ...part } = (target ?? {}) as { buffer?: unknown };
        buffer = own;
        rest = [part];
      } else if (args.length > 1) {
        const [offset, length, position] = args;
        rest = [offset, length ?? target.byteLength - Number(offset ?? 0), position];
      }
      const bytesRead = await this.#do('read', (fd) => core.read(fd, buffer, ...rest));
      return { bytesRead, buffer };
    }
    async readv(buffers: unknown, position?: unknown) {
      return { bytesRead: await this.#do('read', (fd) => core.readv(fd, buffers, position)), buffers };
    }
    async write(data: unknown, ...args: unknown[]) {
      return { bytesWritten: await this.#do('write', (fd) => core.write(fd, data, ...args)), buffer: data };
    }
    async writev(buffers: unknown, position?: unknown) {
      return { bytesWritten: await this.#do('write', (fd) => core.writev(fd, buffers, position)), buffers };
    }

    createReadStream(options?: object) {
      const { ReadStream } = streams();
      return new ReadStream(undefined, { ...options, fd: this });
    }
    createWriteStream(options?: object) {
      const { WriteStream } = streams();
      return new WriteStream(undefined, { ...options, fd: this });
    }
    readLines(options?: object) {
      const readline = load('readline') as { createInterface(options: object): object };
      return readline.createInterface({ input: this.createReadStream(options), crlfDelay: Infinity });
    }
    readableWebStream({ autoClose = false }: { readonly autoClose?: boolean } = {}) {
      if (this.#fd < 0) throw nodeError('ERR_INVALID_STATE', 'Invalid state: The FileHandle is closed');
      if (this.#closing) throw nodeError('ERR_INVALID_STATE', 'Invalid state: The FileHandle is closing');
      if (this.#isStreamed)
        throw nodeError('ERR_INVALID_STATE', 'Invalid state: The FileHandle is already locked');
      this.#isStreamed = true;
      let isOver = false;
      const end = () => {
        isOver = true;
        this[LEAVE]();
        if (autoClose) void this.close();
      };
      this[ENTER]();
      return new ReadableStream({
        type: 'bytes',
        autoAllocateChunkSize: 16384,
        start: (controller) => {
          this.once('close', () => {
            if (isOver) return;
            controller.close();
            end();
          });
        },
        pull: async (controller) => {
          const view = controller.byobRequest?.view as ArrayBufferView;
          const { bytesRead } = await this.read(view, 0, view.byteLength);
          if (bytesRead === 0) controller.close();
          controller.byobRequest?.respond(bytesRead);
          if (bytesRead === 0) end();
        },
        cancel: end,
      });
    }

    close(): Promise<void> {
      if (this.#fd < 0) return Promise.resolve();
      if (this.#closing) return this.#closing;
      const end = new Promise<void>((resolve) => (this.#closed = resolve)).finally(
        () => (this.#closing = undefined),
      );
      this.#closing = end;
      this[LEAVE]();
      this.emit('close');
      return end;
    }

    static {
      const symbol: unknown = Reflect.get(Symbol, 'asyncDispose');
      if (typeof symbol === 'symbol')
        Object.defineProperty(this.prototype, symbol, {
          value(this: FileHandle) {
            return this.close();
          },
        });
    }
  };
}

export type FileHandleClass = ReturnType<typeof makeFileHandle>;
export type FileHandle = InstanceType<FileHandleClass>;

export function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !ArrayBuffer.isView(value) &&
    (Symbol.asyncIterator in value || Symbol.iterator in value)
  );
}
