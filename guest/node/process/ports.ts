import type { LoadBuiltin } from '../builtins/builtin.ts';
import type { EventLoop } from '../loop/loop.ts';
import { PortHub } from './port-hub.ts';
import { adaptPrototype } from './port-methods.ts';
import type { Ports } from './port-types.ts';

/**
 * Turns the browser's ports into node's: emitters that keep the process alive while they have listeners.
 * Messages between two ends in this process never pass through the browser; those to another thread are left
 * in shared memory, too, where it can read them without its event loop.
 */
export function adaptPorts(loop: EventLoop, load: LoadBuiltin): Ports {
  const hub = new PortHub(loop, load);
  adaptPrototype(hub);
  const Channel = new Proxy(globalThis.MessageChannel, {
    construct(target, args, newTarget) {
      const channel = Reflect.construct(target, args, newTarget) as MessageChannel;
      hub.connect(channel.port1, channel.port2);
      return channel;
    },
  });
  Object.defineProperty(globalThis, 'MessageChannel', { value: Channel });
  return hub;
}
