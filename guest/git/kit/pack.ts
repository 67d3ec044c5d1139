import { unzlibSync } from 'fflate';
import { shaOf, toHex, type ObjectType } from './bytes.ts';
import { patched } from './delta.ts';
import { Fatal } from './fatal.ts';
import type { Files } from './files.ts';
import { Kept } from './kept.ts';
import type { GitObject } from './objects.ts';
import { PackIndex } from './pack-index.ts';

const TYPES: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const [OFFSET_DELTA, ID_DELTA] = [6, 7];
const SUM = 20;

/** How many bytes of unpacked objects are kept for each pack: changes of one object share what they were made from. */
const KEPT_BYTES = 24_000_000;

interface Change {
  readonly offset: number;
  readonly delta: Uint8Array;
}

/** One pack of objects with its index. Both never change under their name. */
export class Pack {
  readonly index: PackIndex;
  readonly #path: string;
  readonly #kept = new Kept<number, GitObject>(KEPT_BYTES);
  #bytes: Uint8Array | undefined;
  #loading: Promise<Uint8Array> | undefined;

  private constructor(index: PackIndex, path: string) {
    this.index = index;
    this.#path = path;
  }

  /** Opens the pack at a path without its ending. The pack itself is read when an object of it is wanted. */
  static async open(files: Files, path: string): Promise<Pack | undefined> {
    const index = await files.read(`${path}.idx`);
    return index && new Pack(new PackIndex(index, `${path}.idx`), path);
  }

  /** How many bytes the pack takes up once it has been read. */
  get size(): number {
    return this.#bytes?.length ?? 0;
  }

  get isRead(): boolean {
    return this.#bytes !== undefined;
  }

  /** Reads the pack, and checks it as a whole this one time. */
  async load(files: Files): Promise<void> {
    this.#loading ??= this.#read(files).finally(() => (this.#loading = undefined));
    this.#bytes ??= await this.#loading;
  }

  async #read(files: Files): Promise<Uint8Array> {
    const bytes = await files.read(`${this.#path}.pack`);
    if (!bytes) throw new Fatal(`${this.#path}.pack is missing: fetch again, or clone anew`);
    const sum = toHex(await quickSha(bytes.subarray(0, -SUM)));
    if (sum !== this.index.packSum || sum !== toHex(bytes.subarray(-SUM)))
      throw new Fatal(`${this.#path}.pack is damaged: remove it and its index, and fetch again`);
    return bytes;
  }

  /** The object at an offset. It is to be loaded before. */
  at(offset: number): GitObject {
    const changes: Change[] = [];
    let base = this.#kept.get(offset);
    for (let at = offset; !base;) {
      const found = this.#entry(at);
      if ('delta' in found) {
        changes.push({ offset: at, delta: found.delta });
        at = found.base;
        base = this.#kept.get(at);
      } else {
        base = found;
        this.#keep(at, base);
      }
    }
    for (const { offset: at, delta } of changes.reverse()) {
      const bytes: Uint8Array | undefined = patched(base.bytes, delta);
      if (!bytes) throw this.#damage(at);
      base = { type: base.type, bytes };
      this.#keep(at, base);
    }
    return base;
  }

  #keep(offset: number, object: GitObject): void {
    this.#kept.set(offset, object, object.bytes.length);
  }

  #damage(offset: number): Fatal {
    return new Fatal(`${this.#path}.pack is damaged at byte ${offset}: fetch again, or clone anew`);
  }

  #entry(offset: number): GitObject | { readonly base: number; readonly delta: Uint8Array } {
    const pack = this.#bytes;
    if (!pack) throw new Error(`${this.#path}.pack is used before it was read`);
    let at = offset;
    let byte = pack[at++] ?? 0;
    const kind = (byte >> 4) & 7;
    let [size, scale] = [byte & 15, 16];
    for (; byte & 0x80; scale *= 128) {
      byte = pack[at++] ?? 0;
      size += (byte & 0x7f) * scale;
    }
    let base: number | undefined;
    if (kind === OFFSET_DELTA) {
      byte = pack[at++] ?? 0;
      let away = byte & 0x7f;
      while (byte & 0x80) {
        byte = pack[at++] ?? 0;
        away = (away + 1) * 128 + (byte & 0x7f);
      }
      base = offset - away;
    } else if (kind === ID_DELTA) {
      base = this.index.offset(toHex(pack.subarray(at, at + 20)));
      at += 20;
      if (base === undefined) throw this.#damage(offset);
    }
    const bytes = this.#inflate(pack, at, size, offset);
    if (base !== undefined) return { base, delta: bytes };
    const type = TYPES[kind];
    if (type === undefined) throw this.#damage(offset);
    return { type, bytes };
  }

  #inflate(pack: Uint8Array, at: number, size: number, offset: number): Uint8Array {
    try {
      const bytes = unzlibSync(pack.subarray(at), { out: new Uint8Array(size) });
      if (bytes.length === size) return bytes;
    } catch {
      // The message of the decompressor says less than the place does.
    }
    throw this.#damage(offset);
  }
}

/** The browser sums faster than our own code does, where the page may ask it to. */
async function quickSha(bytes: Uint8Array): Promise<Uint8Array> {
  const crypto = Reflect.get(globalThis, 'crypto') as Crypto | undefined;
  const subtle = crypto?.subtle as SubtleCrypto | undefined;
  if (!subtle) return shaOf(bytes);
  return new Uint8Array(await subtle.digest('SHA-1', bytes as BufferSource));
}
