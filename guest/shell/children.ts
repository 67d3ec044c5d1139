import { NetFailed, exchange, type NetResponse } from '../shared/net.ts';
import type { ChildStart, FromChild, NetRequest, ToChild } from '../shared/protocol.ts';
import { isSignal } from '../shared/signals.ts';
import type { LentTerminal } from './lent-terminal.ts';
import { BrokenPipe, type ProgramCall, type Streams } from './program.ts';

/** The place of a process that the shell may have forked only to run this one. */
type Place = Pick<ProgramCall, 'takeSignals' | 'endedBy'>;

interface Link {
  /** Sends a message on behalf of the script that is running. */
  readonly post: (message: ToChild, transfer?: Transferable[]) => void;
  readonly children: Map<number, ChildRun>;
}

let link: Link | undefined;
let nextId = 1;

/** Call it when a script begins, and give the returned function every message of the script's children. */
export function linkChildren(
  post: (message: ToChild, transfer?: Transferable[]) => void,
): (message: FromChild) => void {
  const mine: Link = { post, children: new Map() };
  link = mine;
  return (message) => mine.children.get(message.id)?.hear(message);
}

/**
 * Makes one HTTP request for the script that is running. Rejects with {@link NetFailed}, or with the signal's
 * reason.
 */
export function fetchFrom(request: NetRequest, signal: AbortSignal): Promise<NetResponse> {
  const mine = link;
  if (!mine) return Promise.reject(new NetFailed('ENOSYS', 'nothing can be reached from here'));
  return exchange((channel) => mine.post({ kind: 'fetch', request, channel }, [channel]), signal);
}

/** The process could not be started; the code is EAGAIN where too many run already. */
export class ChildFailed extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Runs another process of the workspace to its end on these streams and answers its exit code. Standard input
 * is read only when the process asks for it, and an abort is passed on as the signal that its reason names.
 * `terminal` is lent to the process and given back at its end. Rejects with {@link ChildFailed}.
 */
export function startChild(
  what: Omit<ChildStart, 'id'>,
  streams: Streams,
  signal: AbortSignal,
  place?: Place,
  terminal?: LentTerminal,
): Promise<number> {
  if (!link) return Promise.reject(new ChildFailed('ENOSYS', 'no processes can be started here'));
  const child = new ChildRun(link, streams, terminal);
  child.start(what, signal, place);
  return child.ended;
}

/** A process that the shell has started, between its start and its end. */
class ChildRun {
  /** Resolves with the exit code, after the output of the process has been written. */
  readonly ended: Promise<number>;
  readonly #id = nextId++;
  readonly #link: Link;
  readonly #streams: Streams;
  readonly #terminal: LentTerminal | undefined;
  #place: Place | undefined;
  #resolve: (exitCode: number) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  /** Stops listening for signals. */
  #release = (): void => {};
  #isReading = false;
  #writing = Promise.resolve();
  /** Why the output could not be written; no more of it is. */
  #broken: unknown;

  constructor(of: Link, streams: Streams, terminal: LentTerminal | undefined) {
    this.#link = of;
    this.#streams = streams;
    this.#terminal = terminal;
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  start(what: Omit<ChildStart, 'id'>, signal: AbortSignal, place: Place | undefined): void {
    const id = this.#id;
    const { post, children } = this.#link;
    const abort = () => this.#signal(signal.reason);
    this.#place = place;
    const release = place?.takeSignals((name) => this.#signal(name));
    this.#release = () => {
      release?.();
      signal.removeEventListener('abort', abort);
    };
    children.set(id, this);
    post({ kind: 'startChild', start: { ...what, id } });
    this.#terminal?.onResize((columns, rows) => post({ kind: 'resizeChild', id, columns, rows }));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }

  hear(message: FromChild): void {
    switch (message.kind) {
      case 'childOutput':
        this.#writing = this.#writing.then(() => this.#write(message.stream, message.bytes));
        return;
      case 'childWantsInput':
        return void this.#read();
      case 'childKeyboard':
        this.#writing = this.#writing.then(() => this.#terminal?.setRaw(message.raw));
        return;
      case 'childExited':
        if (message.signal) this.#place?.endedBy(message.signal);
        return this.#end(() => {
          if (this.#broken === undefined || this.#broken instanceof BrokenPipe)
            this.#resolve(message.exitCode);
          else this.#reject(this.#broken);
        });
      case 'childFailed':
        return this.#end(() => this.#reject(new ChildFailed(message.code, message.message)));
      // Programs started by the shell have no message channel.
      case 'childStarted':
      case 'childMessage':
      case 'childDisconnected':
    }
  }

  #signal(name: unknown): void {
    const signal = isSignal(name) ? name : 'SIGTERM';
    this.#link.post({ kind: 'signalChild', id: this.#id, signal });
  }

  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    const id = this.#id;
    const { post, children } = this.#link;
    const { stdin } = this.#streams;
    try {
      const piece = await stdin.read();
      if (!children.has(id)) {
        if (piece) stdin.unread(piece);
      } else if (piece) post({ kind: 'childInput', id, bytes: piece.slice() });
      else post({ kind: 'endChildInput', id });
    } catch {
      post({ kind: 'endChildInput', id });
    } finally {
      this.#isReading = false;
    }
  }

  async #write(stream: 1 | 2, bytes: Uint8Array): Promise<void> {
    const { stdout, stderr } = this.#streams;
    try {
      if (this.#broken === undefined) await (stream === 1 ? stdout : stderr).write(bytes);
    } catch (error) {
      this.#broken = error;
      this.#signal(error instanceof BrokenPipe ? 'SIGPIPE' : 'SIGKILL');
    }
    this.#link.post({ kind: 'childOutputUsed', id: this.#id, bytes: bytes.byteLength });
  }

  #end(settle: () => void): void {
    this.#link.children.delete(this.#id);
    this.#release();
    // The output of the process has to arrive before its end is reported.
    void this.#writing.then(() => {
      this.#terminal?.giveBack();
      settle();
    });
  }
}
