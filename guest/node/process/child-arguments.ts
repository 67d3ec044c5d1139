import type { LoadBuiltin } from '../builtins/builtin.ts';
import {
  argTypeError,
  argValueError,
  needFunction,
  needObject,
  needString,
  nodeError,
  outOfRange,
} from '../builtins/internal/errors.ts';
import { inspect } from '../builtins/internal/inspect.ts';
import { isSignal, signalNumbered } from '../../shared/signals.ts';
import type { ProcessSignal } from '../../shared/protocol.ts';

type Options = Record<string, unknown>;

/** A program to start, with arguments and options that passed node's checks. */
export interface Checked {
  readonly file: string;
  readonly args: readonly string[];
  /** Own properties only, even if the program has changed `Object.prototype`. */
  readonly options: Options;
}

const own = (options: unknown): Options =>
  Object.assign(Object.create(null) as Options, options as object | null | undefined);

function needNoNul(value: unknown, name: string, isPath = false): void {
  if (typeof value === 'string' && value.includes('\0'))
    throw argValueError(
      name,
      value,
      `must be a string${isPath ? ', Uint8Array, or URL' : ''} without null bytes`,
    );
}

function needNoNuls(values: readonly unknown[], name: string): void {
  values.forEach((value, at) => needNoNul(value, `${name}[${at}]`));
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** Checks the limits of a program. `waited`: the caller is one of the `…Sync` functions. */
export function checkLimits({ timeout, maxBuffer, killSignal }: Options, waited: boolean): void {
  if (timeout !== undefined && timeout !== null && !(Number.isInteger(timeout) && Number(timeout) >= 0))
    throw outOfRange('timeout', 'an unsigned integer', timeout);
  if (waited && maxBuffer !== undefined && maxBuffer !== null && !(isNumber(maxBuffer) && maxBuffer >= 0))
    throw outOfRange('options.maxBuffer', 'a positive number', maxBuffer);
  if (typeof killSignal === 'string' || isNumber(killSignal)) signalOf(killSignal);
  else if (killSignal !== undefined && killSignal !== null)
    throw argTypeError('options.killSignal', ['string', 'number'], killSignal);
}

export function signalOf(signal: unknown): ProcessSignal {
  const name = isNumber(signal) ? signalNumbered(signal) : String(signal ?? 'SIGTERM').toUpperCase();
  if (isSignal(name)) return name;
  throw nodeError('ERR_UNKNOWN_SIGNAL', `Unknown signal: ${String(signal)}`, TypeError);
}

function pathOf(load: LoadBuiltin, value: unknown, name: string): string {
  const path: unknown =
    value instanceof URL
      ? load('url').fileURLToPath(value)
      : value instanceof Uint8Array
        ? new TextDecoder().decode(value)
        : value;
  if (typeof path !== 'string') throw argTypeError(name, ['string', 'Buffer', 'URL'], value);
  needNoNul(path, name, true);
  return path;
}

/** Checks the arguments of `spawn` and `spawnSync`. */
export function checkedStart(
  load: LoadBuiltin,
  file: unknown,
  given: unknown,
  more: unknown,
  user: { readonly uid: number; readonly gid: number },
): Checked {
  needString(file, 'file');
  needNoNul(file, 'file');
  if (file === '') throw argValueError('file', file, 'cannot be empty');
  if (given !== undefined && given !== null && typeof given !== 'object')
    throw argTypeError('args', 'object', given);
  const isList = Array.isArray(given);
  const args = isList ? given.map(String) : [];
  const asked = isList || given === undefined || given === null ? more : given;
  needNoNuls(args, 'args');
  if (asked !== undefined) needObject(asked, 'options');
  const options = own(asked);
  const { argv0, shell, env, signal } = options;
  if (options.cwd !== undefined && options.cwd !== null)
    options.cwd = pathOf(load, options.cwd, 'options.cwd');
  for (const name of ['detached', 'windowsHide', 'windowsVerbatimArguments'])
    if (options[name] !== undefined && options[name] !== null && typeof options[name] !== 'boolean')
      throw argTypeError(`options.${name}`, 'boolean', options[name]);
  for (const name of ['uid', 'gid'] as const) {
    const id = options[name];
    if (id === undefined || id === null) continue;
    if (!isNumber(id) || id !== Math.trunc(id) || Math.abs(id) >= 2 ** 31)
      throw argTypeError(`options.${name}`, 'int32', id);
    if (id !== user[name])
      throw Object.assign(new Error('spawn EPERM'), { errno: -1, code: 'EPERM', syscall: 'spawn' });
  }
  if (shell !== undefined && shell !== null && typeof shell !== 'boolean' && typeof shell !== 'string')
    throw argTypeError('options.shell', ['boolean', 'string'], shell);
  if (argv0 !== undefined && argv0 !== null) needString(argv0, 'options.argv0');
  needNoNul(argv0, 'options.argv0');
  needNoNul(shell, 'options.shell');
  for (const [name, value] of Object.entries(env ?? {}))
    for (const text of [name, value]) needNoNul(text, `options.env['${name}']`);
  if (signal !== undefined && (typeof signal !== 'object' || signal === null || !('aborted' in signal)))
    throw argTypeError('options.signal', 'AbortSignal', signal);
  checkStdio(options.stdio);
  if (!shell) return { file, args, options };
  const command = [file, ...args].join(' ');
  return { file: typeof shell === 'string' ? shell : '/bin/sh', args: ['-c', command], options };
}

const WORDS: readonly unknown[] = ['pipe', 'ignore', 'inherit', 'overlapped'];

function checkStdio(stdio: unknown): void {
  if (stdio === undefined || stdio === null || WORDS.includes(stdio)) return;
  if (!Array.isArray(stdio)) throw argValueError('stdio', stdio);
  if (stdio.filter((each) => each === 'ipc').length > 1)
    throw nodeError('ERR_IPC_ONE_PIPE', 'Child process can have only one IPC pipe');
  for (const each of stdio)
    if (typeof each === 'string' && each !== 'ipc' && !WORDS.includes(each))
      throw nodeError(
        'ERR_INVALID_SYNC_FORK_INPUT',
        `Asynchronous forks do not support Buffer, TypedArray, DataView or string input: ${inspect(each)}`,
        TypeError,
      );
}

type Done = (error: Error | null, stdout: unknown, stderr: unknown) => void;

/** Checks the arguments of `execFile`, of which all but the file are optional. */
export function checkedExecFile(file: unknown, rest: readonly unknown[]) {
  let [args, options, done] = rest;
  if (!Array.isArray(args) && typeof args === 'object' && args !== null) {
    [options, done] = [args, options];
    args = undefined;
  } else if (typeof args === 'function') {
    done = args;
    args = options = undefined;
  }
  if (typeof options === 'function') {
    done = options;
    options = undefined;
  } else if (options !== undefined && options !== null) needObject(options, 'options');
  if (done !== undefined && done !== null) needFunction(done, 'callback');
  const given: Options = Object.assign(
    own({ encoding: 'utf8', maxBuffer: 1024 * 1024, killSignal: 'SIGTERM' }),
    options,
  );
  checkLimits(given, true);
  return { file, args: args ?? [], options: given, done: (done ?? undefined) as Done | undefined };
}

/** Checks the arguments of `exec` and `execSync`. `options` may also be the callback. */
export function checkedCommand(command: unknown, options: unknown) {
  needString(command, 'command');
  needNoNul(command, 'command');
  const given = own(typeof options === 'function' ? undefined : options);
  given.shell = typeof given.shell === 'string' ? given.shell : true;
  return { command, options: given };
}

/** Checks the arguments of `fork` and returns the arguments for `node`. */
export function checkedFork(
  load: LoadBuiltin,
  path: unknown,
  list: unknown,
  more: unknown,
  process: NodeJS.Process,
): Checked {
  const file = pathOf(load, path, 'modulePath');
  if (typeof list === 'object' && list !== null && !Array.isArray(list)) {
    more = list;
    list = [];
  } else if (list !== undefined && list !== null && !Array.isArray(list))
    throw argTypeError('args', 'Array', list);
  if (more !== undefined && more !== null) needObject(more, 'options');
  const options = own(more);
  options.shell = false;
  checkLimits(options, false);
  needNoNul(options.execPath, 'options.execPath');
  const execArgv = (options.execArgv ?? process.execArgv) as string[];
  needNoNuls(execArgv, 'options.execArgv');
  const { stdio = options.silent ? 'pipe' : 'inherit' } = options;
  if (!Array.isArray(stdio) && !WORDS.includes(stdio)) throw argValueError('stdio', stdio);
  options.stdio = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio, 'ipc'];
  if (!(options.stdio as unknown[]).includes('ipc'))
    throw nodeError(
      'ERR_CHILD_PROCESS_IPC_REQUIRED',
      "Forked processes must have an IPC channel, missing value 'ipc' in options.stdio",
    );
  const args = [...execArgv, file, ...((list ?? []) as unknown[]).map(String)];
  return { file: (options.execPath as string | undefined) || process.execPath, args, options };
}
