import type { LoadBuiltin } from '../builtins/builtin.ts';
import type { EventLoop } from '../loop/loop.ts';
import type { KernelLink } from '../kernel/link.ts';
import { abortError, needObject } from '../builtins/internal/errors.ts';
import { isFunction } from '../builtins/internal/guards.ts';
import { pathOf } from './arguments.ts';
import type { FsCore } from './core.ts';
import { KernelWatches, watchOptions } from './watch/context.ts';
import { makeWatcherClass, type WatcherClass } from './watch/fs-watcher.ts';
import { makePolling } from './watch/polling.ts';

/** Makes `watch`, which uses the kernel's reports, and `watchFile`, which polls as node does. */
export function makeWatching(core: FsCore, load: LoadBuiltin, loop: EventLoop, link: KernelLink) {
  const watches = new KernelWatches(link);
  const context = { core, load, loop, watches };
  const FSWatcher = makeWatcherClass(context);

  function watch(path: unknown, options?: unknown, listener?: unknown): InstanceType<WatcherClass> {
    const call = typeof options === 'function' ? options : listener;
    const given = watchOptions(options);
    const watcher = new FSWatcher(pathOf(path, 'filename'), given);
    if (isFunction(call)) watcher.on('change', call);
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
    const watcher = new FSWatcher(pathOf(path, 'filename'), given);
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

  return {
    FSWatcher,
    watch,
    watchPromises,
    ...makePolling(context),
    changed: watches.changed.bind(watches),
  };
}
