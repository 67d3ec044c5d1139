import { BUFFER, ERRORS, FLAGS, VERSION, VIEWS } from './tags.ts';

/** The value that these bytes are of: see {@link serialize}. `bufferOf` makes a Buffer. */
export function deserialize(bytes: Uint8Array, bufferOf: (bytes: Uint8Array) => object): unknown {
  const from = new Reader(bytes);
  if (bytes.byteLength < 2 || from.byte() !== 0xff || from.varint() > VERSION)
    throw new Error('Unable to deserialize cloned data due to invalid or unsupported version.');
  const objects: object[] = [];
  const keep = <Kept extends object>(it: Kept): Kept => {
    objects.push(it);
    return it;
  };

  function read(): unknown {
    const tag = from.tag();
    switch (tag) {
      case '_':
        return undefined;
      case '0':
        return null;
      case 'T':
        return true;
      case 'F':
        return false;
      case 'I': {
        const zigzag = from.varint();
        return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      }
      case 'U':
        return from.varint();
      case 'N':
        return from.double();
      case 'Z':
        return from.bigint();
      case '"':
      case 'c':
      case 'S':
        return from.stringOf(tag);
      case '^': {
        const known = objects[from.varint()];
        if (!known) throw unreadable();
        return known;
      }
      case 'o':
        return readProperties(keep({}), '{');
      case 'A':
      case 'a':
        return readArray(tag);
      case 'D':
        return keep(new Date(from.double()));
      case 'y':
      case 'x':
        return keep(Object(tag === 'y'));
      case 'n':
        return keep(Object(from.double()));
      case 'z':
        return keep(Object(from.bigint()));
      case 's':
        return keep(Object(from.string()));
      case 'R': {
        const source = from.string();
        const bits = from.varint();
        return keep(new RegExp(source, FLAGS.filter((_flag, at) => bits & (1 << at)).join('')));
      }
      case ';': {
        const map = keep(new Map<unknown, unknown>());
        const members = readList(':');
        for (let at = 0; at < members.length; at += 2) map.set(members[at], members[at + 1]);
        return map;
      }
      case "'": {
        const set = keep(new Set<unknown>());
        for (const member of readList(',')) set.add(member);
        return set;
      }
      case 'B':
        return keep(from.copy(from.varint()).buffer);
      case 'r':
        return readError();
      case '\\':
        return readView();
      default:
        throw unreadable();
    }
  }

  function readArray(tag: string): unknown[] {
    const list = keep(new Array<unknown>(from.varint()));
    if (tag === 'A')
      for (let at = 0; at < list.length; at++) {
        if (from.isAt('-')) from.tag();
        else list[at] = read();
      }
    readProperties(list, tag === 'A' ? '$' : '@');
    from.varint();
    return list;
  }

  function readProperties<Target extends object>(target: Target, close: string): Target {
    while (!from.isAt(close)) {
      const key = read();
      Object.defineProperty(target, String(key), {
        value: read(),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
    from.tag();
    from.varint();
    return target;
  }

  function readList(close: string): unknown[] {
    const members: unknown[] = [];
    while (!from.isAt(close)) members.push(read());
    from.tag();
    from.varint();
    return members;
  }

  function readError(): Error {
    // Kept at once: its cause may be a circle.
    const at = objects.push({}) - 1;
    const parts: Record<string, unknown> = {};
    let Class: ErrorConstructor = Error;
    for (let tag = from.tag(); tag !== '.'; tag = from.tag()) {
      const found = ERRORS[tag];
      if (found) Class = found;
      else if (tag === 'm' || tag === 's') parts[tag] = from.string();
      else if (tag === 'c') parts.c = read();
      else throw unreadable();
    }
    const error = new Class();
    const define = (name: string, value: unknown) =>
      Object.defineProperty(error, name, { value, writable: true, configurable: true, enumerable: false });
    if ('m' in parts) define('message', parts.m);
    define('stack', parts.s);
    if ('c' in parts) define('cause', parts.c);
    objects[at] = error;
    return error;
  }

  function readView(): object {
    const kind = from.varint();
    const bytes = from.copy(from.varint());
    if (kind === BUFFER) return keep(bufferOf(bytes));
    const View: (new (buffer: ArrayBuffer) => object) | undefined = VIEWS[kind];
    if (!View) throw unreadable();
    return keep(new View(bytes.buffer));
  }

  return read();
}

function unreadable(): Error {
  return new Error('Unable to deserialize cloned data.');
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw unreadable();
    return byte;
  }

  /** The next one, behind what only fills. */
  tag(): string {
    let byte = this.byte();
    while (byte === 0) byte = this.byte();
    return String.fromCharCode(byte);
  }

  isAt(tag: string): boolean {
    while (this.#bytes[this.#at] === 0) this.#at++;
    return this.#bytes[this.#at] === tag.charCodeAt(0);
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  /** Reads bytes into a new buffer. */
  copy(count: number): Uint8Array<ArrayBuffer> {
    if (this.#at + count > this.#bytes.byteLength) throw unreadable();
    const copied = Uint8Array.from(this.#bytes.subarray(this.#at, this.#at + count));
    this.#at += count;
    return copied;
  }

  double(): number {
    return new DataView(this.copy(8).buffer).getFloat64(0, true);
  }

  bigint(): bigint {
    const bits = this.varint();
    const words = new BigUint64Array(this.copy(Math.floor(bits / 2)).buffer);
    const value = words.reduceRight((sum, word) => (sum << 64n) | word, 0n);
    return bits % 2 === 1 ? -value : value;
  }

  string(): string {
    return this.stringOf(this.tag());
  }

  stringOf(tag: string): string {
    const bytes = this.copy(this.varint());
    if (tag === 'S') return new TextDecoder().decode(bytes);
    const codes: Iterable<number> = tag === 'c' ? new Uint16Array(bytes.buffer) : bytes;
    let text = '';
    for (const code of codes) text += String.fromCharCode(code);
    return text;
  }
}
