import type { LoadBuiltin } from './builtins/builtin.ts';
import type { EventLoop, LoopHandle } from './loop.ts';

export type Transfer = readonly Transferable[] | { readonly transfer?: readonly Transferable[] };

export function listOf(transfer?: Transfer): readonly Transferable[] {
  if (Array.isArray(transfer)) return transfer;
  return (transfer as { transfer?: readonly Transferable[] } | undefined)?.transfer ?? [];
}

type Listener = (...args: unknown[]) => void;

interface Message {
  readonly data: unknown;
  readonly ports: MessagePort[];
}

interface State {
  readonly handle: LoopHandle;
  emitter: NodeJS.EventEmitter | undefined;
  /** The other end, while both are in this process: then messages wait here, where they can be read at once. */
  peer: MessagePort | undefined;
  readonly queue: Message[];
  started: boolean;
  delivering: boolean;
  closed: boolean;
}

export interface Ports {
  /** The next message that waits at a port; undefined where there is none, `elsewhere` where the browser has them. */
  receive(port: MessagePort): { readonly message: unknown } | 'elsewhere' | undefined;
  /** What is handed to another worker: the browser takes over its messages. */
  leave(list: readonly Transferable[]): void;
}

/**
 * Makes ports of the browser those of node: emitters that keep the process alive while they are listened to. Messages
 * between two ends in this process never pass through the browser.
 */
export function adaptPorts(loop: EventLoop, load: LoadBuiltin): Ports {
  const { MessagePort, MessageChannel } = globalThis;
  const { prototype } = MessagePort;
  const native = {
    postMessage: prototype.postMessage as (...args: unknown[]) => void,
    start: prototype.start,
    close: prototype.close,
    onmessage: Object.getOwnPropertyDescriptor(prototype, 'onmessage'),
  };
  const states = new WeakMap<MessagePort, State>();

  function stateOf(port: MessagePort): State {
    const known = states.get(port);
    if (known) return known;
    const handle = loop.handle();
    handle.unref();
    const state: State = {
      handle,
      emitter: undefined,
      peer: undefined,
      queue: [],
      started: false,
      delivering: false,
      closed: false,
    };
    states.set(port, state);
    return state;
  }

  function emitterOf(port: MessagePort): NodeJS.EventEmitter {
    const state = stateOf(port);
    if (state.emitter) return state.emitter;
    const emitter = new (load('events'))();
    port.addEventListener('message', ({ data }) => loop.add(() => emitter.emit('message', data)));
    return (state.emitter = emitter);
  }

  /** One message a turn, as they would come from the browser. */
  function deliver(port: MessagePort): void {
    const state = stateOf(port);
    if (!state.started || state.delivering || state.queue.length === 0) return;
    state.delivering = true;
    loop.addOnce(() => {
      state.delivering = false;
      const message = state.closed ? undefined : state.queue.shift();
      if (message) port.dispatchEvent(new MessageEvent('message', message));
      deliver(port);
    });
  }

  function start(port: MessagePort): void {
    stateOf(port).started = true;
    Reflect.apply(native.start, port, []);
    deliver(port);
  }

  function leave(list: readonly unknown[]): void {
    for (const port of list) {
      if (!(port instanceof MessagePort)) continue;
      const state = stateOf(port);
      const { peer } = state;
      if (!peer) continue;
      state.peer = undefined;
      stateOf(peer).peer = undefined;
      for (const { data, ports } of state.queue.splice(0))
        Reflect.apply(native.postMessage, peer, [data, ports]);
    }
  }

  function ended(port: MessagePort): void {
    const state = stateOf(port);
    if (state.closed) return;
    state.closed = true;
    state.handle.release();
    loop.addOnce(() => state.emitter?.emit('close'));
  }

  /** A port whose messages are heard runs, and keeps the process alive. */
  function heard(port: MessagePort, name: string): void {
    if (name !== 'message') return;
    stateOf(port).handle.ref();
    start(port);
  }

  function unheard(port: MessagePort, name: string): void {
    if (name === 'message' && emitterOf(port).listenerCount('message') === 0) stateOf(port).handle.unref();
  }

  const methods: Record<string, (this: MessagePort, ...args: never[]) => unknown> = {
    postMessage(value: unknown, transfer?: Transfer) {
      const list = listOf(transfer);
      leave(list);
      const { peer } = stateOf(this);
      if (!peer) return void Reflect.apply(native.postMessage, this, [value, list]);
      const [data, ports] = structuredClone([value, list.filter((each) => each instanceof MessagePort)], {
        transfer: [...list],
      }) as [unknown, MessagePort[]];
      stateOf(peer).queue.push({ data, ports });
      deliver(peer);
    },
    start() {
      start(this);
    },
    close() {
      const { peer } = stateOf(this);
      Reflect.apply(native.close, this, []);
      ended(this);
      if (peer) ended(peer);
    },
    on(name: string, listener: Listener) {
      emitterOf(this).on(name, listener);
      heard(this, name);
      return this;
    },
    once(name: string, listener: Listener) {
      emitterOf(this).once(name, (...args: unknown[]) => {
        unheard(this, name);
        Reflect.apply(listener, this, args);
      });
      heard(this, name);
      return this;
    },
    off(name: string, listener: Listener) {
      emitterOf(this).off(name, listener);
      unheard(this, name);
      return this;
    },
    emit(name: string, ...args: unknown[]) {
      return emitterOf(this).emit(name, ...args);
    },
    listenerCount(name: string) {
      return emitterOf(this).listenerCount(name);
    },
    ref() {
      stateOf(this).handle.ref();
    },
    unref() {
      stateOf(this).handle.unref();
    },
    hasRef() {
      return stateOf(this).handle.hasRef();
    },
  };
  methods.addListener = methods.on ?? start;
  methods.removeListener = methods.off ?? start;
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });

  Object.defineProperty(prototype, 'onmessage', {
    ...native.onmessage,
    set(this: MessagePort, listener: unknown) {
      native.onmessage?.set?.call(this, listener);
      if (typeof listener !== 'function') return stateOf(this).handle.unref();
      heard(this, 'message');
    },
  });

  const Channel = new Proxy(MessageChannel, {
    construct(target, args, made) {
      const channel = Reflect.construct(target, args, made) as MessageChannel;
      const { port1, port2 } = channel;
      stateOf(port1).peer = port2;
      stateOf(port2).peer = port1;
      return channel;
    },
  });
  Object.defineProperty(globalThis, 'MessageChannel', { value: Channel });

  return {
    receive(port) {
      const { queue, peer } = stateOf(port);
      const next = queue.shift();
      if (next) return { message: next.data };
      return peer ? undefined : 'elsewhere';
    },
    leave,
  };
}
