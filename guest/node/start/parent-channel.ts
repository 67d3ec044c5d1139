import type { LoadBuiltin } from '../builtins/builtin.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { EventLoop } from '../loop/loop.ts';
import { childChannel } from '../process/child-channel.ts';

export interface ParentChannelContext {
  readonly link: KernelLink;
  readonly loop: EventLoop;
  readonly load: LoadBuiltin;
  /** The `process` object. */
  readonly events: NodeJS.EventEmitter;
  /** `NODE_CHANNEL_SERIALIZATION_MODE`, set by the process that started this one. */
  readonly mode: string | undefined;
}

/** Makes the channel to the process that started this one. It keeps the process alive only while the program listens. */
export function openParentChannel({ link, loop, load, events, mode }: ParentChannelContext) {
  const channel = childChannel(
    events,
    loop,
    load,
    {
      send: (data, transfer = []) => link.say({ kind: 'message', data, transfer }, transfer),
      disconnect: () => link.say({ kind: 'disconnect' }),
    },
    mode === 'advanced' ? 'advanced' : 'json',
  );
  channel.keep(false);
  const isOfChannel = (name: string | symbol) => name === 'message' || name === 'disconnect';
  events.on('newListener', (name) => isOfChannel(name) && channel.keep(true));
  events.on('removeListener', (name) => {
    if (isOfChannel(name) && events.listenerCount('message') + events.listenerCount('disconnect') === 0)
      channel.keep(false);
  });
  return channel;
}
