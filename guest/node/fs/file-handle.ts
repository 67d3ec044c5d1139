import type { LoadBuiltin } from '../builtins/builtin.ts';
import type { FsCore } from './core.ts';
import { plainError } from '../builtins/internal/errors.ts';

type Later = <T>(run: () => T) => Promise<T>;

interface Streams {
  readonly ReadStream: new (path: unknown, options: object) => object;
  readonly WriteStream: new (path: unknown, options: object) => object;
}

/** The class of what `fs.promises.open` gives. */
export function makeFileHandle(core: FsCore, load: LoadBuiltin, later: Later, streams: () => Streams) {
  const EventEmitter = load('events');
  const { Buffer } = load('buffer');

  return class FileHandle extends EventEmitter {
    #fd: number;

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
      return later(() => run(this.#fd));
    }

    appendFile(data: unknown, options?: unknown) {
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
      return this.#do('write', (fd) => core.writeFile(fd, data, options));
    }

    async read(target?: unknown, ...args: unknown[]) {
      let buffer = target;
      let rest = args;
      if (!ArrayBuffer.isView(target)) {
        const { buffer: own = Buffer.alloc(16384), ...part } = (target ?? {}) as { buffer?: unknown };
        buffer = own;
        rest = [part];
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
    readableWebStream() {
      const chunks = async () => (await this.read()) as { bytesRead: number; buffer: Uint8Array };
      return new ReadableStream({
        async pull(controller) {
          const { bytesRead, buffer } = await chunks();
          if (bytesRead === 0) controller.close();
          else controller.enqueue(new Uint8Array(buffer.subarray(0, bytesRead)));
        },
      });
    }

    close(): Promise<void> {
      const fd = this.#fd;
      if (fd < 0) return Promise.resolve();
      this.#fd = -1;
      return later(() => core.close(fd)).then(() => void this.emit('close'));
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
