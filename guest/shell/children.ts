import { NetFailed, exchange, type NetResponse } from '../shared/net.ts';
import type { ChildStart, FromChild, NetRequest, ProcessSignal, ToChild } from '../shared/protocol.ts';
import { isSignal } from '../shared/signals.ts';
import type { LentTerminal } from './lent-terminal.ts';
import { BrokenPipe, type ProgramCall, type Streams } from './program.ts';

interface Child {
  hear(message: FromChild): void;
}

interface Link {
  /** Sends a message on behalf of the script that is running. */
  readonly post: (message: ToChild, transfer?: Transferable[]) => void;
  readonly children: Map<number, Child>;
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

function signalOf(reason: unknown): ProcessSignal {
  return isSignal(reason) ? reason : 'SIGTERM';
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
  takeSignals?: ProgramCall['takeSignals'],
  terminal?: LentTerminal,
): Promise<number> {
  if (!link) return Promise.reject(new ChildFailed('ENOSYS', 'no processes can be started here'));
  const { post: say, children } = link;
  const id = nextId++;
  return new Promise((resolve, reject) => {
    let reading = false;
    let writing = Promise.resolve();
    let broken: unknown;

    const tell = (name: unknown) => say({ kind: 'signalChild', id, signal: signalOf(name) });
    const abort = () => tell(signal.reason);
    const release = takeSignals?.(tell);
    const end = (settle: () => void) => {
      children.delete(id);
      release?.();
      signal.removeEventListener('abort', abort);
      // The output of the process has to arrive before its end is reported.
      void writing.then(() => {
        terminal?.giveBack();
        settle();
      });
    };

    const read = async () => {
      if (reading) return;
      reading = true;
      try {
        const piece = await streams.stdin.read();
        if (!children.has(id)) {
          if (piece) streams.stdin.unread(piece);
        } else if (piece) say({ kind: 'childInput', id, bytes: piece.slice() });
        else say({ kind: 'endChildInput', id });
      } catch {
        say({ kind: 'endChildInput', id });
      } finally {
        reading = false;
      }
    };

    const write = async (stream: 1 | 2, bytes: Uint8Array) => {
      try {
        if (broken === undefined) await (stream === 1 ? streams.stdout : streams.stderr).write(bytes);
      } catch (error) {
        broken = error;
        say({ kind: 'signalChild', id, signal: error instanceof BrokenPipe ? 'SIGPIPE' : 'SIGKILL' });
      }
      say({ kind: 'childOutputUsed', id, bytes: bytes.byteLength });
    };

    children.set(id, {
      hear(message) {
        switch (message.kind) {
          case 'childOutput':
            writing = writing.then(() => write(message.stream, message.bytes));
            return;
          case 'childWantsInput':
            return void read();
          case 'childKeyboard':
            writing = writing.then(() => terminal?.setRaw(message.raw));
            return;
          case 'childExited':
            return end(() =>
              broken === undefined || broken instanceof BrokenPipe
                ? resolve(message.exitCode)
                : reject(broken),
            );
          case 'childFailed':
            return end(() => reject(new ChildFailed(message.code, message.message)));
          // Programs started by the shell have no message channel.
          case 'childStarted':
          case 'childMessage':
          case 'childDisconnected':
        }
      },
    });
    say({ kind: 'startChild', start: { ...what, id } });
    terminal?.onResize((columns, rows) => say({ kind: 'resizeChild', id, columns, rows }));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
