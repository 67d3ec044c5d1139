import { Buffer } from 'node:buffer';
import realFs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { CallFailed } from '../../shared/shared-answer.ts';
import type { NodeFsCall } from '../../shared/wire.ts';
import type { LoadBuiltin } from '../builtins/builtin.ts';
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

function files(call: NodeFsCall): unknown {
  sent.push(call);
  if (call.op in answers) return answers[call.op];
  if (call.op === 'look') return undefined;
  throw new CallFailed('ENOENT', 'nothing there');
}

/** Runs the events that are there now, and returns how many there were. */
function turn(): number {
  const now = events.splice(0);
  for (const run of now) run();
  return now.length;
}

beforeEach(() => {
  sent = [];
  answers = {};
  events = [];
  core = makeCore({
    link: { files, readInput: () => undefined, print: () => {} },
    load,
    cwd: () => '/work',
    umask: () => 0o022,
  });
  // The module names its functions so, and the order of checks depends on these names.
  for (const [name, operation] of Object.entries(core))
    Object.defineProperty(operation, 'name', { value: `${name}Sync`, configurable: true });
  calls = new LaterCalls(core, { addOnce: (run) => void events.push(run) }, load);
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
