import { needInteger, nodeError } from '../builtins/internal/errors.ts';
import type { EventLoop } from '../loop/loop.ts';
import { pathOf } from './arguments.ts';
import type { FsCore } from './core.ts';
import type { Dirent } from './shape.ts';

type Callback = (error: unknown, entry?: Dirent | null) => void;

/** An open directory. */
export class Dir {
  readonly path: string;
  readonly #entries: Dirent[];
  readonly #loop: EventLoop;
  #closed = false;

  constructor(
    core: FsCore,
    loop: EventLoop,
    path: unknown,
    options?: { readonly recursive?: boolean; readonly bufferSize?: number },
    tellsPath = false,
  ) {
    if (arguments.length === 0)
      throw nodeError('ERR_MISSING_ARGS', 'The "handle" argument must be specified', TypeError);
    this.path = pathOf(path);
    this.#loop = loop;
    if (options?.bufferSize !== undefined)
      needInteger(options.bufferSize, 'options.bufferSize', 1, 2 ** 32 - 1);
    try {
      this.#entries = core.readdir(path, { ...options, withFileTypes: true }) as Dirent[];
    } catch (error) {
      if (error instanceof Error && 'syscall' in error) {
        error.message = error.message.replace(
          /, scandir.*/,
          tellsPath ? `, opendir '${this.path}'` : ', opendir',
        );
        error.syscall = 'opendir';
        if (!tellsPath) Reflect.deleteProperty(error, 'path');
      }
      throw error;
    }
  }

  readSync(): Dirent | null {
    if (this.#closed) throw nodeError('ERR_DIR_CLOSED', 'Directory handle was closed');
    return this.#entries.shift() ?? null;
  }

  read(callback?: Callback): Promise<Dirent | null> | undefined {
    if (callback) return void this.#loop.addOnce(() => callback(null, this.readSync()));
    return new Promise((resolve, reject) =>
      this.#loop.addOnce(() => {
        try {
          resolve(this.readSync());
        } catch (error) {
          reject(error as Error);
        }
      }),
    );
  }

  closeSync(): void {
    if (this.#closed) throw nodeError('ERR_DIR_CLOSED', 'Directory handle was closed');
    this.#closed = true;
  }

  close(callback?: (error: unknown) => void): Promise<void> | undefined {
    if (callback) {
      this.closeSync();
      return void this.#loop.addOnce(() => callback(null));
    }
    return Promise.resolve().then(() => this.closeSync());
  }

  async *entries(): AsyncGenerator<Dirent> {
    try {
      for (let entry = await this.read(); entry; entry = await this.read()) yield entry;
    } finally {
      if (!this.#closed) this.closeSync();
    }
  }

  static {
    for (const [name, close] of [
      ['dispose', 'closeSync'],
      ['asyncDispose', 'close'],
    ] as const) {
      const symbol: unknown = Reflect.get(Symbol, name);
      if (typeof symbol === 'symbol')
        Object.defineProperty(this.prototype, symbol, {
          value(this: Dir) {
            if (!this.#closed) return this[close]();
            return name === 'asyncDispose' ? Promise.resolve() : undefined;
          },
        });
    }
  }

  [Symbol.asyncIterator](): AsyncGenerator<Dirent> {
    return this.entries();
  }
}
