import { Buffer } from 'node:buffer';
import realFs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { CallFailed } from '../../shared/shared-answer.ts';
import type { FileOutcome, NodeFsCall } from '../../shared/wire.ts';
import type { LoadBuiltin } from '../builtins/builtin.ts';
import type { CallsLink } from './calls.ts';
import { makeCore, type FsCore } from './core.ts';
import { LaterCalls, type Operation } from './later-calls.ts';

const FILE = '/nowhere-at-all';
const modules: Readonly<Record<string, unknown>> = { buffer: { Buffer } };
const load = ((name: string) => modules[name]) as LoadBuiltin;

let sent: NodeFsCall[];
let answers: Partial<Record<NodeFsCall['op'], unknown>>;
let events: (() => void)[];
let core: FsCore;
let calls: LaterCalls;
/** Lists the calls that went to the kernel together. */
let together: NodeFsCall['op'][][];

function files(call: NodeFsCall): unknown {
  sent.push(call);
  if (call.op in answers) return answers[call.op];
  if (call.op === 'look') return undefined;
  throw new CallFailed('ENOENT', 'nothing there');
}

function severalFiles(given: readonly NodeFsCall[]): FileOutcome[] {
  together.push(given.map(({ op }) => op));
  return given.map((call): FileOutcome => {
    try {
      return { value: files(call) };
    } catch (error) {
      const { code, message } = error as CallFailed;
      return { failed: { code, message } };
    }
  });
}

/** Runs the events that are there now, and returns how many there were. */
function turn(): number {
  const now = events.splice(0);
  for (const run of now) run();
  return now.length;
}

/** Makes the operations for a kernel that carries out several calls so. */
function prepare(several: CallsLink['severalFiles']): void {
  core = makeCore({
    link: { files, severalFiles: several, readInput: () => undefined, print: () => {}, append: () => {} },
    load,
    cwd: () => '/work',
    umask: () => 0o022,
  });
  // The module names its functions so, and the order of checks depends on these names.
  for (const [name, operation] of Object.entries(core))
    Object.defineProperty(operation, 'name', { value: `${name}Sync`, configurable: true });
  const loop = {
    added: 0,
    addOnce(run: () => void) {
      loop.added++;
      events.push(run);
    },
  };
  calls = new LaterCalls(core, loop, load);
}

beforeEach(() => {
  together = [];
  sent = [];
  answers = {};
  events = [];
  prepare(severalFiles);
});

const formOf = (name: keyof FsCore) => calls.withCallback(core[name] as Operation);

function errorOf(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    const { name, message, code } = error as NodeJS.ErrnoException;
    return { name, message, code };
  }
}

describe('errors that are thrown at once, compared with the fs of this Node', () => {
  const done = () => {};
  it.each([
    ['no callback', 'readFile', [FILE]],
    ['a wrong path before a callback', 'stat', [5, done]],
    ['a missing callback before a wrong path', 'mkdir', [5]],
    ['a wrong descriptor to close', 'close', ['x']],
    ['a wrong buffer', 'read', [5, 'x', 0, 1, 0, done]],
    ['an encoding that does not exist', 'readFile', [FILE, 'none', done]],
  ] as const)('for %s', (_what, name, args) => {
    const ours = errorOf(() => formOf(name)(...args));
    expect(ours).toHaveProperty('code');
    expect(ours).toEqual(errorOf(() => Reflect.apply(realFs[name] as Operation, realFs, args)));
    expect(sent).toEqual([]);
    expect(events).toEqual([]);
  });
});

describe('callbacks', () => {
  it('come as an event of their own, with the result', () => {
    answers.readlink = '/goal';
    const results: unknown[][] = [];
    formOf('readlink')(FILE, (...values: unknown[]) => results.push(values));
    expect(sent).toEqual([]);
    expect(turn()).toBe(1);
    expect(results).toEqual([[null, '/goal']]);
  });

  it('get only null where there is no result', () => {
    answers.unlink = undefined;
    const results: unknown[][] = [];
    formOf('unlink')(FILE, (...values: unknown[]) => results.push(values));
    turn();
    expect(results).toEqual([[null]]);
  });

  it('get the error of a call that failed', () => {
    const results: unknown[] = [];
    formOf('readlink')(FILE, (error: unknown) => results.push(error));
    turn();
    expect(results).toMatchObject([{ code: 'ENOENT', syscall: 'readlink', path: FILE }]);
  });

  it('come later after an operation of several steps', () => {
    answers = { unlink: undefined, read: new Uint8Array() };
    const order: string[] = [];
    formOf('readFile')(FILE, () => order.push('readFile'));
    formOf('unlink')(FILE, () => order.push('unlink'));
    while (turn() > 0);
    expect(order).toEqual(['unlink', 'readFile']);
  });

  it('may be left out of close, whose error then is thrown', () => {
    formOf('close')(5);
    expect(turn).toThrow(expect.objectContaining({ code: 'EBADF', syscall: 'close' }));
  });
});

it('reads into a buffer of its own where the program gives none', () => {
  answers = { open: 7, readAt: new TextEncoder().encode('text') };
  const fd = core.open(FILE, 'r');
  const results: unknown[][] = [];
  const read = calls.withCallback(core.read as Operation, ([, data]) => [data]);
  read(fd, (...values: unknown[]) => results.push(values));
  turn();
  expect(results).toMatchObject([[null, 4, { byteLength: 16384 }]]);
});

it('rejects a promise with the error of the operation, as an event of its own', async () => {
  const promise = calls.promised(core.readlink as Operation)(5);
  expect(turn()).toBe(1);
  await expect(promise).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
});

describe('operations whose events follow each other', () => {
  const toldTo =
    (results: unknown[][]) =>
    (...values: unknown[]) =>
      results.push(values);

  it('are sent together at the first of these events, and answered at their own', () => {
    answers = { unlink: undefined, mkdir: 1 };
    const order: unknown[][] = [];
    formOf('unlink')('a', toldTo(order));
    formOf('open')('b', 'r', toldTo(order));
    void calls.promised(core.mkdir as Operation)('c');
    expect(sent).toEqual([]);
    events.shift()?.();
    expect(together).toEqual([['unlink', 'open', 'mkdir']]);
    expect(order).toEqual([[null]]);
    turn();
    expect(order).toMatchObject([[null], [{ code: 'ENOENT', syscall: 'open', path: 'b' }]]);
    expect(sent.map(({ op }) => op)).toEqual(['unlink', 'open', 'mkdir']);
  });

  it('are sent alone where another event comes between them', () => {
    answers.unlink = undefined;
    formOf('unlink')('a', () => {});
    formOf('readlink')('b', () => {});
    formOf('unlink')('c', () => {});
    turn();
    expect(together).toEqual([]);
    expect(sent.map(({ op }) => op)).toEqual(['unlink', 'readlink', 'unlink']);
  });

  it('on one open file go one after the other, each from where the one before ended', () => {
    answers = { open: 7, writeAt: undefined, close: undefined, unlink: undefined };
    const fd = core.open('a', 'w');
    sent = [];
    for (const text of ['one', 'four']) formOf('write')(fd, text, () => {});
    formOf('close')(fd, () => {});
    turn();
    expect(together).toEqual([]);
    expect(sent).toMatchObject([
      { op: 'writeAt', handle: 7, position: 0 },
      { op: 'writeAt', handle: 7, position: 3 },
      { op: 'close', handle: 7 },
    ]);
  });

  it('that write leave the end of the file to writes before their own event', () => {
    answers = { open: 7, writeAt: undefined, unlink: undefined };
    const fd = core.open('a', 'w');
    sent = [];
    formOf('unlink')('b', () => core.write(fd, 'now'));
    formOf('write')(fd, 'later', () => {});
    turn();
    core.write(fd, 'last');
    expect(together).toEqual([['unlink', 'writeAt']]);
    expect(
      sent.flatMap((call) => (call.op === 'writeAt' ? [[call.position, call.content.byteLength]] : [])),
    ).toEqual([
      [0, 5],
      [5, 3],
      [8, 4],
    ]);
  });

  it('fail each by itself where the kernel could carry out none of them', () => {
    prepare(() => {
      throw new CallFailed('EIO', 'the contents could not be fetched');
    });
    answers.unlink = undefined;
    const order: unknown[][] = [];
    formOf('unlink')('a', toldTo(order));
    formOf('open')('b', 'r', toldTo(order));
    turn();
    expect(order).toMatchObject([[null], [{ code: 'ENOENT', path: 'b' }]]);
  });

  it('are as many at once as fit', () => {
    answers = { open: 7, writeAt: undefined, unlink: undefined };
    for (let n = 0; n < 100; n++) formOf('unlink')(`f${n}`, () => {});
    turn();
    expect(together.map((each) => each.length)).toEqual([64, 36]);
    together = [];
    for (let handle = 10; handle < 13; handle++) {
      answers.open = handle;
      formOf('write')(core.open('a', 'w'), new Uint8Array(400 * 1024), () => {});
    }
    turn();
    expect(together.map((each) => each.length)).toEqual([2]);
  });
});
