import { ByteReader, unreadable } from './byte-reader.ts';
import { BUFFER, ERRORS, FLAGS, VERSION, VIEWS } from './tags.ts';

/** Returns the value that {@link serialize} wrote to these bytes. `bufferOf` makes a Buffer. */
export function deserialize(bytes: Uint8Array, bufferOf: (bytes: Uint8Array) => object): unknown {
  const from = new ByteReader(bytes);
  if (bytes.byteLength < 2 || from.byte() !== 0xff || from.varint() > VERSION)
    throw new Error('Unable to deserialize cloned data due to invalid or unsupported version.');
  return new Deserializer(from, bufferOf).read();
}

class Deserializer {
  readonly #from: ByteReader;
  readonly #bufferOf: (bytes: Uint8Array) => object;
  /** The objects that were read, in order: a later one may refer to one of them by its number. */
  readonly #objects: object[] = [];

  constructor(from: ByteReader, bufferOf: (bytes: Uint8Array) => object) {
    this.#from = from;
    this.#bufferOf = bufferOf;
  }

  read(): unknown {
    const tag = this.#from.tag();
    const primitive = PRIMITIVES[tag];
    if (primitive) return primitive(this.#from, tag);
    const boxed = BOXED[tag];
    if (boxed) return this.#keep(boxed(this.#from, tag));
    switch (tag) {
      case '^': {
        const known = this.#objects[this.#from.varint()];
        if (!known) throw unreadable();
        return known;
      }
      case 'o':
        return this.#readProperties(this.#keep({}), '{');
      case 'A':
      case 'a':
        return this.#readArray(tag);
      case ';':
        return this.#readMap();
      case "'":
        return this.#readSet();
      case 'r':
        return this.#readError();
      case '\\':
        return this.#readView();
      default:
        throw unreadable();
    }
  }

  #keep<Kept extends object>(object: Kept): Kept {
    this.#objects.push(object);
    return object;
  }

  #readArray(tag: string): unknown[] {
    const list = this.#keep(new Array<unknown>(this.#from.varint()));
    if (tag === 'A')
      for (let at = 0; at < list.length; at++) {
        if (this.#from.isAt('-')) this.#from.tag();
        else list[at] = this.read();
      }
    this.#readProperties(list, tag === 'A' ? '$' : '@');
    this.#from.varint();
    return list;
  }

  #readProperties<Target extends object>(target: Target, close: string): Target {
    while (!this.#from.isAt(close)) {
      const key = this.read();
      Object.defineProperty(target, String(key), {
        value: this.read(),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
    this.#endList();
    return target;
  }

  #readMap(): Map<unknown, unknown> {
    const map = this.#keep(new Map<unknown, unknown>());
    const members = this.#readList(':');
    for (let at = 0; at < members.length; at += 2) map.set(members[at], members[at + 1]);
    return map;
  }

  #readSet(): Set<unknown> {
    const set = this.#keep(new Set<unknown>());
    for (const member of this.#readList(',')) set.add(member);
    return set;
  }

  #readList(close: string): unknown[] {
    const members: unknown[] = [];
    while (!this.#from.isAt(close)) members.push(this.read());
    this.#endList();
    return members;
  }

  /** A list ends with a tag and the number of its members. */
  #endList(): void {
    this.#from.tag();
    this.#from.varint();
  }

  #readError(): Error {
    // The error takes its number before its parts are read, because its cause may refer to it.
    const at = this.#objects.push({}) - 1;
    const parts: Record<string, unknown> = {};
    let Class: ErrorConstructor = Error;
    for (let tag = this.#from.tag(); tag !== '.'; tag = this.#from.tag()) {
      const found = ERRORS[tag];
      if (found) Class = found;
      else if (tag === 'm' || tag === 's') parts[tag] = this.#from.string();
      else if (tag === 'c') parts.c = this.read();
      else throw unreadable();
    }
    const error = new Class();
    const define = (name: string, value: unknown) =>
      Object.defineProperty(error, name, { value, writable: true, configurable: true, enumerable: false });
    if ('m' in parts) define('message', parts.m);
    define('stack', parts.s);
    if ('c' in parts) define('cause', parts.c);
    this.#objects[at] = error;
    return error;
  }

  #readView(): object {
    const kind = this.#from.varint();
    const bytes = this.#from.copy(this.#from.varint());
    if (kind === BUFFER) return this.#keep(this.#bufferOf(bytes));
    const View: (new (buffer: ArrayBuffer) => object) | undefined = VIEWS[kind];
    if (!View) throw unreadable();
    return this.#keep(new View(bytes.buffer));
  }
}

/** The functions that read values other than objects, keyed by tag. */
const PRIMITIVES: Readonly<Record<string, (from: ByteReader, tag: string) => unknown>> = {
  _: () => undefined,
  0: () => null,
  T: () => true,
  F: () => false,
  I: (from) => {
    const zigzag = from.varint();
    return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
  },
  U: (from) => from.varint(),
  N: (from) => from.double(),
  Z: (from) => from.bigint(),
  '"': (from, tag) => from.stringOf(tag),
  c: (from, tag) => from.stringOf(tag),
  S: (from, tag) => from.stringOf(tag),
};

/** The functions that read objects without members, keyed by tag. */
const BOXED: Readonly<Record<string, (from: ByteReader, tag: string) => object>> = {
  D: (from) => new Date(from.double()),
  y: () => Object(true),
  x: () => Object(false),
  n: (from) => Object(from.double()),
  z: (from) => Object(from.bigint()),
  s: (from) => Object(from.string()),
  R: (from) => {
    const source = from.string();
    const bits = from.varint();
    return new RegExp(source, FLAGS.filter((_flag, at) => bits & (1 << at)).join(''));
  },
  B: (from) => from.copy(from.varint()).buffer,
};
