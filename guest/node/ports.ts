import type { LoadBuiltin } from './builtins/builtin.ts';
import { nodeError } from './builtins/internal/errors.ts';
import { bytesOf, inNodesWords, needCloneable, needTransferable, valueOf } from './cloneable.ts';
import type { EventLoop, LoopHandle } from './loop.ts';
import { Mailbox } from './mailbox.ts';

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

/** The memory in which the two ends of a channel leave each other messages, once they are in two threads. */
export interface Mail {
  readonly incoming: SharedArrayBuffer;
  readonly outgoing: SharedArrayBuffer;
}

/** Ports as they go to another thread, with what belongs to them. */
export interface PackedPorts {
  readonly ports: readonly MessagePort[];
  readonly mails: readonly (Mail | undefined)[];
}

/** What goes through the browser from thread to thread. `whole`: its bytes are not in the mailbox. */
interface Envelope extends PackedPorts {
  readonly number: number;
  readonly whole: boolean;
  readonly data?: unknown;
}

interface State {
  readonly handle: LoopHandle;
  emitter: NodeJS.EventEmitter | undefined;
  /** The other end, while both are in this process: then messages wait here, where they can be read at once. */
  peer: MessagePort | undefined;
  incoming: Mailbox | undefined;
  outgoing: Mailbox | undefined;
  readonly queue: Message[];
  /** Waiting for messages up to a number to have been heard. */
  readonly waiting: { readonly number: number; readonly run: () => void }[];
  started: boolean;
  delivering: boolean;
  closed: boolean;
}

export interface Ports {
  /** The next message that waits at a port; undefined where there is none, `elsewhere` where the browser has it. */
  receive(port: MessagePort): { readonly message: unknown } | 'elsewhere' | undefined;
  /** Makes ports ready to be transferred to another thread. */
  pack(list: readonly unknown[]): PackedPorts;
  /** Takes over ports from another thread. */
  adopt(packed: PackedPorts): void;
  /** Hears the messages of a port, which keeps nothing alive by that. */
  listen(port: MessagePort, listener: (value: unknown) => void): void;
  /** Runs it once all that the other end has sent until now has been heard. */
  afterSent(port: MessagePort, run: () => void): void;
  /** The other end is no more. */
  lost(port: MessagePort): void;
}

/** Says to the other thread that its end has been closed. */
const CLOSED = 'closed';

/**
 * Makes ports of the browser those of node: emitters that keep the process alive while they are listened to. Messages
 * between two ends in this process never pass through the browser; those to another thread are left in shared memory,
 * too, where it can read them without its event loop.
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
  /** Events that we have made: those of the browser are envelopes. */
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
        // Ours come each in an event of the loop already.
        if (own || made.has(event)) emitter.emit('message', event.data);
        else loop.add(() => emitter.emit('message', event.data));
      },
    ]);
    return (state.emitter = emitter);
  }

  /** Before any listener of a program: what comes from another thread is unpacked first. */
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

  /** Takes what can be taken in order from shared memory. */
  function takeInline(state: State): void {
    const { incoming, queue } = state;
    for (let next = incoming?.peek(); incoming && next; next = incoming.peek()) {
      if (next.number !== incoming.taken + 1) return;
      queue.push({ data: valueOf(next.message), ports: [] });
      incoming.drop(next.message);
      incoming.taken = next.number;
    }
  }

  /** One message a turn, as they would come from the browser. */
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

  /** Its other end stays, or is elsewhere already. */
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

  /** To the other thread. */
  function send(port: MessagePort, outgoing: Mailbox, data: unknown, list: readonly Transferable[]): void {
    const number = outgoing.next();
    const bytes = list.length === 0 ? bytesOf(data) : undefined;
    const inline = bytes !== undefined && outgoing.write(number, bytes);
    // Only what is not in the mailbox goes twice.
    const envelope: Envelope = inline
      ? { number, whole: false, ports: [], mails: [] }
      : { number, whole: true, data, ...pack(list) };
    Reflect.apply(native.postMessage, port, [envelope, [...list]]);
    outgoing.handedOver();
  }

  /** To the other end in this one: the ports that go with it are other objects there. */
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

  /** `waits`: the process lives until it has been told of it. */
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
    // What was sent before it is heard first.
    if (state.queue.length > 0 && state.started) state.waiting.push({ number: 0, run: close });
    else close();
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
