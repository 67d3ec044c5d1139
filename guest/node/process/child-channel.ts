import type { LoadBuiltin } from '../builtins/builtin.ts';
import { argTypeError, needObject, nodeError } from '../builtins/internal/errors.ts';
import { isFunction } from '../builtins/internal/guards.ts';
import { copyOf } from '../builtins/internal/bytes.ts';
import type { EventLoop } from '../loop/loop.ts';

export type Serialization = 'json' | 'advanced';

interface Wire {
  send(data: unknown, transfer?: readonly Transferable[]): void;
  disconnect(): void;
}

let underscoreTold = false;

const SENT = ['string', 'object', 'number', 'boolean'];

/** `send`, `disconnect` and the messages of one end of the channel that `fork` makes. Adds them to that end's object. */
export function childChannel(
  target: NodeJS.EventEmitter & { connected?: boolean },
  loop: EventLoop,
  load: LoadBuiltin,
  wire: Wire,
  serialization: Serialization = 'json',
) {
  const isPlain = serialization === 'json';
  const v8 = () => load('v8');
  const handle = loop.handle();
  target.connected = true;

  function close() {
    if (!target.connected) return;
    target.connected = false;
    Reflect.set(target, 'channel', null);
    handle.release();
    loop.nextTick(() => target.emit('disconnect'), []);
  }

  Object.defineProperty(target, '_channel', {
    get(): unknown {
      if (!underscoreTold)
        process.emitWarning(
          '_channel is deprecated. Use ChildProcess.channel instead.',
          'DeprecationWarning',
          'DEP0129',
        );
      underscoreTold = true;
      return Reflect.get(target, 'channel');
    },
    configurable: true,
  });
  Object.assign(target, {
    channel: {
      ref: () => handle.ref(),
      unref: () => handle.unref(),
      hasRef: () => true,
    },
    send(message: unknown, handle?: unknown, options?: unknown, done?: unknown): boolean {
      if (typeof handle === 'function') done = handle;
      else if (typeof options === 'function') done = options;
      else if (options !== undefined) needObject(options, 'options');
      const sent = isFunction(done) ? done : undefined;
      if (!target.connected) {
        const error = nodeError('ERR_IPC_CHANNEL_CLOSED', 'Channel closed');
        if (sent) loop.nextTick(() => sent(error), []);
        else loop.nextTick(() => target.emit('error', error), []);
        return false;
      }
      if (message === undefined)
        throw nodeError('ERR_MISSING_ARGS', 'The "message" argument must be specified', TypeError);
      if (!SENT.includes(typeof message)) throw argTypeError('message', SENT, message);
      if (handle && typeof handle !== 'function')
        throw nodeError('ERR_INVALID_HANDLE_TYPE', 'This handle type cannot be sent', TypeError);
      wire.send(isPlain ? JSON.stringify(message) : copyOf(v8().serialize(message)));
      if (sent) loop.nextTick(() => sent(null), []);
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
      const message: unknown = data instanceof Uint8Array ? v8().deserialize(data) : JSON.parse(String(data));
      const cmd: unknown = typeof message === 'object' && message !== null && Reflect.get(message, 'cmd');
      const isInternal = typeof cmd === 'string' && cmd.length > 5 && cmd.startsWith('NODE_');
      target.emit(isInternal ? 'internalMessage' : 'message', message, undefined);
    },
    closed: close,
    /** The channel keeps the process alive only while the program listens to it. */
    keep: (keeps: boolean) => (keeps ? handle.ref() : handle.unref()),
  };
}
