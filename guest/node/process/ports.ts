import type { LoadBuiltin } from '../builtins/builtin.ts';
import { nodeError } from '../builtins/internal/errors.ts';
import { bytesOf, inNodesWords, needCloneable, needTransferable, valueOf } from './cloneable.ts';
import type { EventLoop, LoopHandle } from '../loop/loop.ts';
import { Mailbox } from '../../shared/mailbox.ts';

export type Transfer = readonly Transferable[] | { readonly transfer?: readonly Transferable[] };

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

type Listener = (...args: unknown[]) => void;

interface Message {
  readonly data: unknown;
  readonly ports: MessagePort[];
}

/**
 * The shared memory through which the two ends of a channel exchange messages once they are in two threads.
 */
export interface Mail {
  readonly incoming: SharedArrayBuffer;
  readonly outgoing: SharedArrayBuffer;
}

/** Ports on their way to another thread, each with its memory. */
export interface PackedPorts {
  readonly ports: readonly MessagePort[];
  readonly mails: readonly (Mail | undefined)[];
}

/**
 * A message between threads as the browser carries it. `whole`: its bytes are here and not in the mailbox.
 */
interface Envelope extends PackedPorts {
  readonly number: number;
  readonly whole: boolean;
  readonly data?: unknown;
}

interface State {
  readonly handle: LoopHandle;
  emitter: NodeJS.EventEmitter | undefined;
  /** The other end, while it is in this process. Messages then wait in `queue` and can be read at once. */
  peer: MessagePort | undefined;
  incoming: Mailbox | undefined;
  outgoing: Mailbox | undefined;
  readonly queue: Message[];
  /** Calls that wait until the messages up to a number have been heard. */
  readonly waiting: { readonly number: number; readonly run: () => void }[];
  started: boolean;
  delivering: boolean;
  closed: boolean;
}

export interface Ports {
  /** Returns the next message at a port: undefined if there is none, `elsewhere` if the browser has it. */
  receive(port: MessagePort): { readonly message: unknown } | 'elsewhere' | undefined;
  /** Makes ports ready to be transferred to another thread. */
  pack(list: readonly unknown[]): PackedPorts;
  /** Accepts ports from another thread. */
  adopt(packed: PackedPorts): void;
  /** Listens to the messages of a port without keeping the process alive. */
  listen(port: MessagePort, listener: (value: unknown) => void): void;
  /** Calls `run` once every message that the other end has sent so far has been heard. */
  afterSent(port: MessagePort, run: () => void): void;
  /** Closes a port whose other end is gone. */
  lost(port: MessagePort): void;
}

/** The message that tells the other thread that this end was closed. */
const CLOSED = 'closed';

/**
 * Turns the browser's ports into node's: emitters that keep the process alive while they have listeners.
 * Messages between two ends in this process never pass through the browser; those to another thread are left
 * in shared memory, too, where it can read them without its event loop.
 */
export function adaptPorts(loop: EventLoop, load: LoadBuiltin): Ports {
  const { MessagePort, MessageChannel } = globalThis;
  const { prototype } = MessagePort;
  const native = {
    postMessage: prototype.postMessage as (...args: unknown[]) => void,
    start: prototype.start,
    close: prototype.close,
    listen: prototype.addEventListener as (...args: unknown[]) => void,
    onmessage: Object.getOwnPropertyDescriptor(prototype, 'onmessage'),
  };
  const states = new WeakMap<MessagePort, State>();
  /** Events that we have made. Events from the browser carry envelopes. */
  const made = new WeakSet<Event>();

  function stateOf(port: MessagePort): State {
    const known = states.get(port);
    if (known) return known;
    const handle = loop.handle();
    handle.unref();
    const state: State = {
      handle,
      emitter: undefined,
      peer: undefined,
      incoming: undefined,
      outgoing: undefined,
      queue: [],
      waiting: [],
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
    const own = state.incoming !== undefined || state.peer !== undefined;
    Reflect.apply(native.listen, port, [
      'message',
      (event: MessageEvent) => {
        // Each of ours already runs in its own event of the loop.
        if (own || made.has(event)) emitter.emit('message', event.data);
        else loop.add(() => emitter.emit('message', event.data));
      },
    ]);
    return (state.emitter = emitter);
  }

  /** Unpacks messages from another thread before any listener of the program runs. */
  function intercept(port: MessagePort): void {
    Reflect.apply(native.listen, port, [
      'message',
      (event: MessageEvent<unknown>) => {
        if (made.has(event)) return;
        event.stopImmediatePropagation();
        if (event.data === CLOSED) ended(port);
        else arrived(port, event.data as Envelope);
      },
    ]);
  }

  function arrived(port: MessagePort, envelope: Envelope): void {
    const state = stateOf(port);
    const { incoming } = state;
    if (!incoming || envelope.number <= incoming.taken) return;
    takeInline(state);
    if (envelope.whole) {
      adopt(envelope);
      incoming.taken = envelope.number;
      state.queue.push({ data: envelope.data, ports: [...envelope.ports] });
    }
    deliver(port);
  }

  /** Takes messages from shared memory as long as they are next in order. */
  function takeInline(state: State): void {
    const { incoming, queue } = state;
    for (let next = incoming?.peek(); incoming && next; next = incoming.peek()) {
      if (next.number !== incoming.taken + 1) return;
      queue.push({ data: valueOf(next.message), ports: [] });
      incoming.drop(next.message);
      incoming.taken = next.number;
    }
  }

  /** Delivers one message per turn, as the browser would. */
  function deliver(port: MessagePort): void {
    const state = stateOf(port);
    if (!state.started || state.delivering || state.queue.length === 0) return;
    state.delivering = true;
    loop.addOnce(() => {
      state.delivering = false;
      const message = state.closed ? undefined : state.queue.shift();
      if (message) {
        const event = new MessageEvent('message', message);
        made.add(event);
        port.dispatchEvent(event);
      }
      deliver(port);
      settle(state);
    });
  }

  function settle(state: State): void {
    if (state.queue.length > 0 && !state.closed) return;
    const taken = state.incoming?.taken ?? Infinity;
    while (state.waiting[0] && (state.closed || state.waiting[0].number <= taken))
      state.waiting.shift()?.run();
  }

  function start(port: MessagePort): void {
    stateOf(port).started = true;
    Reflect.apply(native.start, port, []);
    deliver(port);
  }

  function pack(list: readonly unknown[]): PackedPorts {
    const leaving = list.filter((each) => each instanceof MessagePort);
    return { ports: leaving, mails: leaving.map(leave) };
  }

  /** Prepares a port to leave this process. Its other end stays here, or has already left. */
  function leave(port: MessagePort): Mail | undefined {
    const state = stateOf(port);
    const { peer, incoming, outgoing } = state;
    state.handle.release();
    if (incoming && outgoing) return { incoming: incoming.shared, outgoing: outgoing.shared };
    if (!peer) return undefined;
    const other = stateOf(peer);
    state.peer = undefined;
    other.peer = undefined;
    other.outgoing = new Mailbox();
    other.incoming = new Mailbox();
    for (const { data, ports } of state.queue.splice(0)) send(peer, other.outgoing, data, ports);
    return { incoming: other.outgoing.shared, outgoing: other.incoming.shared };
  }

  function adopt({ ports, mails }: PackedPorts): void {
    for (const [at, port] of ports.entries()) {
      const mail = mails[at];
      if (!mail) continue;
      const state = stateOf(port);
      state.incoming = new Mailbox(mail.incoming);
      state.outgoing = new Mailbox(mail.outgoing);
      intercept(port);
    }
  }

  /** Sends a message to the other end in another thread. */
  function send(port: MessagePort, outgoing: Mailbox, data: unknown, list: readonly Transferable[]): void {
    const number = outgoing.next();
    const bytes = list.length === 0 ? bytesOf(data) : undefined;
    const inline = bytes !== undefined && outgoing.write(number, bytes);
    // The envelope carries the data only if it did not fit into the mailbox.
    const envelope: Envelope = inline
      ? { number, whole: false, ports: [], mails: [] }
      : { number, whole: true, data, ...pack(list) };
    Reflect.apply(native.postMessage, port, [envelope, [...list]]);
    outgoing.handedOver();
  }

  /** Passes a message to the other end in this thread. The ports in it are new objects there. */
  function hand(peer: MessagePort, value: unknown, list: readonly Transferable[]): void {
    const leaving = list.filter((each) => each instanceof MessagePort);
    const [data, ports] = structuredClone([value, leaving], { transfer: [...list] }) as [
      unknown,
      MessagePort[],
    ];
    for (const [at, port] of ports.entries()) {
      const before = leaving[at] && states.get(leaving[at]);
      if (!before) continue;
      states.set(
        port,
        Object.assign(stateOf(port), { ...before, emitter: undefined, handle: stateOf(port).handle }),
      );
      if (before.peer) stateOf(before.peer).peer = port;
      before.handle.release();
      intercept(port);
    }
    stateOf(peer).queue.push({ data, ports });
    deliver(peer);
  }

  /** Closes a port. `waits`: the process stays alive until the `close` event has been emitted. */
  function ended(port: MessagePort, waits = false): void {
    const state = stateOf(port);
    if (state.closed) return;
    const close = () => {
      if (state.closed) return;
      state.closed = true;
      state.handle.release();
      settle(state);
      const add = waits ? loop.addOnce.bind(loop) : loop.add.bind(loop);
      add(() => {
        state.emitter?.emit('close');
        port.dispatchEvent(new Event('close'));
      });
    };
    // Messages sent before the end are heard first.
    if (state.queue.length > 0 && state.started) state.waiting.push({ number: 0, run: close });
    else close();
  }

  /** A listener for messages starts the port and keeps the process alive. */
  function heard(port: MessagePort, name: string): void {
    if (name !== 'message') return;
    stateOf(port).handle.ref();
    start(port);
  }

  function unheard(port: MessagePort, name: string): void {
    if (name === 'message' && emitterOf(port).listenerCount('message') === 0) stateOf(port).handle.unref();
  }

  const methods: Record<string, (this: MessagePort, ...args: never[]) => unknown> = {
    postMessage(this: MessagePort, ...args: [value?: unknown, transfer?: Transfer]) {
      if (args.length === 0)
        throw nodeError('ERR_MISSING_ARGS', 'Not enough arguments to MessagePort.postMessage', TypeError);
      const [value, transfer] = args;
      const list = listOf(transfer);
      needTransferable(list);
      needCloneable(value);
      const { peer, outgoing, closed } = stateOf(this);
      if (closed) return;
      try {
        if ((list as readonly unknown[]).includes(this))
          throw new DOMException('Transfer list contains source port', 'DataCloneError');
        if (peer) hand(peer, value, list);
        else if (outgoing) send(this, outgoing, value, list);
        else Reflect.apply(native.postMessage, this, [value, list]);
      } catch (error) {
        throw inNodesWords(error);
      }
    },
    start() {
      start(this);
    },
    close(this: MessagePort, done?: () => void) {
      const { peer, outgoing } = stateOf(this);
      if (done) emitterOf(this).once('close', done);
      if (outgoing) Reflect.apply(native.postMessage, this, [CLOSED]);
      Reflect.apply(native.close, this, []);
      stateOf(this).queue.length = 0;
      ended(this, true);
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
    removeAllListeners(name?: string) {
      emitterOf(this).removeAllListeners(name);
      unheard(this, 'message');
      return this;
    },
    emit(name: string, ...args: unknown[]) {
      return emitterOf(this).emit(name, ...args);
    },
    listenerCount(name: string) {
      return emitterOf(this).listenerCount(name);
    },
    listeners(name: string) {
      return emitterOf(this).listeners(name);
    },
    eventNames() {
      return emitterOf(this).eventNames();
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
    addEventListener(this: MessagePort, ...args: [name: string, ...rest: unknown[]]) {
      Reflect.apply(native.listen, this, args);
      heard(this, args[0]);
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
    construct(target, args, asked) {
      const channel = Reflect.construct(target, args, asked) as MessageChannel;
      const { port1, port2 } = channel;
      stateOf(port1).peer = port2;
      stateOf(port2).peer = port1;
      intercept(port1);
      intercept(port2);
      return channel;
    },
  });
  Object.defineProperty(globalThis, 'MessageChannel', { value: Channel });

  return {
    receive(port) {
      const state = stateOf(port);
      takeInline(state);
      const next = state.queue.shift();
      if (next) return { message: next.data };
      const { incoming } = state;
      return incoming && incoming.sent > incoming.taken ? 'elsewhere' : undefined;
    },
    pack,
    adopt,
    listen(port, listener) {
      emitterOf(port).on('message', listener);
      start(port);
    },
    afterSent(port, run) {
      const state = stateOf(port);
      takeInline(state);
      deliver(port);
      state.waiting.push({ number: state.incoming?.sent ?? 0, run });
      settle(state);
    },
    lost: ended,
  };
}
