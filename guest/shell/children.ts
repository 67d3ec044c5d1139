import { NetFailed, exchange, type NetResponse } from '../net.ts';
import type { ChildStart, FromChild, NetRequest, ProcessSignal, ToChild } from '../protocol.ts';
import { isSignal } from '../signals.ts';
import type { LentTerminal } from './lent-terminal.ts';
import { BrokenPipe, type ProgramCall, type Streams } from './program.ts';

interface Child {
  hear(message: FromChild): void;
}

interface Link {
  /** Says something for the script that runs now. */
  readonly post: (message: ToChild, transfer?: Transferable[]) => void;
  readonly children: Map<number, Child>;
}

let link: Link | undefined;
let nextId = 1;

/** Called when a script begins; what comes for it is given to the function that this returns. */
export function linkChildren(
  post: (message: ToChild, transfer?: Transferable[]) => void,
): (message: FromChild) => void {
  const mine: Link = { post, children: new Map() };
  link = mine;
  return (message) => mine.children.get(message.id)?.hear(message);
}

/** One HTTP exchange of the script that runs now. Rejects with {@link NetFailed}, or with the signal's reason. */
export function fetchFrom(request: NetRequest, signal: AbortSignal): Promise<NetResponse> {
  const mine = link;
  if (!mine) return Promise.reject(new NetFailed('ENOSYS', 'nothing can be reached from here'));
  return exchange((channel) => mine.post({ kind: 'fetch', request, channel }, [channel]), signal);
}

/** It could not be started: EAGAIN, where too many run already. */
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
 * Runs another process of the workspace to its end, on these streams; standard input is read only as it asks for it.
 * Answers its exit code. A signal is passed on as what its reason names. Rejects with {@link ChildFailed}.
 * `terminal` is what it has of one; that is given back at its end.
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
      // What it printed is on its way before its end is told.
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
          // A program of the shell has no channel to it.
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
