import { joined } from '../../../../src/base/bytes.ts';
import { MAX_CONTROL, OP } from '../../../../src/base/web-socket-frame.ts';

const CONTROL = 8;

export interface FrameEvents {
  message(bytes: Uint8Array, isText: boolean): void;
  control(op: number, bytes: Uint8Array): void;
}

/** Reads frames of a server as their bytes come. */
export class FrameReader {
  readonly #events: FrameEvents;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #message: Uint8Array[] | undefined;
  #isText = false;

  constructor(events: FrameEvents) {
    this.#events = events;
  }

  /** Throws what is wrong with it. */
  take(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#size += bytes.byteLength;
    while (this.#next());
  }

  #next(): boolean {
    if (this.#size < 2) return false;
    const head = this.#front(Math.min(this.#size, 10));
    const [first = 0, second = 0] = head;
    const op = first & 15;
    const short = second & 127;
    if (second & 0x80) throw new Error('Frame cannot be masked');
    if (first & 0x70) throw new Error('RSV1, RSV2 and RSV3 must be clear');
    if (!Object.values<number>(OP).includes(op)) throw new Error('Invalid opcode received');
    if (op >= CONTROL && (short > MAX_CONTROL || !(first & 0x80)))
      throw new Error('Control frame either too large or fragmented');
    const longer = short === 127 ? 8 : short === 126 ? 2 : 0;
    if (this.#size < 2 + longer) return false;
    const view = new DataView(head.buffer, head.byteOffset);
    const size = longer === 8 ? Number(view.getBigUint64(2)) : longer === 2 ? view.getUint16(2) : short;
    if (this.#size < 2 + longer + size) return false;
    const whole = this.#front(2 + longer + size);
    this.#drop(whole.byteLength);
    this.#frame(op, (first & 0x80) !== 0, whole.subarray(2 + longer));
    return true;
  }

  #frame(op: number, isLast: boolean, bytes: Uint8Array): void {
    if (op >= CONTROL) return this.#events.control(op, bytes);
    if (op === OP.more && !this.#message) throw new Error('Unexpected continuation frame');
    if (op !== OP.more && this.#message) throw new Error('Expected continuation frame');
    if (op !== OP.more) this.#isText = op === OP.text;
    (this.#message ??= []).push(bytes);
    if (!isLast) return;
    const whole = joined(this.#message);
    this.#message = undefined;
    this.#events.message(whole, this.#isText);
  }

  /** The first bytes of what is there, in one piece. */
  #front(size: number): Uint8Array {
    const [first] = this.#pieces;
    if (first && first.byteLength >= size) return first.subarray(0, size);
    const whole = joined(this.#pieces);
    this.#pieces = [whole];
    return whole.subarray(0, size);
  }

  #drop(size: number): void {
    const rest = this.#pieces[0]?.subarray(size);
    this.#pieces[0] = rest ?? new Uint8Array();
    this.#size -= size;
  }
}
