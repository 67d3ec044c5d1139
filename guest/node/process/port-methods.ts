import { nodeError } from '../builtins/internal/errors.ts';
import { inNodesWords, needCloneable, needTransferable } from './cloneable.ts';
import type { PortHub } from './port-hub.ts';
import type { Transfer } from './port-types.ts';

type Listener = (...args: unknown[]) => void;
type Methods = Record<string, (this: MessagePort, ...args: never[]) => unknown>;

export function listOf(transfer?: Transfer): readonly Transferable[] {
  if (transfer === undefined || transfer === null) return [];
  if (Array.isArray(transfer)) return transfer;
  const wrong = () =>
    nodeError('ERR_INVALID_ARG_TYPE', 'Optional transferList argument must be an iterable', TypeError);
  if (typeof transfer !== 'object') throw wrong();
  if (Symbol.iterator in transfer) return [...(transfer as Iterable<Transferable>)];
  const { transfer: list = [] } = transfer as { transfer?: readonly Transferable[] };
  return [...list];
}

/** Gives all ports node's methods in place of the browser's. */
export function adaptPrototype(hub: PortHub): void {
  const { native } = hub;
  const { prototype } = hub.MessagePort;
  const use = new PortUse(hub);
  const emitting = emitterMethods(hub, use);
  const methods: Methods = { ...messageMethods(hub, use), ...emitting };
  methods.addListener = emitting.on;
  methods.removeListener = emitting.off;
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  Object.defineProperty(prototype, 'onmessage', {
    ...native.onmessage,
    set(this: MessagePort, listener: unknown) {
      native.onmessage?.set?.call(this, listener);
      if (typeof listener !== 'function') return hub.stateOf(this).handle.unref();
      use.added(this, 'message');
    },
  });
}

/** A port keeps the process alive while it has a listener for messages. */
class PortUse {
  readonly #hub: PortHub;

  constructor(hub: PortHub) {
    this.#hub = hub;
  }

  /** Starts the port with its first listener for messages. */
  added(port: MessagePort, name: string): void {
    if (name !== 'message') return;
    this.#hub.stateOf(port).handle.ref();
    this.#hub.start(port);
  }

  removed(port: MessagePort, name: string): void {
    if (name === 'message' && this.#hub.emitterOf(port).listenerCount('message') === 0)
      this.#hub.stateOf(port).handle.unref();
  }
}

function messageMethods(hub: PortHub, use: PortUse) {
  return {
    postMessage(this: MessagePort, ...args: [value?: unknown, transfer?: Transfer]) {
      if (args.length === 0)
        throw nodeError('ERR_MISSING_ARGS', 'Not enough arguments to MessagePort.postMessage', TypeError);
      const [value, transfer] = args;
      const list = listOf(transfer);
      needTransferable(list);
      needCloneable(value);
      if (hub.stateOf(this).closed) return;
      try {
        if (list.some((each) => each === this))
          throw new DOMException('Transfer list contains source port', 'DataCloneError');
        hub.post(this, value, list);
      } catch (error) {
        throw inNodesWords(error);
      }
    },
    start(this: MessagePort) {
      hub.start(this);
    },
    close(this: MessagePort, done?: () => void) {
      if (done) hub.emitterOf(this).once('close', done);
      hub.close(this);
    },
    ref(this: MessagePort) {
      hub.stateOf(this).handle.ref();
    },
    unref(this: MessagePort) {
      hub.stateOf(this).handle.unref();
    },
    hasRef(this: MessagePort) {
      return hub.stateOf(this).handle.hasRef();
    },
    addEventListener(this: MessagePort, ...args: [name: string, ...rest: unknown[]]) {
      Reflect.apply(hub.native.listen, this, args);
      use.added(this, args[0]);
    },
  };
}

function emitterMethods(hub: PortHub, use: PortUse) {
  return {
    on(this: MessagePort, name: string, listener: Listener) {
      hub.emitterOf(this).on(name, listener);
      use.added(this, name);
      return this;
    },
    once(this: MessagePort, name: string, listener: Listener) {
      hub.emitterOf(this).once(name, (...args: unknown[]) => {
        use.removed(this, name);
        Reflect.apply(listener, this, args);
      });
      use.added(this, name);
      return this;
    },
    off(this: MessagePort, name: string, listener: Listener) {
      hub.emitterOf(this).off(name, listener);
      use.removed(this, name);
      return this;
    },
    removeAllListeners(this: MessagePort, name?: string) {
      hub.emitterOf(this).removeAllListeners(name);
      use.removed(this, 'message');
      return this;
    },
    emit(this: MessagePort, name: string, ...args: unknown[]) {
      return hub.emitterOf(this).emit(name, ...args);
    },
    listenerCount(this: MessagePort, name: string) {
      return hub.emitterOf(this).listenerCount(name);
    },
    listeners(this: MessagePort, name: string) {
      return hub.emitterOf(this).listeners(name);
    },
    eventNames(this: MessagePort) {
      return hub.emitterOf(this).eventNames();
    },
  };
}
