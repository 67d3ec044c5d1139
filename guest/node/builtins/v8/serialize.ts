import { BUFFER, ERRORS, FLAGS, VERSION, VIEWS } from './tags.ts';

/** A value in the engine's own format, as `v8.serialize` has it. Throws an Error for what cannot be cloned. */
export function serialize(value: unknown, isBuffer: (view: object) => boolean): Uint8Array {
  const out = new Writer();
  out.byte(0xff);
  out.byte(VERSION);
  const ids = new Map<object, number>();

  function write(it: unknown): void {
    switch (typeof it) {
      case 'undefined':
        return out.tag('_');
      case 'boolean':
        return out.tag(it ? 'T' : 'F');
      case 'number':
        return writeNumber(it);
      case 'bigint':
        out.tag('Z');
        return out.bigint(it);
      case 'string':
        return out.string(it);
      case 'object':
        return it === null ? out.tag('0') : writeObject(it);
      default:
        throw notCloneable(it);
    }
  }

  function writeNumber(number: number): void {
    if ((number | 0) === number && !Object.is(number, -0)) {
      out.tag('I');
      return out.varint(((number << 1) ^ (number >> 31)) >>> 0);
    }
    out.tag('N');
    out.double(number);
  }

  function writeObject(it: object): void {
    const known = ids.get(it);
    if (known !== undefined) {
      out.tag('^');
      return out.varint(known);
    }
    if (ArrayBuffer.isView(it)) {
      // Its buffer is none of the objects: only the bytes of the view are written.
      ids.set(it, ids.size);
      return writeView(it);
    }
    ids.set(it, ids.size);
    if (Array.isArray(it)) return writeArray(it);
    switch (Object.prototype.toString.call(it)) {
      case '[object Date]':
        out.tag('D');
        return out.double(Number(it));
      case '[object Boolean]':
        return out.tag(Boolean.prototype.valueOf.call(it) ? 'y' : 'x');
      case '[object Number]':
        out.tag('n');
        return out.double(Number(it));
      case '[object BigInt]':
        out.tag('z');
        return out.bigint(BigInt.prototype.valueOf.call(it));
      case '[object String]':
        out.tag('s');
        return out.string(String(it));
      case '[object RegExp]':
        return writeRegExp(it as RegExp);
    }
    if (it instanceof Map) return writeList(';', [...it].flat(), ':');
    if (it instanceof Set) return writeList("'", [...it], ',');
    if (it instanceof ArrayBuffer) {
      out.tag('B');
      out.varint(it.byteLength);
      return out.bytes(new Uint8Array(it));
    }
    if (it instanceof Error) return writeError(it);
    if (isOfPlatform(it)) throw notCloneable(it);
    out.tag('o');
    out.tag('{', writeProperties(it, Object.keys(it)));
  }

  function writeArray(list: readonly unknown[]): void {
    const keys = Object.keys(list);
    const named = keys.filter((key) => !/^(?:0|[1-9]\d*)$/.test(key));
    if (keys.length - named.length < list.length) {
      // With holes it is written as an object is.
      out.tag('a', list.length);
      return out.tag('@', writeProperties(list, keys), list.length);
    }
    out.tag('A', list.length);
    for (const member of list) write(member);
    out.tag('$', writeProperties(list, named), list.length);
  }

  function writeProperties(it: object, keys: readonly string[]): number {
    for (const key of keys) {
      if (/^(?:0|[1-9]\d{0,8})$/.test(key)) writeNumber(Number(key));
      else out.string(key);
      write(Reflect.get(it, key));
    }
    return keys.length;
  }

  function writeList(open: string, members: readonly unknown[], close: string): void {
    out.tag(open);
    for (const member of members) write(member);
    out.tag(close, members.length);
  }

  function writeRegExp({ source, flags }: RegExp): void {
    out.tag('R');
    out.string(source);
    out.varint(FLAGS.reduce((bits, flag, at) => (flag && flags.includes(flag) ? bits | (1 << at) : bits), 0));
  }

  function writeError(error: Error): void {
    out.tag('r');
    const [tag] = Object.entries(ERRORS).find(([, { name }]) => name === error.name) ?? [];
    if (tag !== undefined) out.tag(tag);
    if (Object.hasOwn(error, 'message')) {
      out.tag('m');
      out.string(error.message);
    }
    if (typeof error.stack === 'string') {
      out.tag('s');
      out.string(error.stack);
    }
    if (Object.hasOwn(error, 'cause')) {
      out.tag('c');
      write(error.cause);
    }
    out.tag('.');
  }

  function writeView(view: ArrayBufferView): void {
    const kind = isBuffer(view) ? BUFFER : VIEWS.findIndex((each) => each && view instanceof each);
    if (kind < 0) throw notCloneable(view);
    out.tag('\\', kind, view.byteLength);
    out.bytes(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  }

  write(value);
  return out.whole();
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
