import { Buffer } from 'node:buffer';
import realFs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { CallFailed } from '../../shared/shared-answer.ts';
import { BLOCKED, type NodeFsCall } from '../../shared/wire.ts';
import type { LoadBuiltin } from '../builtins/builtin.ts';
import { makeCore, type FsCore } from './core.ts';

const NOWHERE = '/nowhere-at-all';
const OPENED = { read: 1, write: 2, create: 4, truncate: 16, append: 32 };

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

let calls: NodeFsCall[];
let printed: [fd: number, text: string][];
/** The core sent these bytes to the ends of open files without waiting for an answer. */
let appended: [handle: number, text: string][];
let answers: Partial<Record<NodeFsCall['op'], unknown>>;
let mask: number;
let core: FsCore;

/** Answers what a test prepared. Every other call fails, as on a path where nothing is. */
function files(call: NodeFsCall): unknown {
  calls.push(call);
  if (call.op in answers) return answers[call.op];
  if (call.op === 'look' || call.op === 'lookLink') return undefined;
  throw new CallFailed('ENOENT', 'nothing there');
}

const warnings: string[] = [];
const modules: Readonly<Record<string, unknown>> = {
  buffer: { Buffer },
  process: { emitWarning: (_text: string, _type: string, code: string) => warnings.push(code) },
};

beforeEach(() => {
  calls = [];
  printed = [];
  appended = [];
  answers = {};
  mask = 0o022;
  core = makeCore({
    link: {
      files,
      severalFiles: () => [],
      append: (handle, bytes) => void appended.push([handle, textOf(bytes)]),
      readInput: () => new TextEncoder().encode('typed'),
      print: (fd, bytes) => void printed.push([fd, textOf(bytes)]),
    },
    load: ((name: string) => modules[name]) as LoadBuiltin,
    cwd: () => '/work',
    umask: () => mask,
  });
});

function outcomeOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    const { name, message, code, syscall, path, dest, errno } = error as NodeJS.ErrnoException & {
      dest?: string;
    };
    return { name, message, code, syscall, path, dest, errno };
  }
}

type Call = readonly [name: string, ...args: unknown[]];

const WRONG: readonly Call[] = [
  ['open', 5.5],
  ['open', 'a\0b'],
  ['open', {}],
  ['open', new URL('http://host/x')],
  ['open', NOWHERE, 'zz'],
  ['open', NOWHERE, 2 ** 40],
  ['open', NOWHERE, 'r', '9'],
  ['open', NOWHERE, 'r', -1],
  ['open', NOWHERE, 'r', {}],
  ['access', NOWHERE, 'x'],
  ['access', NOWHERE, 99],
  ['readFile', NOWHERE, 'zz'],
  ['readFile', NOWHERE, 5],
  ['readFile', NOWHERE, { encoding: 'nope' }],
  ['readFile', NOWHERE, { signal: 1 }],
  ['writeFile', NOWHERE, 5],
  ['writeFile', NOWHERE, 'text', { mode: 'x' }],
  ['close', -1],
  ['close', '1'],
  ['close', 1.5],
  ['close', 9999],
  ['read', 9999, new Uint8Array(4)],
  ['read', 0, 'no buffer'],
  ['read', 0, new Uint8Array(4), 0, 5],
  ['read', 0, new Uint8Array(4), -1, 2],
  ['read', 0, new Uint8Array(4), 0, 4, 'x'],
  ['write', 1, new Uint8Array(4), 5],
  ['write', 1, new Uint8Array(4), 0, 5],
  ['write', 1, {}],
  ['readv', 0, 'x'],
  ['writev', 1, [1]],
  ['chmod', NOWHERE, '9'],
  ['chmod', NOWHERE],
  ['fchmod', 1, -1],
  ['chown', NOWHERE, 'x', 1],
  ['chown', NOWHERE, 1, -2],
  ['utimes', NOWHERE, 'a', 1],
  ['utimes', NOWHERE, 1, {}],
  ['futimes', 1, {}, 1],
  ['mkdir', NOWHERE, 'x'],
  ['mkdir', 5],
  ['mkdtemp', {}],
  ['ftruncate', 1, 1.5],
  ['rename', 5, NOWHERE],
  ['rename', NOWHERE, 5],
  ['copyFile', NOWHERE, 5],
  ['copyFile', NOWHERE, NOWHERE, 9],
  ['link', 5, NOWHERE],
  ['symlink', NOWHERE, `${NOWHERE}/a`, 'x'],
  ['rm', NOWHERE, { force: 1 }],
  ['rm', NOWHERE, { recursive: 'x' }],
  ['rm', NOWHERE, { retryDelay: -1 }],
];

const MISSING: readonly Call[] = [
  ['open', NOWHERE],
  ['readFile', NOWHERE],
  ['readFile', ''],
  ['access', NOWHERE],
  ['stat', NOWHERE],
  ['lstat', NOWHERE],
  ['stat', NOWHERE, { throwIfNoEntry: false }],
  ['exists', NOWHERE],
  ['exists', 5],
  ['readdir', NOWHERE],
  ['readlink', NOWHERE],
  ['rmdir', NOWHERE],
  ['rm', NOWHERE],
  ['rm', NOWHERE, { force: true }],
  ['unlink', NOWHERE],
  ['rename', NOWHERE, `${NOWHERE}-2`],
  ['copyFile', NOWHERE, `${NOWHERE}-2`],
  ['link', NOWHERE, `${NOWHERE}-2`],
  ['symlink', '', NOWHERE],
  ['chmod', NOWHERE, 0o600],
  ['utimes', NOWHERE, 1, 1],
  ['realpath', NOWHERE],
];

describe('errors, compared with the fs of this Node', () => {
  const both = ([name, ...args]: Call) => ({
    ours: outcomeOf(() => Reflect.apply(core[name as keyof FsCore], undefined, args) as unknown),
    real: outcomeOf(
      () => Reflect.apply(realFs[`${name}Sync` as 'openSync'], realFs, args as [string]) as unknown,
    ),
  });

  it.each(WRONG.map((call) => ({ call })))('refuses the arguments of $call', ({ call }) => {
    const { ours, real } = both(call);
    expect(ours).toHaveProperty('code');
    expect(ours).toEqual(real);
  });

  it.each(MISSING.map((call) => ({ call })))('finds nothing with $call', ({ call }) => {
    const { ours, real } = both(call);
    expect(ours).toEqual(real);
  });
});

it('names the option of mkdir that is wrong, as Node 22 does', () => {
  expect(() => core.mkdir('/f', { mode: 'x' })).toThrow(
    "The property 'options.mode' must be a 32-bit unsigned integer or an octal string. Received 'x'",
  );
});

describe('paths', () => {
  it.each([
    ['a relative text', 'a/../b', '/work/b'],
    ['an absolute text', '/x/y', '/x/y'],
    ['bytes', Buffer.from('/x/ü'), '/x/ü'],
    ['a file URL', new URL('file:///x/a%20b'), '/x/a b'],
  ])('takes %s', (_what, given, path) => {
    answers.read = new Uint8Array();
    core.readFile(given);
    expect(calls).toEqual([{ op: 'read', path }]);
  });

  it('needs a directory where a slash ends the path', () => {
    answers.look = { type: 'file' };
    expect(outcomeOf(() => core.readFile('/x/'))).toMatchObject({ code: 'ENOTDIR', syscall: 'open' });
  });
});

describe('what costs one call', () => {
  it('is a look at what is not there', () => {
    expect(outcomeOf(() => core.lstat('/f'))).toMatchObject({ code: 'ENOENT', syscall: 'lstat', path: '/f' });
    expect(core.exists('/f')).toBe(false);
    expect(calls).toHaveLength(2);
  });

  it('is a look behind a file', () => {
    const behind = `${import.meta.filename}/x`;
    answers.look = answers.lookLink = BLOCKED;
    for (const op of ['stat', 'lstat'] as const)
      expect(outcomeOf(() => core[op](behind))).toEqual(outcomeOf(() => realFs[`${op}Sync`](behind)));
    expect(core.exists(behind)).toBe(false);
    expect(calls).toHaveLength(3);
  });

  it('is a folder with those above it', () => {
    const made = (path: string, count: number) => {
      answers.mkdir = count;
      return core.mkdir(path, { recursive: true });
    };
    expect(made('/a/b/c', 0)).toBeUndefined();
    expect(made('/a/b/c', 1)).toBe('/a/b/c');
    expect(made('/a//b/c/', 3)).toBe('/a');
    expect(made('a/b', 2)).toBe('a');
    expect(calls.map(({ op }) => op)).toEqual(['mkdir', 'mkdir', 'mkdir', 'mkdir']);
  });
});

describe('open files', () => {
  beforeEach(() => {
    answers = { open: 7, close: undefined, writeAt: 0, readAt: new Uint8Array([1, 2, 3]) };
  });

  it('converts flags and takes the mask from the mode', () => {
    mask = 0o077;
    core.open('/f', 'a+', 0o666);
    core.open('/f', realFs.constants.O_RDWR | realFs.constants.O_CREAT, '600');
    const { read, write, create, append } = OPENED;
    expect(calls).toEqual([
      { op: 'open', path: '/f', flags: read | write | create | append, mode: 0o600 },
      { op: 'open', path: '/f', flags: read | write | create, mode: 0o600 },
    ]);
  });

  it('gives the lowest free number', () => {
    expect([core.open('/a'), core.open('/b')]).toEqual([3, 4]);
    core.close(3);
    expect(core.open('/c')).toBe(3);
  });

  it('goes on where the last operation ended, and not from a given position', () => {
    const fd = core.open('/a', 'r+');
    const target = new Uint8Array(3);
    core.read(fd, target);
    core.read(fd, target, 0, 3, 100);
    core.write(fd, 'hello');
    expect(calls.slice(1)).toEqual([
      { op: 'readAt', handle: 7, position: 0, length: 3 },
      { op: 'readAt', handle: 7, position: 100, length: 3 },
      { op: 'writeAt', handle: 7, position: 3, content: Buffer.from('hello') },
    ]);
  });

  it('appends, whatever the position', () => {
    const fd = core.open('/a', 'a');
    core.write(fd, 'x', 0);
    expect(calls.at(-1)).toMatchObject({ op: 'writeAt', position: -1 });
  });

  it('reads and prints the standard streams', () => {
    const target = new Uint8Array(3);
    expect([core.read(0, target), textOf(target)]).toEqual([3, 'typ']);
    expect([core.read(0, target), textOf(target.subarray(0, 2))]).toEqual([2, 'ed']);
    core.write(1, 'out');
    core.writeFile('/dev/stderr', 'err');
    expect(printed).toEqual([
      [1, 'out'],
      [2, 'err'],
    ]);
  });
});

describe('contents', () => {
  it('decodes as the encoding says', () => {
    answers.read = Buffer.from('ü');
    expect(core.readFile('/f', 'utf8')).toBe('ü');
    expect(core.readFile('/f', { encoding: 'hex' })).toBe('c3bc');
    expect(core.readFile('/f')).toEqual(Buffer.from('ü'));
  });

  it('writes a whole file with one call, and with a mode opens it', () => {
    Object.assign(answers, { write: undefined, open: 7, writeAt: 0, close: undefined });
    core.writeFile('/f', 'text');
    core.writeFile('/f', 'text', { mode: 0o600 });
    expect(calls.map(({ op }) => op)).toEqual(['write', 'open', 'writeAt', 'close']);
  });

  it('adds to the end of a file without waiting once this has worked', () => {
    Object.assign(answers, { open: 7, writeAt: 0 });
    const fd = core.open('/log', 'a');
    core.check(() => core.write(fd, 'only checked'));
    core.write(fd, 'first');
    core.check(() => core.write(fd, 'only checked'));
    expect(core.write(fd, 'second')).toBe(6);
    expect(core.writev(fd, [Buffer.from('third'), Buffer.from('fourth')])).toBe(11);
    expect(appended).toEqual([
      [7, 'second'],
      [7, 'third'],
      [7, 'fourth'],
    ]);
    core.write(fd, Buffer.alloc(100_000));
    expect(calls.map((call) => ('content' in call ? call.content.byteLength : call.op))).toEqual([
      'open',
      5,
      100_000,
    ]);
  });

  it('waits for each piece of a file that is not written at its end alone', () => {
    Object.assign(answers, { open: 7, writeAt: 0 });
    const fd = core.open('/f', 'w');
    for (const piece of ['a', 'b', 'c']) core.write(fd, piece);
    expect(calls.filter(({ op }) => op === 'writeAt')).toHaveLength(3);
    expect(appended).toEqual([]);
  });

  it('warns once of a descriptor for truncate', () => {
    Object.assign(answers, { open: 7, truncate: undefined });
    const fd = core.open('/f', 'r+');
    core.truncate(fd, 1);
    core.truncate(fd, 2);
    expect(warnings).toEqual(['DEP0081']);
  });
});

describe('a dry run', () => {
  it('throws wrong arguments and sends no call', () => {
    expect(() => core.check(() => core.open(5))).toThrow(TypeError);
    core.check(() => core.open('/f', 'w'));
    core.check(() => core.writeFile('/f', 'text'));
    core.check(() => core.exists('/f'));
    core.check(() => core.close(9999));
    expect(calls).toEqual([]);
  });
});
