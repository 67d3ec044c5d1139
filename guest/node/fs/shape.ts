import type { NodeStat } from '../../shared/wire.ts';

const FORMATS = { file: 0o100000, directory: 0o040000, symlink: 0o120000, device: 0o020000 } as const;
const FORMAT = 0o170000;
const OWNER = 1000;
const BLOCK = 4096;

class StatsBase {
  declare readonly ino: number | bigint;
  declare readonly mode: number | bigint;
  declare readonly atime: Date;
  declare readonly mtime: Date;
  #is(type: keyof typeof FORMATS): boolean {
    return (Number(this.mode) & FORMAT) === FORMATS[type];
  }
  isDirectory(): boolean {
    return this.#is('directory');
  }
  isFile(): boolean {
    return this.#is('file');
  }
  isBlockDevice(): boolean {
    return false;
  }
  isCharacterDevice(): boolean {
    return this.#is('device');
  }
  isSymbolicLink(): boolean {
    return this.#is('symlink');
  }
  isFIFO(): boolean {
    return false;
  }
  isSocket(): boolean {
    return false;
  }
}

function numbersOf({ type, mode, size, modified, inode, names, accessed, changed, born }: NodeStat) {
  return {
    dev: 1,
    mode: FORMATS[type] | (mode & 0o7777),
    nlink: names,
    uid: OWNER,
    gid: OWNER,
    rdev: 0,
    blksize: BLOCK,
    ino: inode,
    size: type === 'directory' ? BLOCK : size,
    blocks: type === 'directory' ? 8 : Math.ceil(size / 512),
    atimeMs: accessed,
    mtimeMs: modified,
    ctimeMs: changed,
    birthtimeMs: born,
  };
}

export class Stats extends StatsBase {
  declare readonly mtimeMs: number;
  declare readonly size: number;
  declare readonly ino: number;
  constructor(stat: NodeStat) {
    super();
    Object.assign(this, numbersOf(stat));
  }
}

class BigIntStats extends StatsBase {
  constructor(stat: NodeStat) {
    super();
    const numbers = Object.entries(numbersOf(stat)).map(([name, value]) => [name, BigInt(Math.trunc(value))]);
    const nanos = (ms: number) => BigInt(Math.round(ms * 1000)) * 1000n;
    Object.assign(this, Object.fromEntries(numbers), {
      atimeNs: nanos(stat.accessed),
      mtimeNs: nanos(stat.modified),
      ctimeNs: nanos(stat.changed),
      birthtimeNs: nanos(stat.born),
    });
  }
}

function wantsBigInts(options: unknown): boolean {
  return typeof options === 'object' && options !== null && 'bigint' in options && Boolean(options.bigint);
}

export function statsOf(stat: NodeStat, options: unknown): Stats | BigIntStats {
  return wantsBigInts(options) ? new BigIntStats(stat) : new Stats(stat);
}

// As in node, the dates are created on first use, and are never enumerable.
for (const name of ['atime', 'mtime', 'ctime', 'birthtime'])
  Object.defineProperty(StatsBase.prototype, name, {
    configurable: true,
    enumerable: true,
    get(this: Record<string, unknown>) {
      const value = new Date(Number(this[`${name}Ms`]));
      Object.defineProperty(this, name, { value, writable: true, enumerable: false, configurable: true });
      return value;
    },
    set(this: object, value: unknown) {
      Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
    },
  });

class StatFs {
  constructor(figures: Readonly<Record<string, number | bigint>>) {
    Object.assign(this, figures);
  }
}

/** Makes the answer of `statfs` for a file system of `total` bytes. */
export function statFsOf(total: number, used: number, options: unknown): StatFs {
  const free = Math.floor((total - used) / BLOCK);
  const figures = {
    type: 61267,
    bsize: BLOCK,
    blocks: Math.floor(total / BLOCK),
    bfree: free,
    bavail: free,
    files: 0,
    ffree: 0,
  };
  if (!wantsBigInts(options)) return new StatFs(figures);
  return new StatFs(
    Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, BigInt(value)])),
  );
}

const TYPES = { file: 1, directory: 2, symlink: 3, device: 6 } as const;
const TYPE = Symbol('type');

export class Dirent {
  name: string | Uint8Array;
  parentPath: string;
  path: string;
  [TYPE]: number;
  /** `type` is one of the `UV_DIRENT_*` constants. */
  constructor(name: string | Uint8Array, type: number, path: string) {
    this.name = name;
    this.parentPath = path;
    this.path = path;
    this[TYPE] = type;
  }
  isDirectory(): boolean {
    return this[TYPE] === TYPES.directory;
  }
  isFile(): boolean {
    return this[TYPE] === TYPES.file;
  }
  isSymbolicLink(): boolean {
    return this[TYPE] === TYPES.symlink;
  }
  isCharacterDevice(): boolean {
    return this[TYPE] === TYPES.device;
  }
  isBlockDevice(): boolean {
    return this[TYPE] === 7;
  }
  isFIFO(): boolean {
    return this[TYPE] === 4;
  }
  isSocket(): boolean {
    return this[TYPE] === 5;
  }
}

export function direntOf(name: string | Uint8Array, parent: string, type: NodeStat['type']): Dirent {
  return new Dirent(name, TYPES[type], parent);
}
