import type { NodeHost } from './builtins/builtin.ts';
import { unavailable } from './builtins/internal/errors.ts';
import { systemError } from './fs/errors.ts';
import { CallFailed } from './shared-answer.ts';
import type { KernelLink } from './link.ts';
import type { EventLoop } from './loop.ts';
import { fileUrl } from './loader/files.ts';
import type { Modules } from './modules.ts';
import type { Network } from './network.ts';

export interface HostParts {
  readonly link: KernelLink;
  readonly loop: EventLoop;
  readonly network: Network;
  readonly process: () => NodeJS.Process;
  readonly modules: () => Modules;
  readonly fail: (error: unknown) => void;
}

/** What the builtin modules are given. */
export function makeHost({ link, loop, network, process, modules, fail }: HostParts): NodeHost {
  return {
    get process() {
      return process();
    },
    part(part) {
      try {
        (0, eval)(String(link.ask({ kind: 'part', part })));
        return Reflect.get(globalThis, '__vtr_part') as unknown;
      } catch (error) {
        if (!(error instanceof CallFailed)) throw error;
        throw unavailable('this part of node', error.message);
      } finally {
        Reflect.deleteProperty(globalThis, '__vtr_part');
      }
    },
    files(call) {
      try {
        return link.files(call);
      } catch (error) {
        if (!(error instanceof CallFailed)) throw error;
        throw systemError(error.code, call.op, 'path' in call ? call.path : call.from);
      }
    },
    handle: () => loop.handle(),
    loopTimes: () => loop.times(),
    fail,
    import: (specifier) => modules().esm.importFrom(fileUrl(`${process().cwd()}/`))(specifier),
    resolve(specifier, from) {
      const found = modules().resolver.import(specifier, from);
      if (found.kind === 'data') return found.url;
      return found.kind === 'builtin' ? `node:${found.name}` : fileUrl(found.path);
    },
    start(what, events) {
      const handle = loop.handle();
      const child = link.startChild(what, (message) =>
        loop.add(() => {
          switch (message.kind) {
            case 'childStarted':
              return events.started(message.pid);
            case 'childOutput': {
              const used = () => child.used(message.bytes.byteLength);
              const waits = events.output(message.stream, message.bytes);
              return waits ? void waits.then(used, used) : used();
            }
            case 'childExited':
              handle.release();
              return events.exited(message.exitCode, message.signal);
            case 'childFailed':
              handle.release();
              return events.exited(126);
            case 'childMessage':
              return events.message?.(JSON.parse(String(message.data)));
            case 'childWantsInput':
            case 'childKeyboard':
            case 'childDisconnected':
          }
        }),
      );
      return child;
    },
    startAndWait: (what, input, options) => link.runChild(what, input, options),
    ...network,
  };
}
