import type { FileChange } from '../../../src/protocol/workspace-values.ts';
import type { LoadBuiltin } from '../builtins/builtin.ts';
import type { EventLoop } from '../loop/loop.ts';
import type { KernelLink } from '../kernel/link.ts';
import { abortError, argTypeError, needFunction, needObject } from '../builtins/internal/errors.ts';
import { folderOf } from '../loader/files.ts';
import { optionsOf, pathOf } from './arguments.ts';
import type { FsCore } from './core.ts';
import { systemError } from './errors.ts';
import { Stats } from './shape.ts';

type Change = FileChange['change'];
type Listener = (...args: unknown[]) => void;

interface WatchOptions {
  readonly persistent?: boolean;
  readonly recursive?: boolean;
  readonly signal?: AbortSignal;
  readonly interval?: number;
  readonly bigint?: boolean;
}

/** Makes `watch`, which uses the kernel's reports, and `watchFile`, which polls as node does. */
export function makeWatching(core: FsCore, load: LoadBuiltin, loop: EventLoop, link: KernelLink) {
  const EventEmitter = load('events');
  const { Buffer } = load('buffer');
  const heard = new Map<number, (path: string, change: Change) => void>();
  let nextWatch = 1;

  function shown(name: string, encoding: unknown) {
    if (encoding === undefined || encoding === null || encoding === 'utf8') return name;
    const bytes = Buffer.from(name);
    return encoding === 'buffer' ? bytes : bytes.toString(encoding as BufferEncoding);
  }

  class FSWatcher extends EventEmitter {
    readonly #id = nextWatch++;
    readonly #handle = loop.handle();
    #closed = false;

    constructor(given: string, { persistent = true, recursive = false }: WatchOptions, encoding: unknown) {
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
      heard.set(this.#id, (changed, change) =>
        loop.add(() => {
          if (this.#closed) return;
          const name = isFolder
            ? changed.slice(real === '/' ? 1 : real.length + 1)
            : changed.slice(folderOf(changed).length + 1);
          const filename = shown(name, encoding);
          if (change !== 'modified') this.emit('change', 'rename', filename);
          // A listener of the first event may have closed the watcher.
          if (change !== 'removed' && !this.#closed) this.emit('change', 'change', filename);
        }),
      );
      link.say({ kind: 'watch', watch: this.#id, path, recursive });
    }

    close(): void {
      if (this.#closed) return;
      this.#closed = true;
      heard.delete(this.#id);
      link.say({ kind: 'unwatch', watch: this.#id });
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
  }

  function watch(path: unknown, options?: unknown, listener?: unknown): FSWatcher {
    const call = typeof options === 'function' ? options : listener;
    const given = watchOptions(options);
    const watcher = new FSWatcher(pathOf(path, 'filename'), given, given.encoding);
    if (typeof call === 'function') watcher.on('change', call as Listener);
    const { signal } = given;
    if (signal?.aborted) loop.nextTick(() => watcher.close(), []);
    else signal?.addEventListener('abort', () => watcher.close(), { once: true });
    return watcher;
  }

  async function* watchPromises(path: unknown, options?: unknown) {
    if (options !== undefined) needObject(options, 'options');
    const given = watchOptions(options);
    const { signal } = given;
    if (signal?.aborted) throw abortError(signal.reason);
    const watcher = new FSWatcher(pathOf(path, 'filename'), given, given.encoding);
    const events: { eventType: unknown; filename: unknown }[] = [];
    let wake = () => {};
    watcher.on('change', (eventType, filename) => {
      events.push({ eventType, filename });
      wake();
    });
    signal?.addEventListener('abort', () => wake(), { once: true });
    try {
      for (;;) {
        if (signal?.aborted) throw abortError(signal.reason);
        const event = events.shift();
        if (event) yield event;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      watcher.close();
    }
  }

  const NOTHING = {
    type: 'file',
    mode: 0,
    size: 0,
    inode: 0,
    names: 0,
    modified: 0,
    accessed: 0,
    changed: 0,
    born: 0,
  } as const;
  class StatWatcher extends EventEmitter {
    readonly #timer;

    constructor(timer: NodeJS.Timeout) {
      super();
      this.#timer = timer;
    }

    ref(): this {
      this.#timer.ref();
      return this;
    }

    unref(): this {
      this.#timer.unref();
      return this;
    }

    stop(): void {
      clearInterval(this.#timer);
      loop.nextTick(() => this.emit('stop'), []);
    }
  }
  const polled = new Map<string, StatWatcher>();

  function watchFile(path: unknown, options: unknown, listener?: unknown) {
    const call = typeof options === 'function' ? options : listener;
    const { interval = 5007, persistent = true } = optionsOf<WatchOptions>(options);
    const given = core.absolute(pathOf(path, 'filename'));
    needFunction(call, 'listener');
    const known = polled.get(given);
    if (known) return known.on('change', call);
    const look = () => (core.stat(given, { throwIfNoEntry: false }) as Stats | undefined) ?? zeroed();
    let before = look();
    // A file that does not exist is reported once.
    if (stamp(before) === stamp(zeroed())) loop.addOnce(() => watcher.emit('change', before, before));
    const timer = setInterval(() => {
      const now = look();
      if (stamp(now) === stamp(before)) return;
      const last = before;
      before = now;
      watcher.emit('change', now, last);
    }, interval);
    if (!persistent) timer.unref();
    const watcher = new StatWatcher(timer);
    polled.set(given, watcher);
    return watcher.on('change', call);
  }

  function zeroed(): Stats {
    return Object.assign(new Stats(NOTHING), {
      mode: 0,
      nlink: 0,
      uid: 0,
      gid: 0,
      dev: 0,
      blksize: 0,
      blocks: 0,
    });
  }

  function unwatchFile(path: unknown, listener?: unknown): void {
    const given = core.absolute(pathOf(path, 'filename'));
    const known = polled.get(given);
    if (!known) return;
    if (typeof listener === 'function') known.removeListener('change', listener as Listener);
    else known.removeAllListeners('change');
    if (known.listenerCount('change') > 0) return;
    known.stop();
    polled.delete(given);
  }

  return {
    FSWatcher,
    watch,
    watchPromises,
    watchFile,
    unwatchFile,
    changed: (id: number, path: string, change: Change) => heard.get(id)?.(path, change),
  };
}

function stamp(stat: object): string {
  const { mtimeMs, size, ino } = stat as { mtimeMs: number; size: number; ino: number };
  return `${mtimeMs} ${size} ${ino}`;
}

function watchOptions(options: unknown) {
  const given = optionsOf<WatchOptions>(options);
  for (const name of ['persistent', 'recursive'] as const)
    if (given[name] !== undefined && typeof given[name] !== 'boolean')
      throw argTypeError(`options.${name}`, 'boolean', given[name]);
  return given;
}
