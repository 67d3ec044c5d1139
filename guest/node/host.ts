import { shared } from 'virtual:guest-shared';
import type { NodePart } from '../../src/protocol/frame.ts';
import type { NodeHost, NodeParts } from './builtins/builtin.ts';
import { unavailable } from './builtins/internal/errors.ts';
import { systemError } from './fs/errors.ts';
import { runPart } from '../shared/part-script.ts';
import { CallFailed } from '../shared/shared-answer.ts';
import type { KernelLink } from './kernel/link.ts';
import type { EventLoop } from './loop/loop.ts';
import { fileUrl } from './loader/files.ts';
import type { Modules } from './builtins/modules.ts';
import type { Network } from './kernel/network.ts';

export interface HostParts {
  readonly link: KernelLink;
  readonly loop: EventLoop;
  readonly network: Network;
  readonly process: () => NodeJS.Process;
  readonly modules: () => Modules;
  readonly fail: (error: unknown) => void;
}

/** Makes the object through which builtin modules reach their process and the kernel. */
export function makeHost({ link, loop, network, process, modules, fail }: HostParts): NodeHost {
  const parts = new Map<NodePart, unknown>();
  function part<Name extends NodePart>(name: Name): NodeParts[Name] {
    if (!parts.has(name)) parts.set(name, runPart(sourceOf(name, link), `node/${name}`, shared));
    return parts.get(name) as NodeParts[Name];
  }
  return {
    get process() {
      return process();
    },
    part,
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

function sourceOf(part: NodePart, link: KernelLink): string {
  try {
    return link.ask({ kind: 'part', part });
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    throw unavailable('this part of node', error.message);
  }
}
