import type { NodeFsCall } from './wire.ts';

/**
 * The layout of a file call in shared memory: eight numbers (the operation and its fields in order), then the
 * texts as UTF-16 units, then the bytes.
 */
const SLOTS = 8;
export const FRAME_BYTES = 64 * 1024;
const ROOM = FRAME_BYTES - SLOTS * 8;

/** Contents come last, because fields after them would not be aligned. */
const FIELDS: { readonly [Op in NodeFsCall['op']]: readonly string[] } = {
  read: ['path'],
  exists: ['path'],
  stat: ['path'],
  lstat: ['path'],
  readdir: ['path'],
  readlink: ['path'],
  realpath: ['path'],
  look: ['path'],
  lookLink: ['path'],
  names: ['path'],
  unlink: ['path'],
  rmdir: ['path'],
  statfs: ['path'],
  access: ['path', 'mode'],
  open: ['path', 'flags', 'mode'],
  close: ['handle'],
  fstat: ['handle'],
  readAt: ['handle', 'position', 'length'],
  writeAt: ['handle', 'position', 'content'],
  truncate: ['handle', 'length'],
  fchmod: ['handle', 'mode'],
  futimes: ['handle', 'modified', 'accessed'],
  write: ['path', 'content'],
  append: ['path', 'content'],
  mkdir: ['path', 'recursive'],
  rm: ['path', 'recursive', 'force'],
  cp: ['from', 'to', 'recursive'],
  mv: ['from', 'to'],
  link: ['from', 'to'],
  symlink: ['target', 'path'],
  chmod: ['path', 'mode'],
  utimes: ['path', 'modified', 'accessed'],
  lutimes: ['path', 'modified', 'accessed'],
};

const TEXTS = new Set(['path', 'from', 'to', 'target']);
const FLAGS = new Set(['recursive', 'force']);

type Kind = 'text' | 'flag' | 'bytes' | 'number';

function kindOf(field: string): Kind {
  if (TEXTS.has(field)) return 'text';
  if (FLAGS.has(field)) return 'flag';
  return field === 'content' ? 'bytes' : 'number';
}

const SHAPES = Object.entries(FIELDS).map(([op, fields], number) => ({
  op,
  number,
  fields: fields.map((name) => ({ name, kind: kindOf(name) })),
}));
const shapes = new Map(SHAPES.map((shape) => [shape.op, shape]));

/** Reads and writes the frame at `offset`, a multiple of eight. Both ends use it. */
export class CallFrame {
  readonly #slots: Float64Array;
  readonly #units: Uint16Array;
  readonly #bytes: Uint8Array;

  constructor(shared: SharedArrayBuffer, offset: number) {
    this.#slots = new Float64Array(shared, offset, SLOTS);
    this.#units = new Uint16Array(shared, offset + SLOTS * 8, ROOM / 2);
    this.#bytes = new Uint8Array(shared, offset + SLOTS * 8, ROOM);
  }

  /** False if the call does not fit. */
  write(call: NodeFsCall): boolean {
    const shape = shapes.get(call.op);
    if (!shape) return false;
    const given: Readonly<Record<string, unknown>> = call;
    this.#slots[0] = shape.number;
    let at = 0;
    let slot = 1;
    for (const { name } of shape.fields) {
      const value = given[name];
      if (typeof value === 'string') {
        if (at + value.length * 2 > ROOM) return false;
        for (let n = 0; n < value.length; n++) this.#units[at / 2 + n] = value.charCodeAt(n);
        at += value.length * 2;
        this.#slots[slot++] = value.length;
      } else if (value instanceof Uint8Array) {
        if (at + value.byteLength > ROOM) return false;
        this.#bytes.set(value, at);
        this.#slots[slot++] = value.byteLength;
      } else this.#slots[slot++] = Number(value);
    }
    return true;
  }

  /**
   * Returns the call in the frame. Only the types of its fields are checked. Undefined if there is no call.
   */
  read(): Record<string, unknown> | undefined {
    const shape = SHAPES[this.#slots[0] ?? -1];
    if (!shape) return undefined;
    const call: Record<string, unknown> = { op: shape.op };
    let at = 0;
    let slot = 1;
    for (const { name, kind } of shape.fields) {
      const number = this.#slots[slot++] ?? 0;
      if (kind === 'number') call[name] = number;
      else if (kind === 'flag') call[name] = number !== 0;
      else {
        const end = at + (kind === 'text' ? number * 2 : number);
        if (!Number.isInteger(number) || number < 0 || end > ROOM) return undefined;
        call[name] = kind === 'text' ? this.#text(at / 2, end / 2) : this.#bytes.slice(at, end);
        at = end;
      }
    }
    return call;
  }

  #text(from: number, end: number): string {
    let text = '';
    for (let at = from; at < end; at++) text += String.fromCharCode(this.#units[at] ?? 0);
    return text;
  }
}
