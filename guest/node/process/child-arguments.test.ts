import real from 'node:child_process';
import url from 'node:url';
import { describe, expect, it } from 'vitest';
import type { LoadBuiltin } from '../builtins/builtin.ts';
import { checkedCommand, checkedExecFile, checkedFork, checkedStart, signalOf } from './child-arguments.ts';

const load = ((name: string) => (name === 'url' ? url : undefined)) as LoadBuiltin;
const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const NOTHING = '/nowhere-at-all';

function errorOf(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    const { name, message, code } = error as NodeJS.ErrnoException;
    return { name, message, code };
  }
}

const apply = (run: (...args: never[]) => unknown, args: readonly unknown[]) => () =>
  Reflect.apply(run, undefined, args);

describe('errors, compared with the child_process of this Node', () => {
  it.each([
    ['no file'],
    ['an empty file', ''],
    ['a file with a null byte', 'a\0b'],
    ['a number', 5],
    ['arguments that are text', NOTHING, 'x'],
    ['an argument with a null byte', NOTHING, ['a', 'b\0']],
    ['options that are text', NOTHING, [], 'x'],
    ['options that are null', NOTHING, [], null],
    ['a folder that is a number', NOTHING, [], { cwd: 5 }],
    ['a folder with a null byte', NOTHING, [], { cwd: 'a\0' }],
    ['detached that is a number', NOTHING, [], { detached: 1 }],
    ['a user that is text', NOTHING, [], { uid: 'x' }],
    ['a group with a fraction', NOTHING, [], { gid: 1.5 }],
    ['a shell that is a number', NOTHING, [], { shell: 5 }],
    ['argv0 that is a number', NOTHING, [], { argv0: 5 }],
    ['a variable with a null byte', NOTHING, [], { env: { A: 'x\0' } }],
    ['a signal that is none', NOTHING, [], { signal: 5 }],
    ['stdio of an unknown kind', NOTHING, [], { stdio: 'x' }],
    ['two channels', NOTHING, [], { stdio: ['ipc', 'ipc'] }],
  ])('spawn refuses %s', (_what, ...args) => {
    const [file, given, more] = args as unknown[];
    const ours = errorOf(() => checkedStart(load, file, given, more, user));
    expect(ours).toHaveProperty('code');
    expect(ours).toEqual(errorOf(apply(real.spawn, args)));
  });

  it.each([
    ['a callback that is text', NOTHING, [], {}, 'x'],
    ['a time limit below zero', NOTHING, [], { timeout: -1 }],
    ['a buffer limit that is text', NOTHING, [], { maxBuffer: 'x' }],
    ['a signal that does not exist', NOTHING, [], { killSignal: 'SIGNOPE' }],
    ['a signal of the wrong type', NOTHING, [], { killSignal: {} }],
  ])('execFile refuses %s', (_what, ...args) => {
    const [file, ...rest] = args as unknown[];
    const ours = errorOf(() => checkedExecFile(file, rest));
    expect(ours).toHaveProperty('code');
    expect(ours).toEqual(errorOf(apply(real.execFile, args)));
  });

  it.each([['nothing'], ['a number', 5], ['a null byte', 'a\0b']])(
    'exec refuses %s as a command',
    (_what, ...args) => {
      const ours = errorOf(() => checkedCommand((args as unknown[])[0], undefined));
      expect(ours).toHaveProperty('code');
      expect(ours).toEqual(errorOf(apply(real.exec, args)));
    },
  );

  it.each([
    ['no module'],
    ['a module that is a number', 5],
    ['arguments that are text', NOTHING, 'x'],
    ['options that are text', NOTHING, [], 'x'],
    ['stdio of an unknown kind', NOTHING, [], { stdio: 'x' }],
    ['stdio without a channel', NOTHING, [], { stdio: ['pipe', 'pipe', 'pipe'] }],
  ])('fork refuses %s', (_what, ...args) => {
    const [path, list, more] = args as unknown[];
    const ours = errorOf(() => checkedFork(load, path, list, more, process));
    expect(ours).toHaveProperty('code');
    expect(ours).toEqual(errorOf(apply(real.fork, args)));
  });
});

describe('arguments', () => {
  it('takes options in place of the arguments', () => {
    expect(checkedStart(load, 'ls', { detached: true }, undefined, user)).toMatchObject({
      file: 'ls',
      args: [],
      options: { detached: true },
    });
  });

  it('makes text of the arguments, and one command for a shell', () => {
    const { file, args } = checkedStart(load, 'echo', [1, 'a b'], { shell: true }, user);
    expect([file, args]).toEqual(['/bin/sh', ['-c', 'echo 1 a b']]);
    expect(checkedStart(load, 'x', [], { shell: '/bin/bash' }, user).file).toBe('/bin/bash');
  });

  it('takes the folder as a URL', () => {
    const { options } = checkedStart(load, 'ls', [], { cwd: new URL('file:///a%20b') }, user);
    expect(options.cwd).toBe('/a b');
  });

  it('reads own options only', () => {
    const options = Object.create({ shell: true }) as object;
    expect(checkedStart(load, 'ls', [], options, user).file).toBe('ls');
  });

  it('finds the callback of execFile wherever it stands', () => {
    const done = () => {};
    for (const rest of [[done], [[], done], [{}, done], [[], {}, done], [undefined, undefined, done]])
      expect(checkedExecFile('ls', rest).done).toBe(done);
    expect(checkedExecFile('ls', []).options).toEqual({
      encoding: 'utf8',
      maxBuffer: 1024 * 1024,
      killSignal: 'SIGTERM',
    });
  });

  it('gives fork the arguments of node and a channel', () => {
    const { file, args, options } = checkedFork(load, 'm.js', [1], { execArgv: ['-x'] }, process);
    expect([file, args]).toEqual([process.execPath, ['-x', 'm.js', '1']]);
    expect(options.stdio).toEqual(['inherit', 'inherit', 'inherit', 'ipc']);
    const silent = checkedFork(load, 'm.js', undefined, { silent: true }, process);
    expect(silent.options.stdio).toEqual(['pipe', 'pipe', 'pipe', 'ipc']);
  });

  it('reads signals by name and number', () => {
    expect([signalOf('sigint'), signalOf(9), signalOf(undefined)]).toEqual(['SIGINT', 'SIGKILL', 'SIGTERM']);
    expect(() => signalOf('SIGNOPE')).toThrow('Unknown signal: SIGNOPE');
  });
});
