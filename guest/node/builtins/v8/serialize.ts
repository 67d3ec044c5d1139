import { BUFFER, ERRORS, FLAGS, VERSION, VIEWS } from './tags.ts';

/** A value in the engine's own format, as `v8.serialize` has it. Throws an Error for what cannot be cloned. */
export function serialize(value: unknown, isBuffer: (view: object) => boolean): Uint8Array {
  const serializer = new Serializer(isBuffer);
  serializer.write(value);
  return serializer.whole();
}

class Serializer {
  readonly #out = new Writer();
  /** Objects that were written are named by their number from then on. */
  readonly #ids = new Map<object, number>();
  readonly #isBuffer: (view: object) => boolean;

  constructor(isBuffer: (view: object) => boolean) {
    this.#isBuffer = isBuffer;
    this.#out.byte(0xff);
    this.#out.byte(VERSION);
  }

  whole(): Uint8Array {
    return this.#out.whole();
  }

  write(it: unknown): void {
    switch (typeof it) {
      case 'undefined':
        return this.#out.tag('_');
      case 'boolean':
        return this.#out.tag(it ? 'T' : 'F');
      case 'number':
        return this.#writeNumber(it);
      case 'bigint':
        this.#out.tag('Z');
        return this.#out.bigint(it);
      case 'string':
        return this.#out.string(it);
      case 'object':
        return it === null ? this.#out.tag('0') : this.#writeObject(it);
      default:
        throw notCloneable(it);
    }
  }

  #writeNumber(number: number): void {
    if ((number | 0) === number && !Object.is(number, -0)) {
      this.#out.tag('I');
      return this.#out.varint(((number << 1) ^ (number >> 31)) >>> 0);
    }
    this.#out.tag('N');
    this.#out.double(number);
  }

  #writeObject(it: object): void {
    const known = this.#ids.get(it);
    if (known !== undefined) {
      this.#out.tag('^');
      return this.#out.varint(known);
    }
    if (ArrayBuffer.isView(it)) {
      // Its buffer is none of the objects: only the bytes of the view are written.
      this.#ids.set(it, this.#ids.size);
      return this.#writeView(it);
    }
    this.#ids.set(it, this.#ids.size);
    if (Array.isArray(it)) return this.#writeArray(it);
    switch (Object.prototype.toString.call(it)) {
      case '[object Date]':
        this.#out.tag('D');
        return this.#out.double(Number(it));
      case '[object Boolean]':
        return this.#out.tag(Boolean.prototype.valueOf.call(it) ? 'y' : 'x');
      case '[object Number]':
        this.#out.tag('n');
        return this.#out.double(Number(it));
      case '[object BigInt]':
        this.#out.tag('z');
        return this.#out.bigint(BigInt.prototype.valueOf.call(it));
      case '[object String]':
        this.#out.tag('s');
        return this.#out.string(String(it));
      case '[object RegExp]':
        return this.#writeRegExp(it as RegExp);
    }
    if (it instanceof Map) return this.#writeList(';', [...it].flat(), ':');
    if (it instanceof Set) return this.#writeList("'", [...it], ',');
    if (it instanceof ArrayBuffer) {
      this.#out.tag('B');
      this.#out.varint(it.byteLength);
      return this.#out.bytes(new Uint8Array(it));
    }
    if (it instanceof Error) return this.#writeError(it);
    if (isOfPlatform(it)) throw notCloneable(it);
    this.#out.tag('o');
    this.#out.tag('{', this.#writeProperties(it, Object.keys(it)));
  }

  #writeArray(list: readonly unknown[]): void {
    const keys = Object.keys(list);
    const named = keys.filter((key) => !/^(?:0|[1-9]\d*)$/.test(key));
    if (keys.length - named.length < list.length) {
      // With holes it is written as an object is.
      this.#out.tag('a', list.length);
      return this.#out.tag('@', this.#writeProperties(list, keys), list.length);
    }
    this.#out.tag('A', list.length);
    for (const member of list) this.write(member);
    this.#out.tag('$', this.#writeProperties(list, named), list.length);
  }

  #writeProperties(it: object, keys: readonly string[]): number {
    for (const key of keys) {
      if (/^(?:0|[1-9]\d{0,8})$/.test(key)) this.#writeNumber(Number(key));
      else this.#out.string(key);
      this.write(Reflect.get(it, key));
    }
    return keys.length;
  }

  #writeList(open: string, members: readonly unknown[], close: string): void {
    this.#out.tag(open);
    for (const member of members) this.write(member);
    this.#out.tag(close, members.length);
  }

  #writeRegExp({ source, flags }: RegExp): void {
    this.#out.tag('R');
    this.#out.string(source);
    this.#out.varint(
      FLAGS.reduce((bits, flag, at) => (flag && flags.includes(flag) ? bits | (1 << at) : bits), 0),
    );
  }

  #writeError(error: Error): void {
    this.#out.tag('r');
    const [tag] = Object.entries(ERRORS).find(([, { name }]) => name === error.name) ?? [];
    if (tag !== undefined) this.#out.tag(tag);
    if (Object.hasOwn(error, 'message')) {
      this.#out.tag('m');
      this.#out.string(error.message);
    }
    if (typeof error.stack === 'string') {
      this.#out.tag('s');
      this.#out.string(error.stack);
    }
    if (Object.hasOwn(error, 'cause')) {
      this.#out.tag('c');
      this.write(error.cause);
    }
    this.#out.tag('.');
  }

  #writeView(view: ArrayBufferView): void {
    const kind = this.#isBuffer(view) ? BUFFER : VIEWS.findIndex((each) => each && view instanceof each);
    if (kind < 0) throw notCloneable(view);
    this.#out.tag('\\', kind, view.byteLength);
    this.#out.bytes(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  }
}

function isOfPlatform(it: object): boolean {
  return it instanceof Promise || it instanceof WeakMap || it instanceof WeakSet || it instanceof WeakRef;
}

function notCloneable(it: unknown): Error {
  const shown = typeof it === 'object' ? `#<${it?.constructor.name ?? 'Object'}>` : String(it);
  return new Error(`${shown} could not be cloned.`);
}

class Writer {
  #bytes = new Uint8Array(256);
  #length = 0;

  whole(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #room(count: number): void {
    if (this.#length + count <= this.#bytes.byteLength) return;
    const larger = new Uint8Array((this.#length + count) * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  byte(value: number): void {
    this.#room(1);
    this.#bytes[this.#length++] = value;
  }

  bytes(all: Uint8Array): void {
    this.#room(all.byteLength);
    this.#bytes.set(all, this.#length);
    this.#length += all.byteLength;
  }

  /** With numbers behind it. */
  tag(char: string, ...numbers: readonly number[]): void {
    this.byte(char.charCodeAt(0));
    for (const number of numbers) this.varint(number);
  }

  varint(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.byte((rest % 0x80) | 0x80);
    this.byte(rest);
  }

  double(value: number): void {
    this.bytes(new Uint8Array(new Float64Array([value]).buffer));
  }

  bigint(value: bigint): void {
    let digits = value < 0n ? -value : value;
    const words: bigint[] = [];
    for (; digits > 0n; digits >>= 64n) words.push(BigInt.asUintN(64, digits));
    this.varint(words.length * 16 + (value < 0n ? 1 : 0));
    this.bytes(new Uint8Array(BigUint64Array.from(words).buffer));
  }

  string(text: string): void {
    const codes = Uint16Array.from(text, (_char, at) => text.charCodeAt(at));
    if (codes.length !== text.length || codes.some((code) => code > 0xff)) return this.#wide(text);
    this.tag('"', codes.length);
    this.bytes(Uint8Array.from(codes));
  }

  #wide(text: string): void {
    const codes = new Uint16Array(text.length);
    for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at);
    let lengthBytes = 1;
    for (let rest = codes.byteLength; rest >= 0x80; rest = Math.floor(rest / 0x80)) lengthBytes++;
    // Two bytes each, at an even place.
    if ((this.#length + 1 + lengthBytes) % 2 === 1) this.byte(0);
    this.tag('c', codes.byteLength);
    this.bytes(new Uint8Array(codes.buffer));
  }
}
