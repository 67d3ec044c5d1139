import { folderOf } from '../../loader/files.ts';
import { systemError } from '../errors.ts';
import type { WatchContext, WatchRequest } from './context.ts';

/** Makes the class of the watchers that `watch` returns, which emit the changes that the kernel reports. */
export function makeWatcherClass({ core, load, loop, watches }: WatchContext) {
  const EventEmitter = load('events');
  const { Buffer } = load('buffer');

  function shown(name: string, encoding: WatchRequest['encoding']) {
    if (encoding === undefined || encoding === null || encoding === 'utf8') return name;
    const bytes = Buffer.from(name);
    return encoding === 'buffer' ? bytes : bytes.toString(encoding);
  }

  return class FSWatcher extends EventEmitter {
    readonly #id: number;
    readonly #handle = loop.handle();
    #closed = false;

    constructor(given: string, { persistent = true, recursive = false, encoding }: WatchRequest) {
      super();
      const path = core.absolute(given);
      const found = given === '' ? undefined : core.lookAt(given);
      if (!found) {
        this.#handle.release();
        const error = systemError('ENOENT', 'watch', given);
        throw Object.assign(error, { filename: given });
      }
      const isFolder = found.type === 'directory';
      const real = String(core.realpath(path));
      if (!persistent) this.#handle.unref();
      this.#id = watches.add(path, recursive, (changed, change, isWritten) =>
        loop.add(() => {
          if (this.#closed) return;
          const name = isFolder
            ? changed.slice(real === '/' ? 1 : real.length + 1)
            : changed.slice(folderOf(changed).length + 1);
          const filename = shown(name, encoding);
          if (change !== 'modified') this.emit('change', 'rename', filename);
          const hasContent = change === 'modified' || (change === 'created' && isWritten);
          // A listener of the first event may have closed the watcher.
          if (hasContent && !this.#closed) this.emit('change', 'change', filename);
        }),
      );
    }

    close(): void {
      if (this.#closed) return;
      this.#closed = true;
      watches.remove(this.#id);
      this.#handle.release();
      loop.nextTick(() => this.emit('close'), []);
    }

    ref(): this {
      this.#handle.ref();
      return this;
    }

    unref(): this {
      this.#handle.unref();
      return this;
    }
  };
}

export type WatcherClass = ReturnType<typeof makeWatcherClass>;
