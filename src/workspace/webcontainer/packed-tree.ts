/** A tree as the runtime mounts it: MessagePack of `{d: {name: node}}`, `{f: {c: bytes}}` and `{f: {l: target}}`. */
export type PackedNode =
  | { readonly type: 'directory'; readonly children: Map<string, PackedNode> }
  | { readonly type: 'file'; readonly bytes: Uint8Array }
  | { readonly type: 'symlink'; readonly target: string };

const encoder = new TextEncoder();

/** Builds a tree from nodes with relative paths. Missing parents are added. */
export function treeOf(nodes: Iterable<readonly [path: string, node: PackedNode]>): PackedNode {
  const children = new Map<string, PackedNode>();
  for (const [path, node] of nodes) {
    const names = path.split('/');
    const last = names.pop() ?? '';
    let folder = children;
    for (const name of names) {
      let child = folder.get(name);
      if (child?.type !== 'directory') folder.set(name, (child = { type: 'directory', children: new Map() }));
      folder = child.children;
    }
    const known = folder.get(last);
    if (node.type !== 'directory' || known?.type !== 'directory') folder.set(last, node);
  }
  return { type: 'directory', children };
}

export function packTree(tree: PackedNode): Uint8Array<ArrayBuffer> {
  const packer = new Packer();
  packer.node(tree);
  return packer.done();
}

class Packer {
  #bytes = new Uint8Array(65_536);
  #length = 0;

  node(node: PackedNode): void {
    this.#map(1);
    if (node.type === 'directory') {
      this.#text('d');
      this.#map(node.children.size);
      for (const [name, child] of node.children) {
        this.#text(name);
        this.node(child);
      }
      return;
    }
    this.#text('f');
    this.#map(1);
    if (node.type === 'symlink') {
      this.#text('l');
      this.#text(node.target);
    } else {
      this.#text('c');
      this.#sized(node.bytes.length, [0xc4, 0xc5, 0xc6]);
      this.#put(node.bytes);
    }
  }

  done(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #map(size: number): void {
    if (size < 16) this.#put(Uint8Array.of(0x80 | size));
    else this.#sized(size, [undefined, 0xde, 0xdf]);
  }

  #text(text: string): void {
    const bytes = encoder.encode(text);
    if (bytes.length < 32) this.#put(Uint8Array.of(0xa0 | bytes.length));
    else this.#sized(bytes.length, [0xd9, 0xda, 0xdb]);
    this.#put(bytes);
  }

  /** Writes the type for a length of 8, 16 or 32 bits, and then the length. */
  #sized(length: number, types: readonly (number | undefined)[]): void {
    const [small, middle, large = 0] = types;
    if (length < 0x100 && small !== undefined) this.#put(Uint8Array.of(small, length));
    else if (length < 0x10000 && middle !== undefined)
      this.#put(Uint8Array.of(middle, length >> 8, length & 0xff));
    else
      this.#put(
        Uint8Array.of(large, length >>> 24, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff),
      );
  }

  #put(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }
}
