import type { LoadBuiltin } from '../builtins/builtin.ts';
import { bytesOf, valueOf } from './cloneable.ts';
import type { EventLoop, LoopHandle } from '../loop/loop.ts';
import { Mailbox } from '../../shared/mailbox.ts';
import type { Mail, PackedPorts, Ports } from './port-types.ts';

interface Message {
  readonly data: unknown;
  readonly ports: MessagePort[];
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

/** The message that tells the other thread that this end was closed. */
const CLOSED = 'closed';

/** Programs such as vitest with jsdom put classes of their own in place of the global ones, which no port would take. */
const { Event: OwnEvent, MessageEvent: OwnMessageEvent } = globalThis;

/** The methods of the browser's ports, as they were before node's took their place. */
function nativeMethods({ prototype }: typeof MessagePort) {
  return {
    postMessage: prototype.postMessage as (...args: unknown[]) => void,
    start: prototype.start,
    close: prototype.close,
    listen: prototype.addEventListener as (...args: unknown[]) => void,
    onmessage: Object.getOwnPropertyDescriptor(prototype, 'onmessage'),
  };
}

/** The ports of a process: their state, and the way of each message from one end to the other. */
export class PortHub implements Ports {
  readonly MessagePort = globalThis.MessagePort;
  readonly native = nativeMethods(this.MessagePort);
  readonly #loop: EventLoop;
  readonly #load: LoadBuiltin;
  readonly #states = new WeakMap<MessagePort, State>();
  /** Events that we have made. Events from the browser carry envelopes. */
  readonly #made = new WeakSet<Event>();

  constructor(loop: EventLoop, load: LoadBuiltin) {
    this.#loop = loop;
    this.#load = load;
  }

  stateOf(port: MessagePort): State {
    const known = this.#states.get(port);
    if (known) return known;
    const handle = this.#loop.handle();
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
    this.#states.set(port, state);
    return state;
  }

  emitterOf(port: MessagePort): NodeJS.EventEmitter {
    const state = this.stateOf(port);
    if (state.emitter) return state.emitter;
    const emitter = new (this.#load('events'))();
    const own = state.incoming !== undefined || state.peer !== undefined;
    Reflect.apply(this.native.listen, port, [
      'message',
      (event: MessageEvent) => {
        // Each of ours already runs in its own event of the loop.
        if (own || this.#made.has(event)) emitter.emit('message', event.data);
        else this.#loop.add(() => emitter.emit('message', event.data));
      },
    ]);
    return (state.emitter = emitter);
  }

  /** Makes two ports in this process the ends of one channel. */
  connect(port1: MessagePort, port2: MessagePort): void {
    this.stateOf(port1).peer = port2;
    this.stateOf(port2).peer = port1;
    this.#intercept(port1);
    this.#intercept(port2);
  }

  /** Unpacks messages from another thread before any listener of the program runs. */
  #intercept(port: MessagePort): void {
    Reflect.apply(this.native.listen, port, [
      'message',
      (event: MessageEvent<unknown>) => {
        if (this.#made.has(event)) return;
        event.stopImmediatePropagation();
        if (event.data === CLOSED) this.#end(port);
        else this.#arrived(port, event.data as Envelope);
      },
    ]);
  }

  #arrived(port: MessagePort, envelope: Envelope): void {
    const state = this.stateOf(port);
    const { incoming } = state;
    if (!incoming || envelope.number <= incoming.taken) return;
    takeInline(state);
    if (envelope.whole) {
      this.adopt(envelope);
      incoming.taken = envelope.number;
      state.queue.push({ data: envelope.data, ports: [...envelope.ports] });
    }
    this.#deliver(port);
  }

  /** Delivers one message per turn, as the browser would. */
  #deliver(port: MessagePort): void {
    const state = this.stateOf(port);
    if (!state.started || state.delivering || state.queue.length === 0) return;
    state.delivering = true;
    this.#loop.addOnce(() => {
      state.delivering = false;
      const message = state.closed ? undefined : state.queue.shift();
      if (message) {
        const event = new OwnMessageEvent('message', message);
        this.#made.add(event);
        port.dispatchEvent(event);
      }
      this.#deliver(port);
      settle(state);
    });
  }

  start(port: MessagePort): void {
    this.stateOf(port).started = true;
    Reflect.apply(this.native.start, port, []);
    this.#deliver(port);
  }

  pack(list: readonly unknown[]): PackedPorts {
    const leaving = list.filter((each) => each instanceof this.MessagePort);
    return { ports: leaving, mails: leaving.map((port) => this.#leave(port)) };
  }

  /** Prepares a port to leave this process. Its other end stays here, or has already left. */
  #leave(port: MessagePort): Mail | undefined {
    const state = this.stateOf(port);
    const { peer, incoming, outgoing } = state;
    state.handle.release();
    if (incoming && outgoing) return { incoming: incoming.shared, outgoing: outgoing.shared };
    if (!peer) return undefined;
    const other = this.stateOf(peer);
    state.peer = undefined;
    other.peer = undefined;
    other.outgoing = new Mailbox();
    other.incoming = new Mailbox();
    for (const { data, ports } of state.queue.splice(0)) this.#send(peer, other.outgoing, data, ports);
    return { incoming: other.outgoing.shared, outgoing: other.incoming.shared };
  }

  adopt({ ports, mails }: PackedPorts): void {
    for (const [at, port] of ports.entries()) {
      const mail = mails[at];
      if (!mail) continue;
      const state = this.stateOf(port);
      state.incoming = new Mailbox(mail.incoming);
      state.outgoing = new Mailbox(mail.outgoing);
      this.#intercept(port);
    }
  }

  /** Posts a message to the other end, wherever it is. */
  post(port: MessagePort, value: unknown, list: readonly Transferable[]): void {
    const { peer, outgoing } = this.stateOf(port);
    if (peer) this.#hand(peer, value, list);
    else if (outgoing) this.#send(port, outgoing, value, list);
    else Reflect.apply(this.native.postMessage, port, [value, list]);
  }

  /** Sends a message to the other end in another thread. */
  #send(port: MessagePort, outgoing: Mailbox, data: unknown, list: readonly Transferable[]): void {
    const number = outgoing.next();
    const bytes = list.length === 0 ? bytesOf(data) : undefined;
    const inline = bytes !== undefined && outgoing.write(number, bytes);
    // The envelope carries the data only if it did not fit into the mailbox.
    const envelope: Envelope = inline
      ? { number, whole: false, ports: [], mails: [] }
      : { number, whole: true, data, ...this.pack(list) };
    Reflect.apply(this.native.postMessage, port, [envelope, [...list]]);
    outgoing.handedOver();
  }

  /** Passes a message to the other end in this thread. The ports in it are new objects there. */
  #hand(peer: MessagePort, value: unknown, list: readonly Transferable[]): void {
    const leaving = list.filter((each) => each instanceof this.MessagePort);
    const [data, ports] = structuredClone([value, leaving], { transfer: [...list] }) as [
      unknown,
      MessagePort[],
    ];
    for (const [at, port] of ports.entries()) {
      const before = leaving[at] && this.#states.get(leaving[at]);
      if (before) this.#move(before, port);
    }
    this.stateOf(peer).queue.push({ data, ports });
    this.#deliver(peer);
  }

  /** Moves the state of a port that was transferred to the object that stands for it now. */
  #move(before: State, port: MessagePort): void {
    const state = this.stateOf(port);
    Object.assign(state, { ...before, emitter: undefined, handle: state.handle });
    if (before.peer) this.stateOf(before.peer).peer = port;
    before.handle.release();
    this.#intercept(port);
  }

  close(port: MessagePort): void {
    const { peer, outgoing, queue } = this.stateOf(port);
    if (outgoing) Reflect.apply(this.native.postMessage, port, [CLOSED]);
    Reflect.apply(this.native.close, port, []);
    queue.length = 0;
    this.#end(port, true);
    if (peer) this.#end(peer);
  }

  lost(port: MessagePort): void {
    this.#end(port);
  }

  /** Ends a port. `waits`: the process stays alive until the `close` event has been emitted. */
  #end(port: MessagePort, waits = false): void {
    const state = this.stateOf(port);
    if (state.closed) return;
    const close = () => {
      if (state.closed) return;
      state.closed = true;
      state.handle.release();
      settle(state);
      const emit = () => {
        state.emitter?.emit('close');
        port.dispatchEvent(new OwnEvent('close'));
      };
      if (waits) this.#loop.addOnce(emit);
      else this.#loop.add(emit);
    };
    // Messages sent before the end are heard first.
    if (state.queue.length > 0 && state.started) state.waiting.push({ number: 0, run: close });
    else close();
  }

  receive(port: MessagePort): { readonly message: unknown } | 'elsewhere' | undefined {
    const state = this.stateOf(port);
    takeInline(state);
    const next = state.queue.shift();
    if (next) return { message: next.data };
    const { incoming } = state;
    return incoming && incoming.sent > incoming.taken ? 'elsewhere' : undefined;
  }

  listen(port: MessagePort, listener: (value: unknown) => void): void {
    this.emitterOf(port).on('message', listener);
    this.start(port);
  }

  afterSent(port: MessagePort, run: () => void): void {
    const state = this.stateOf(port);
    takeInline(state);
    this.#deliver(port);
    state.waiting.push({ number: state.incoming?.sent ?? 0, run });
    settle(state);
  }
}

/** Takes messages from shared memory as long as they are next in order. */
function takeInline({ incoming, queue }: State): void {
  for (let next = incoming?.peek(); incoming && next; next = incoming.peek()) {
    if (next.number !== incoming.taken + 1) return;
    queue.push({ data: valueOf(next.message), ports: [] });
    incoming.drop(next.message);
    incoming.taken = next.number;
  }
}

/** Makes the calls that wait for messages which have been heard by now. */
function settle(state: State): void {
  if (state.queue.length > 0 && !state.closed) return;
  const taken = state.incoming?.taken ?? Infinity;
  while (state.waiting[0] && (state.closed || state.waiting[0].number <= taken)) state.waiting.shift()?.run();
}
