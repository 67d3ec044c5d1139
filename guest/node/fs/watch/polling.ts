import { needFunction } from '../../builtins/internal/errors.ts';
import { isFunction } from '../../builtins/internal/guards.ts';
import { optionsOf, pathOf } from '../arguments.ts';
import { Stats } from '../shape.ts';
import type { WatchContext, WatchOptions } from './context.ts';
import { ownTimers } from '../../loop/own-timers.ts';

/** Makes `watchFile` and `unwatchFile`, which compare the stats of a path at intervals, as node does. */
export function makePolling({ core, load, loop }: WatchContext) {
  const EventEmitter = load('events');

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
      ownTimers().clearInterval(this.#timer);
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
    const look = () => {
      const stat = core.stat(given, { throwIfNoEntry: false });
      return stat instanceof Stats ? stat : zeroed();
    };
    let before = look();
    // A file that does not exist is reported once.
    if (stamp(before) === stamp(zeroed())) loop.addOnce(() => watcher.emit('change', before, before));
    const timer = ownTimers().setInterval(() => {
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

  function unwatchFile(path: unknown, listener?: unknown): void {
    const given = core.absolute(pathOf(path, 'filename'));
    const known = polled.get(given);
    if (!known) return;
    if (isFunction(listener)) known.removeListener('change', listener);
    else known.removeAllListeners('change');
    if (known.listenerCount('change') > 0) return;
    known.stop();
    polled.delete(given);
  }

  return { watchFile, unwatchFile };
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

/** Returns the stats that node shows of a file that does not exist. */
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

function stamp({ mtimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${size} ${ino}`;
}
