import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WASI as NodeWasi } from 'node:wasi';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LoadBuiltin } from '../builtin.ts';
import { makeWasi } from './wasi.ts';

// Calls what programs import, with the same arguments in the WASI of this Node and in ours, and compares the answers.

const load = ((name: string) => (name === 'fs' ? fs : undefined)) as LoadBuiltin;
const { WASI } = makeWasi({ process: { emitWarning: () => undefined } }, load);

// The library prints what it refuses, except in a build for production.
vi.spyOn(console, 'warn').mockReturnValue();

const folder = fs.mkdtempSync(path.join(tmpdir(), 'vitrine-wasi-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

beforeEach(() => {
  for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name), { recursive: true });
  fs.writeFileSync(path.join(folder, 'text'), 'first line\nsecond line\n');
  fs.mkdirSync(path.join(folder, 'deep/inner'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'deep/inner/leaf'), 'leaf');
  fs.symlinkSync('../text', path.join(folder, 'deep/link'));
  fs.symlinkSync('nowhere', path.join(folder, 'deep/broken'));
});

const PREOPENED = 3;
const NO_FILE = 999;
/** To read, write, seek, tell, allocate, and to read and set size and times. */
const FILE_RIGHTS = 0b1110_0000_0000_0000_0001_0110_0111n;
const FOLLOWS = 1;
const CREATES = 1;
const IS_FOLDER = 2;
const TRUNCATES = 8;

type NumberImports = Record<string, (...args: unknown[]) => number>;

/** A program of WASI in JavaScript: its memory, and its imports with texts in place of addresses. */
class Program {
  readonly memory = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true });
  readonly #imports: NumberImports;
  #at = 8;

  constructor(Class: typeof NodeWasi, env: Record<string, string> = {}) {
    const options = { version: 'preview1', args: ['a', 'bé'], env, preopens: { '/sand': folder } } as const;
    const wasi = new Class(options);
    wasi.initialize({ exports: { memory: this.memory } });
    this.#imports = wasi.wasiImport as NumberImports;
  }

  call(name: string, ...args: readonly (number | bigint | string)[]): number {
    const flat = args.flatMap((each) => (typeof each === 'string' ? this.text(each) : [each]));
    return this.#imports[name]?.(...flat) ?? -1;
  }

  room(bytes: number): number {
    const at = this.#at;
    this.#at += Math.ceil(bytes / 8) * 8;
    return at;
  }

  text(text: string): [at: number, bytes: number] {
    const bytes = new TextEncoder().encode(text);
    const at = this.room(bytes.byteLength);
    new Uint8Array(this.memory.buffer).set(bytes, at);
    return [at, bytes.byteLength];
  }

  number(at: number): number {
    return new DataView(this.memory.buffer).getUint32(at, true);
  }

  textAt(at: number, bytes: number): string {
    return new TextDecoder().decode(new Uint8Array(this.memory.buffer).slice(at, at + bytes));
  }

  /** Opens a path with all rights that the folder gives. */
  open(name: string, how = 0): [errno: number, fd: number] {
    const [fd, about] = [this.room(4), this.room(24)];
    this.call('fd_fdstat_get', PREOPENED, about);
    const view = new DataView(this.memory.buffer);
    const rights = view.getBigUint64(about + 16, true);
    const base = how & IS_FOLDER ? view.getBigUint64(about + 8, true) : FILE_RIGHTS;
    const errno = this.call('path_open', PREOPENED, FOLLOWS, name, how, base, rights, 0, fd);
    return [errno, errno === 0 ? this.number(fd) : NO_FILE];
  }

  read(fd: number, bytes: number): [errno: number, text: string] {
    const [vector, target, used] = [this.room(8), this.room(bytes), this.room(4)];
    new Uint32Array(this.memory.buffer, vector, 2).set([target, bytes]);
    const errno = this.call('fd_read', fd, vector, 1, used);
    return [errno, this.textAt(target, this.number(used))];
  }

  write(fd: number, text: string): [errno: number, bytes: number] {
    const [vector, used] = [this.room(8), this.room(4)];
    new Uint32Array(this.memory.buffer, vector, 2).set(this.text(text));
    const errno = this.call('fd_write', fd, vector, 1, used);
    return [errno, this.number(used)];
  }

  stat(name: string, flags = FOLLOWS) {
    const at = this.room(64);
    const errno = this.call('path_filestat_get', PREOPENED, flags, name, at);
    const view = new DataView(this.memory.buffer, at, 64);
    const numbers = [8, 24, 32, 48, 56].map((offset) => view.getBigUint64(offset, true));
    // Milliseconds are what our files know.
    return [
      errno,
      view.getUint8(16),
      ...numbers.slice(0, 3),
      ...numbers.slice(3).map((ns) => ns / 1_000_000n),
    ];
  }

  names(fd: number, bytes: number): [errno: number, entries: [name: string, type: number][]] {
    const [buffer, used] = [this.room(bytes), this.room(4)];
    const names: [name: string, type: number][] = [];
    for (let cookie = 0n; ;) {
      const errno = this.call('fd_readdir', fd, buffer, bytes, cookie, used);
      const end = this.number(used);
      const view = new DataView(this.memory.buffer, buffer, bytes);
      for (let at = 0; at + 24 <= end;) {
        const length = view.getUint32(at + 16, true);
        if (at + 24 + length > end) break;
        cookie = view.getBigUint64(at, true);
        names.push([this.textAt(buffer + at + 24, length), view.getUint8(at + 20)]);
        at += 24 + length;
      }
      if (errno !== 0 || end < bytes) return [errno, names];
    }
  }
}

/** Runs the same in both, each on the same files. */
function both<Result>(run: (program: Program) => Result): [ours: Result, nodes: Result] {
  return [run(new Program(WASI as typeof NodeWasi)), run(new Program(NodeWasi))];
}

function same(run: (program: Program) => unknown): void {
  const [ours, nodes] = both(run);
  expect(ours).toEqual(nodes);
}

describe('answers as in node', () => {
  it('arguments, variables and the folder that is there', () =>
    same((program) => {
      const [count, size, argv, bytes] = [8, 8, 64, 64].map((each) => program.room(each)) as [
        number,
        number,
        number,
        number,
      ];
      const sizes = program.call('args_sizes_get', count, size);
      const args = program.call('args_get', argv, bytes);
      const at = program.room(8);
      const prestat = program.call('fd_prestat_get', PREOPENED, at);
      const name = program.room(8);
      const named = program.call('fd_prestat_dir_name', PREOPENED, name, 5);
      const none = program.call('fd_prestat_get', PREOPENED + 1, at);
      return [
        [
          sizes,
          program.number(count),
          program.number(size),
          args,
          program.textAt(bytes, program.number(size)),
        ],
        [prestat, program.number(at + 4), named, program.textAt(name, 5), none],
      ];
    }));

  it('reading, also through a symlink to another folder', () =>
    same((program) => {
      const [opened, fd] = program.open('text');
      const [through, other] = program.open('deep/link');
      const moved = program.room(8);
      return [
        ...[opened, program.read(fd, 5), program.read(fd, 100), program.read(fd, 5)],
        ...[program.call('fd_seek', fd, -5n, 2, moved), program.number(moved), program.read(fd, 3)],
        ...[through, program.read(other, 100), program.call('fd_close', fd), program.read(fd, 1)[0]],
      ];
    }));

  it('writing', () =>
    same((program) => {
      const [made, fd] = program.open('new', CREATES | TRUNCATES);
      const written = [program.write(fd, 'some text'), program.write(fd, ', more')];
      const size = program.call('fd_filestat_set_size', fd, 8n);
      program.call('fd_close', fd);
      return [made, written, size, fs.readFileSync(path.join(folder, 'new'), 'utf8')];
    }));

  it.each(['text', 'deep', 'deep/link', 'deep/broken', 'nothing', 'text/below', 'deep/inner/leaf'])(
    'the status of %s',
    (name) => same((program) => [program.stat(name), program.stat(name, 0)]),
  );

  it('listing folders', () =>
    same((program) => {
      const [errno, fd] = program.open('deep', IS_FOLDER);
      const [listed, names] = program.names(fd, 4096);
      return [errno, listed, names.filter(([name]) => !/^\.\.?$/.test(name)).sort()];
    }));

  it('where a symlink leads', () =>
    same((program) => {
      const [target, used] = [program.room(64), program.room(4)];
      const link = program.call('path_readlink', PREOPENED, 'deep/link', target, 64, used);
      const plain = program.call('path_readlink', PREOPENED, 'text', target, 64, used);
      return [link, program.textAt(target, 7), plain];
    }));

  it('folders, names and links that are made and removed', () =>
    same((program) => {
      const answers = [
        program.call('path_create_directory', PREOPENED, 'made'),
        program.call('path_create_directory', PREOPENED, 'made'),
        program.call('path_rename', PREOPENED, 'text', PREOPENED, 'made/moved'),
        program.call('path_symlink', 'moved', PREOPENED, 'made/link'),
        program.call('path_unlink_file', PREOPENED, 'nothing'),
        program.call('path_remove_directory', PREOPENED, 'made'),
        program.call('path_unlink_file', PREOPENED, 'made/link'),
        program.call('path_rename', PREOPENED, 'made/moved', PREOPENED, 'text'),
        program.call('path_remove_directory', PREOPENED, 'made'),
      ];
      return [answers, fs.readdirSync(folder).sort()];
    }));

  it('a file that is no folder, and one that is not there', () =>
    same((program) => [
      program.open('text', IS_FOLDER)[0],
      program.open('nothing')[0],
      program.call('fd_close', 77),
    ]));
});

describe('what the library alone does otherwise', () => {
  it('waits until a time, and says for what', () => {
    const program = new Program(WASI as typeof NodeWasi);
    const [from, to, used] = [program.room(48), program.room(32), program.room(4)];
    const view = new DataView(program.memory.buffer);
    view.setBigUint64(from, 7n, true);
    view.setUint32(from + 16, 1, true);
    view.setBigUint64(from + 24, 2_000_000n, true);
    const began = performance.now();
    expect(program.call('poll_oneoff', from, to, 1, used)).toBe(0);
    expect(performance.now() - began).toBeGreaterThan(1.5);
    expect([program.number(used), view.getBigUint64(to, true), view.getUint16(to + 8, true)]).toEqual([
      1,
      7n,
      0,
    ]);
  });

  it('fills shared memory with random bytes', () => {
    const program = new Program(WASI as typeof NodeWasi);
    const at = program.room(64);
    expect(program.call('random_get', at, 64)).toBe(0);
    expect(new Uint8Array(program.memory.buffer, at, 64).some((byte) => byte !== 0)).toBe(true);
  });

  it('has one clock for all threads, which the memory of another may have outgrown', () => {
    const program = new Program(WASI as typeof NodeWasi);
    program.memory.grow(1);
    const at = 65_536 + 8;
    expect(program.call('clock_time_get', 1, 0n, at)).toBe(0);
    const time = new DataView(program.memory.buffer).getBigUint64(at, true);
    expect(Math.abs(Number(time / 1_000_000n) - Date.now())).toBeLessThan(60_000);
  });
});

describe('refuses as node does', () => {
  it.each([
    ['no version', {}],
    ['another version', { version: 'preview2' }],
    ['arguments that are text', { version: 'preview1', args: 'x' }],
    ['variables that are a number', { version: 'preview1', env: 5 }],
    ['a stream below zero', { version: 'preview1', stdin: -1 }],
    ['an exit that is text', { version: 'preview1', returnOnExit: 'yes' }],
  ])('%s', (_what, options) => {
    const errorOf = (Class: unknown) => {
      try {
        Reflect.construct(Class as typeof NodeWasi, [options]);
        return undefined;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        return { code, message };
      }
    };
    expect(errorOf(WASI)).toEqual(errorOf(NodeWasi));
  });

  it('a second start', () => {
    const start = (Class: typeof NodeWasi) => {
      const wasi = new Class({ version: 'preview1' });
      const instance = { exports: { memory: new WebAssembly.Memory({ initial: 1 }) } };
      wasi.initialize(instance);
      wasi.initialize(instance);
    };
    expect(() => start(WASI as typeof NodeWasi)).toThrow(
      expect.objectContaining({ code: 'ERR_WASI_ALREADY_STARTED' }),
    );
  });
});
