import { CONNECTION_WINDOW, type ConnectionMessage } from '../../src/protocol/connection.ts';

export { CONNECTION_WINDOW, type ConnectionMessage } from '../../src/protocol/connection.ts';

/** One end of a connection, as a socket uses it. */
export interface ConnectionEnd {
  say(message: ConnectionMessage): void;
  /** Sets the listener. A socket calls it once, as soon as it has the end, so that no message is lost. */
  hear(listener: (message: ConnectionMessage) => void): void;
}

interface Side {
  readonly tell: (message: ConnectionMessage) => void;
  /** How many bytes this side has sent that the other has not read yet. */
  unread: number;
  ended: boolean;
  gone: boolean;
}

/**
 * Passes messages between two ends. It knows which messages each end may still send, and gives the errors that an
 * operating system would give once one end has left.
 */
export class Connection {
  readonly #sides: readonly [Side, Side];
  readonly #over: () => void;
  #isOver = false;

  /** `over` is called when neither end can send anything any more. */
  constructor(
    tell: readonly [(message: ConnectionMessage) => void, (message: ConnectionMessage) => void],
    over: () => void = () => {},
  ) {
    const side = (each: Side['tell']): Side => ({ tell: each, unread: 0, ended: false, gone: false });
    this.#sides = [side(tell[0]), side(tell[1])];
    this.#over = over;
  }

  /** Handles a message that side `from` sends. */
  say(from: 0 | 1, message: ConnectionMessage): void {
    if (this.#isOver) return;
    const side = this.#sides[from];
    const other = this.#sides[1 - from] as Side;
    switch (message.kind) {
      case 'data':
        if (side.ended) return;
        if (other.gone) return this.#reset(side, 'ECONNRESET');
        side.unread += message.bytes.byteLength;
        // A sender that ignores the window would fill the memory of the other side.
        if (side.unread > 4 * CONNECTION_WINDOW) {
          other.tell({ kind: 'reset', code: 'ECONNRESET' });
          return this.#reset(side, 'ENOBUFS');
        }
        return other.tell(message);
      case 'used':
        other.unread -= message.bytes;
        return other.tell(message);
      case 'end':
        if (side.ended) return;
        side.ended = true;
        return other.tell(message);
      case 'gone':
        if (other.unread > 0 && !other.gone) return this.#reset(other, 'ECONNRESET');
        if (!side.ended) this.say(from, { kind: 'end' });
        side.gone = true;
        if (other.gone) this.#finish();
        return;
      case 'reset':
        return this.#reset(other, message.code);
      case 'open':
    }
  }

  #reset(side: Side, code: string): void {
    side.tell({ kind: 'reset', code });
    this.#finish();
  }

  #finish(): void {
    this.#isOver = true;
    this.#over();
  }
}

/** Makes both ends of a connection inside one process. `turn` runs each delivery as an event of that process. */
export function connectionPair(turn: (event: () => void) => void): readonly [ConnectionEnd, ConnectionEnd] {
  const heard: (((message: ConnectionMessage) => void) | undefined)[] = [];
  const tell = (at: 0 | 1) => (message: ConnectionMessage) => turn(() => heard[at]?.(message));
  const connection = new Connection([tell(0), tell(1)]);
  const end = (at: 0 | 1): ConnectionEnd => ({
    say: (message) => connection.say(at, message),
    hear: (listener) => void (heard[at] = listener),
  });
  return [end(0), end(1)];
}
