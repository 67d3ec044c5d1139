import type { Readable } from 'node:stream';
import type { LoadBuiltin } from '../builtins/builtin.ts';
import type { FsCore } from './core.ts';
import { abortError } from '../builtins/internal/errors.ts';
import { membersOf } from '../builtins/internal/guards.ts';
import { optionsOf } from './arguments.ts';
import { HandleDescriptor } from './handle/descriptor.ts';
import { webStreamOf } from './handle/web-stream.ts';
import type { LaterCalls } from './later-calls.ts';

interface Streams {
  readonly ReadStream: new (path: unknown, options: object) => Readable;
  readonly WriteStream: new (path: unknown, options: object) => object;
}

/** Methods that begin and end the use of a handle. It is not closed while it is in use. */
export const ENTER = Symbol('enter');
export const LEAVE = Symbol('leave');

/** Makes the class of the handles that `fs.promises.open` returns. */
export function makeFileHandle(
  core: FsCore,
  load: LoadBuiltin,
  later: LaterCalls['later'],
  streams: () => Streams,
) {
  const EventEmitter = load('events');
  const { Buffer } = load('buffer');

  return class FileHandle extends EventEmitter {
    readonly #descriptor: HandleDescriptor;

    constructor(fd: number) {
      super();
      this.#descriptor = new HandleDescriptor(fd, later, core.close);
    }

    get fd(): number {
      return this.#descriptor.fd;
    }

    [ENTER](): void {
      this.#descriptor.enter();
    }

    [LEAVE](): void {
      this.#descriptor.leave();
    }

    appendFile(data: unknown, options?: unknown) {
      if (isIterable(data)) return writePieces(core, this, data, options);
      return this.#descriptor.run('write', (fd) => core.appendFile(fd, data, options));
    }
    chmod(mode: unknown) {
      return this.#descriptor.run('fchmod', (fd) => core.fchmod(fd, mode));
    }
    chown(user: unknown, group: unknown) {
      return this.#descriptor.run('fchown', (fd) => core.fchown(fd, user, group));
    }
    datasync() {
      return this.#descriptor.run('fdatasync', (fd) => core.fdatasync(fd));
    }
    sync() {
      return this.#descriptor.run('fsync', (fd) => core.fsync(fd));
    }
    stat(options?: unknown) {
      return this.#descriptor.run('fstat', (fd) => core.fstat(fd, options));
    }
    truncate(length?: unknown) {
      return this.#descriptor.run('ftruncate', (fd) => core.ftruncate(fd, length));
    }
    utimes(accessed: unknown, modified: unknown) {
      return this.#descriptor.run('futime', (fd) => core.futimes(fd, accessed, modified));
    }
    readFile(options?: unknown) {
      return this.#descriptor.run('read', (fd) => core.readFile(fd, options));
    }
    writeFile(data: unknown, options?: unknown) {
      if (isIterable(data)) return writePieces(core, this, data, options);
      return this.#descriptor.run('write', (fd) => core.writeFile(fd, data, options));
    }

    async read(target?: unknown, ...args: unknown[]) {
      let buffer = target;
      let rest = args;
      if (!ArrayBuffer.isView(target)) {
        const { buffer: own = Buffer.alloc(16384), ...part } = membersOf(target);
        buffer = own;
        rest = [part];
      } else if (args.length > 1) {
        const [offset, length, position] = args;
        rest = [offset, length ?? target.byteLength - Number(offset ?? 0), position];
      }
      const bytesRead = await this.#descriptor.run('read', (fd) => core.read(fd, buffer, ...rest));
      return { bytesRead, buffer };
    }
    async readv(buffers: unknown, position?: unknown) {
      return {
        bytesRead: await this.#descriptor.run('read', (fd) => core.readv(fd, buffers, position)),
        buffers,
      };
    }
    async write(data: unknown, ...args: unknown[]) {
      return {
        bytesWritten: await this.#descriptor.run('write', (fd) => core.write(fd, data, ...args)),
        buffer: data,
      };
    }
    async writev(buffers: unknown, position?: unknown) {
      return {
        bytesWritten: await this.#descriptor.run('write', (fd) => core.writev(fd, buffers, position)),
        buffers,
      };
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
      return load('readline').createInterface({ input: this.createReadStream(options), crlfDelay: Infinity });
    }
    readableWebStream({ autoClose = false }: { readonly autoClose?: boolean } = {}) {
      return webStreamOf(this, this.#descriptor, autoClose);
    }

    close(): Promise<void> {
      return this.#descriptor.close(() => this.emit('close'));
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

/** Writes data that come in pieces, one after the other. */
async function writePieces(
  core: FsCore,
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
