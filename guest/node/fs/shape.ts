import type { NodeStat } from '../wire.ts';

const FORMATS = { file: 0o100000, directory: 0o040000, symlink: 0o120000, device: 0o020000 } as const;
const FORMAT = 0o170000;
const OWNER = 1000;
const BLOCK = 4096;

class StatsBase {
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

function numbersOf({ type, mode, size, modified, inode }: NodeStat) {
  return {
    dev: 1,
    mode: FORMATS[type] | (mode & 0o7777),
    nlink: type === 'directory' ? 2 : 1,
    uid: OWNER,
    gid: OWNER,
    rdev: 0,
    blksize: BLOCK,
    ino: inode,
    size: type === 'directory' ? BLOCK : size,
    blocks: type === 'directory' ? 8 : Math.ceil(size / 512),
    atimeMs: modified,
    mtimeMs: modified,
    ctimeMs: modified,
    birthtimeMs: modified,
  };
}

export class Stats extends StatsBase {
  constructor(stat: NodeStat) {
    super();
    Object.assign(this, numbersOf(stat));
  }
}

export class BigIntStats extends StatsBase {
  constructor(stat: NodeStat) {
    super();
    const numbers = Object.entries(numbersOf(stat)).map(([name, value]) => [name, BigInt(Math.trunc(value))]);
    const nanos = BigInt(Math.round(stat.modified * 1000)) * 1000n;
    Object.assign(this, Object.fromEntries(numbers), {
      atimeNs: nanos,
      mtimeNs: nanos,
      ctimeNs: nanos,
      birthtimeNs: nanos,
    });
  }
}

// Made when they are asked for; no list of members has them, before or after.
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

export class Dirent {
  name: string | Uint8Array;
  parentPath: string;
  path: string;
  readonly #type: NodeStat['type'];
  constructor(name: string | Uint8Array, parentPath: string, type: NodeStat['type']) {
    this.name = name;
    this.parentPath = parentPath;
    this.path = parentPath;
    this.#type = type;
    Object.defineProperty(this, 'path', { enumerable: false });
  }
  isDirectory(): boolean {
    return this.#type === 'directory';
  }
  isFile(): boolean {
    return this.#type === 'file';
  }
  isSymbolicLink(): boolean {
    return this.#type === 'symlink';
  }
  isCharacterDevice(): boolean {
    return this.#type === 'device';
  }
  isBlockDevice(): boolean {
    return false;
  }
  isFIFO(): boolean {
    return false;
  }
  isSocket(): boolean {
    return false;
  }
}
