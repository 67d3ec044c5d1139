/** The runtime's own form of a tree: `{d: {name: node}}`, `{f: {c: text, b?: true}}` and `{f: {l: target}}`. */
export type TreeNode =
  { d: Record<string, TreeNode> } | { f: { c: string | Uint8Array; b?: boolean } } | { f: { l: string } };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** JSON, or MessagePack of the same shape. */
export function decodeTree(bytes: Uint8Array): TreeNode {
  const value: unknown = bytes[0] === 0x7b ? JSON.parse(decoder.decode(bytes)) : new Unpacker(bytes).value();
  return value as TreeNode;
}

export function contentOf(file: { c: string | Uint8Array; b?: boolean }): Uint8Array {
  if (typeof file.c !== 'string') return file.c.slice();
  if (!file.b) return encoder.encode(file.c);
  return Uint8Array.from(file.c, (character) => character.charCodeAt(0));
}

/** As much of MessagePack as trees are made of. */
class Unpacker {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  value(): unknown {
    const type = this.#number(1);
    if (type < 0x80) return type;
    if (type < 0x90) return this.#map(type & 0x0f);
    if (type >= 0xa0 && type < 0xc0) return decoder.decode(this.#take(type & 0x1f));
    switch (type) {
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#take(this.#number(2 ** (type - 0xc4)));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return decoder.decode(this.#take(this.#number(2 ** (type - 0xd9))));
      case 0xde:
      case 0xdf:
        return this.#map(this.#number(2 ** (type - 0xdd)));
      default:
        throw new Error(`MessagePack type ${type.toString(16)} is not expected in a tree`);
    }
  }

  #map(size: number): Record<string, unknown> {
    const map: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (let index = 0; index < size; index++) map[String(this.value())] = this.value();
    return map;
  }

  #take(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length) throw new Error('the tree is cut off');
    return this.#bytes.subarray(this.#at, (this.#at += length));
  }

  #number(width: number): number {
    const at = this.#at;
    this.#at += width;
    if (width === 1) return this.#view.getUint8(at);
    return width === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }
}
