/** What the two ends of a connection between processes of the workspace say to each other. */
export type OverConnection =
  /** To who connects: it is there. `port` is its own. */
  | { readonly kind: 'open'; readonly port: number }
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  /** So many of the bytes that came were read: there are at most {@link CONNECTION_WINDOW} on the way. */
  | { readonly kind: 'used'; readonly bytes: number }
  /** No more bytes come from there. */
  | { readonly kind: 'end' }
  /** It is neither written nor read there any more. */
  | { readonly kind: 'gone' }
  /** Broken off, with the code that the system would give. */
  | { readonly kind: 'reset'; readonly code: string };

export const CONNECTION_WINDOW = 512 * 1024;

/** One end of a connection, as a socket has it. */
export interface ConnectionEnd {
  say(message: OverConnection): void;
  /** Called once, at once. */
  hear(listener: (message: OverConnection) => void): void;
}

interface Side {
  readonly tell: (message: OverConnection) => void;
  /** Sent from here and not read there yet. */
  unread: number;
  ended: boolean;
  gone: boolean;
}

/** What lies between two ends: it knows what either may still say, and what a system says where one has left. */
export class Connection {
  readonly #sides: readonly [Side, Side];
  readonly #over: () => void;
  #isOver = false;

  /** `over` is called when nothing is left to say. */
  constructor(
    tell: readonly [(message: OverConnection) => void, (message: OverConnection) => void],
    over: () => void = () => {},
  ) {
    const side = (each: Side['tell']): Side => ({ tell: each, unread: 0, ended: false, gone: false });
    this.#sides = [side(tell[0]), side(tell[1])];
    this.#over = over;
  }

  /** What side `from` says. */
  say(from: 0 | 1, message: OverConnection): void {
    if (this.#isOver) return;
    const side = this.#sides[from];
    const other = this.#sides[1 - from] as Side;
    switch (message.kind) {
      case 'data':
        if (side.ended) return;
        if (other.gone) return this.#reset(side, 'ECONNRESET');
        side.unread += message.bytes.byteLength;
        // Whoever does not keep to the window would fill the memory of the other.
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

/** Both ends of a connection within a process. `turn` runs what is heard, as an event of it. */
export function connectionPair(turn: (event: () => void) => void): readonly [ConnectionEnd, ConnectionEnd] {
  const heard: (((message: OverConnection) => void) | undefined)[] = [];
  const tell = (at: 0 | 1) => (message: OverConnection) => turn(() => heard[at]?.(message));
  const connection = new Connection([tell(0), tell(1)]);
  const end = (at: 0 | 1): ConnectionEnd => ({
    say: (message) => connection.say(at, message),
    hear: (listener) => void (heard[at] = listener),
  });
  return [end(0), end(1)];
}
