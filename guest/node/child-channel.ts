import { nodeError } from './builtins/internal/errors.ts';
import type { EventLoop } from './loop.ts';

export type Serialization = 'json' | 'advanced';

interface Wire {
  send(data: unknown, transfer?: readonly Transferable[]): void;
  disconnect(): void;
}

type Sent = (error: Error | null) => void;

/** `send`, `disconnect` and the messages of one end of the channel that `fork` makes. Adds them to that end's object. */
export function childChannel(
  target: NodeJS.EventEmitter & { connected?: boolean },
  loop: EventLoop,
  wire: Wire,
  serialization: Serialization = 'json',
) {
  const handle = loop.handle();
  target.connected = true;

  function close() {
    if (!target.connected) return;
    target.connected = false;
    handle.release();
    loop.nextTick(() => target.emit('disconnect'), []);
  }

  Object.assign(target, {
    channel: {
      ref: () => handle.ref(),
      unref: () => handle.unref(),
      hasRef: () => true,
    },
    send(message: unknown, ...rest: unknown[]): boolean {
      const done = rest.findLast((each) => typeof each === 'function') as Sent | undefined;
      if (message === undefined)
        throw nodeError('ERR_MISSING_ARGS', 'The "message" argument must be specified', TypeError);
      if (!target.connected) {
        const error = nodeError('ERR_IPC_CHANNEL_CLOSED', 'Channel closed');
        if (done) loop.nextTick(() => done(error), []);
        else loop.nextTick(() => target.emit('error', error), []);
        return false;
      }
      wire.send(serialization === 'json' ? JSON.stringify(message) : message);
      if (done) loop.nextTick(() => done(null), []);
      return true;
    },
    disconnect() {
      if (!target.connected) {
        target.emit('error', nodeError('ERR_IPC_DISCONNECTED', 'IPC channel is already disconnected'));
        return;
      }
      wire.disconnect();
      close();
    },
  });
  return {
    received(data: unknown) {
      const message: unknown = serialization === 'json' ? JSON.parse(String(data)) : data;
      target.emit('message', message, undefined);
    },
    closed: close,
    /** Only while the program listens does the channel keep it alive. */
    keep: (keeps: boolean) => (keeps ? handle.ref() : handle.unref()),
  };
}
