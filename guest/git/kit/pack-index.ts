import { fromHex, toHex } from './bytes.ts';
import { Fatal } from './fatal.ts';

const HEADER = 8;
const FANOUT = 256 * 4;
const ID = 20;

/** The index of a pack: where each object is. It is read where it stands, since most commands ask for few objects. */
export class PackIndex {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #count: number;

  constructor(bytes: Uint8Array, path: string) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < HEADER + FANOUT + 2 * ID || this.#view.getUint32(0) !== 0xff744f63)
      throw new Fatal(`${path} is not a pack index of version 2: git index-pack writes it anew elsewhere`);
    this.#count = this.#view.getUint32(HEADER + FANOUT - 4);
    if (bytes.length < HEADER + FANOUT + this.#count * (ID + 8) + 2 * ID)
      throw new Fatal(`${path} is cut off: the pack has to be fetched again`);
  }

  /** The checksum with which the pack ends. */
  get packSum(): string {
    return toHex(this.#bytes.subarray(this.#bytes.length - 2 * ID, this.#bytes.length - ID));
  }

  /** Where an object begins in the pack. */
  offset(oid: string): number | undefined {
    const id = fromHex(oid);
    const at = this.#lowest(id);
    if (at >= this.#count || this.#compare(at, id) !== 0) return undefined;
    const crcs = this.#ids + this.#count * ID;
    const place = this.#view.getUint32(crcs + (this.#count + at) * 4);
    if (place < 0x80000000) return place;
    return Number(this.#view.getBigUint64(crcs + this.#count * 8 + (place - 0x80000000) * 8));
  }

  /** The ids that begin with these hexadecimal digits. */
  *startingWith(prefix: string): Generator<string> {
    const start = fromHex(prefix.slice(0, prefix.length & ~1));
    for (let at = this.#lowest(start); at < this.#count; at++) {
      const oid = toHex(this.#id(at));
      if (oid.startsWith(prefix)) yield oid;
      else if (oid.slice(0, prefix.length) > prefix) return;
    }
  }

  get #ids(): number {
    return HEADER + FANOUT;
  }

  #id(at: number): Uint8Array {
    return this.#bytes.subarray(this.#ids + at * ID, this.#ids + (at + 1) * ID);
  }

  /** The first object that does not come before this id or beginning of one. */
  #lowest(id: Uint8Array): number {
    const first = id[0] ?? 0;
    let low = first === 0 ? 0 : this.#view.getUint32(HEADER + (first - 1) * 4);
    let high = this.#view.getUint32(HEADER + first * 4);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, id) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(at: number, id: Uint8Array): number {
    const start = this.#ids + at * ID;
    for (let byte = 0; byte < id.length; byte++) {
      const away = (this.#bytes[start + byte] ?? 0) - (id[byte] ?? 0);
      if (away !== 0) return away;
    }
    return 0;
  }
}
