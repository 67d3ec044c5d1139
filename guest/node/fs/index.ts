import { argTypeError, needFunction, nodeError } from '../builtins/internal/errors.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { EventLoop } from '../loop/loop.ts';
import { optionsOf, pathOf, timeOf } from './arguments.ts';
import { constants } from './constants.ts';
import { makeCore, type CoreOptions } from './core.ts';
import { checkOptions, cp, cpSync } from './cp.ts';
import { Dir } from './dir.ts';
import { globbed, type GlobFiles } from './glob.ts';
import { isIterable, makeFileHandle, type FileHandle as AnyHandle } from './file-handle.ts';
import { Dirent, Stats } from './shape.ts';
import { makeFileStreams } from './streams.ts';
import { makeWatching } from './watch.ts';
import type { Picomatch } from '../patterns/main.ts';

type Operation = (...args: never[]) => unknown;
type Callback = (error: unknown, ...values: unknown[]) => void;

export interface FsOptions extends CoreOptions {
  readonly link: KernelLink;
  readonly loop: EventLoop;
  /** Loads picomatch, which is fetched on first use. */
  readonly patterns: () => Picomatch;
}

const customPromisify = Symbol.for('nodejs.util.promisify.custom');

/** Makes `node:fs` and `node:fs/promises` for one process. */
export function makeFs({ loop, patterns, ...rest }: FsOptions) {
  const { link, load } = rest;
  const core = makeCore(rest);
  const watching = makeWatching(core, load, loop, link);
  let madeStreams: ReturnType<typeof makeFileStreams> | undefined;
  const isHandle = (value: unknown): value is AnyHandle => value instanceof FileHandle;
  const streams = () => (madeStreams ??= makeFileStreams(fs, isHandle, load, loop));

  /** Runs a function as an event of its own. */
  const later = <T>(run: () => T): Promise<T> =>
    new Promise((resolve, reject) =>
      loop.addOnce(() => {
        try {
          resolve(run());
        } catch (error) {
          reject(error as Error);
        }
      }),
    );

  /** Makes the form that takes a callback as its last argument. Errors in the arguments themselves are thrown at once. */
  const withCallback =
    (
      operation: Operation,
      more: (args: unknown[]) => unknown[] = () => [],
      whenFailed: (args: unknown[]) => unknown[] = () => [],
    ) =>
    (...given: unknown[]) => {
      let callback = given.at(-1);
      let args = given.slice(0, -1);
      if (typeof callback !== 'function') {
        if (BY_NUMBER.test(operation.name))
          core.check(() => Reflect.apply(operation, core, given) as unknown);
        // The last argument is no callback, so the callback is missing.
        if (operation.name !== 'closeSync' || given[1] !== undefined)
          throw argTypeError('cb', 'Function', undefined);
        callback = thrown;
        args = given;
      }
      if (operation.name === 'readSync') fillRead(args);
      core.check(() => Reflect.apply(operation, core, args) as unknown);
      loop.addOnce(() => {
        let value: unknown;
        try {
          value = Reflect.apply(operation, core, args);
        } catch (error) {
          if (error instanceof TypeError || error instanceof RangeError) throw error;
          return (callback as Callback)(error, ...whenFailed(args));
        }
        const values = value === undefined ? [] : [value];
        const tell = () => (callback as Callback)(null, ...values, ...more(args));
        if (SEVERAL_STEPS.has(operation.name)) hop(2, tell);
        else tell();
      });
    };

  /** Fills in the buffer of `read`, which can also be given in the options or be left out. */
  const fillRead = (args: unknown[]): void => {
    const { Buffer } = load('buffer');
    const [, given] = args;
    if (ArrayBuffer.isView(given) || (given !== undefined && typeof given !== 'object')) return;
    const { buffer = Buffer.alloc(16384), ...part } = (given ?? {}) as { buffer?: unknown };
    args.splice(1, 1, buffer, part);
  };

  /** Runs a function after `steps` events: operations that take node several steps must finish after those that take one. */
  const hop = (steps: number, run: () => void): void =>
    loop.addOnce(() => (steps > 1 ? hop(steps - 1, run) : run()));

  const promised =
    (operation: Operation) =>
    (...args: unknown[]): Promise<unknown> =>
      later(() => Reflect.apply(operation, core, args) as unknown);

  const {
    absolute,
    bytesOf: _bytesOf,
    check: _check,
    exists,
    nativeRealpath,
    entriesOf: _entries,
    lookAt: _look,
    ...operations
  } = core;
  const sync: Record<string, unknown> = { existsSync: named('existsSync', exists) };
  const callbacks: Record<string, unknown> = {};
  const promises: Record<string, unknown> = {};
  for (const [name, operation] of Object.entries(operations) as [string, Operation][]) {
    sync[`${name}Sync`] = named(`${name}Sync`, operation);
    callbacks[name] = named(name, withCallback(operation));
    if (!/^f|^(?:close|read|readv|write|writev|open)$/.test(name))
      promises[name] = named(name, promised(operation));
  }

  // Only the synchronous forms have the option not to throw.
  for (const name of ['stat', 'lstat'] as const) {
    const operation = named(name, (path: unknown, options?: { readonly bigint?: boolean }) =>
      core[name](path, { bigint: options?.bigint }),
    );
    callbacks[name] = named(name, withCallback(operation));
    promises[name] = named(name, promised(operation));
  }

  // These also return the buffers that they used.
  for (const name of ['read', 'readv', 'write', 'writev'] as const) {
    const part = name.startsWith('read') ? 'bytesRead' : 'bytesWritten';
    const field = name.endsWith('v') ? 'buffers' : 'buffer';
    const operation = core[name] as Operation;
    const call = withCallback(
      operation,
      ([, data]) => [data],
      ([, data]) => [0, data],
    );
    callbacks[name] = Object.defineProperty(named(name, call), customPromisify, {
      value: (...args: unknown[]) =>
        new Promise((resolve, reject) =>
          call(...args, (error: unknown, count: unknown, data: unknown) => {
            if (error) reject(error as Error);
            else resolve({ [part]: count, [field]: data });
          }),
        ),
    });
  }
  const existsCallback = (path: unknown, callback: unknown) => {
    needFunction(callback, 'cb');
    loop.addOnce(() => callback(exists(path)));
  };
  callbacks.exists = Object.defineProperty(named('exists', existsCallback), customPromisify, {
    value: named('exists', (path: unknown) => later(() => exists(path))),
  });

  const native = named('native', nativeRealpath);
  Object.assign(sync.realpathSync as object, { native });
  Object.assign(callbacks.realpath as object, { native: withCallback(native) });
  promises.realpath = named('realpath', promised(native));

  sync.cpSync = named('cpSync', (from: unknown, to: unknown, options?: object) =>
    cpSync(core, from, to, options),
  );
  promises.cp = named('cp', (from: unknown, to: unknown, options?: object) =>
    later(() => cp(core, from, to, options)).then(),
  );
  callbacks.cp = named('cp', (from: unknown, to: unknown, ...more: unknown[]) => {
    const callback = more.at(-1);
    needFunction(callback, 'cb');
    const options = more.length > 1 && more[0] !== undefined ? more[0] : {};
    checkOptions(options);
    pathOf(from, 'src');
    pathOf(to, 'dest');
    const handle = loop.handle();
    const end = (error: unknown) =>
      loop.add(() => {
        handle.release();
        callback(error);
      });
    cp(core, from, to, options).then(() => end(null), end);
  });

  const opendir = (path: unknown, options?: object) => new Dir(core, loop, path, options);
  // Unlike the synchronous form, this one names the path that it could not open.
  const opendirLater = (path: unknown, options?: object) => new Dir(core, loop, path, options, true);
  sync.opendirSync = named('opendirSync', opendir);
  callbacks.opendir = named('opendir', withCallback(opendirLater as Operation));
  promises.opendir = named('opendir', promised(opendirLater as Operation));

  const files: GlobFiles = {
    list(folder, shown) {
      try {
        return core.entriesOf(folder, shown);
      } catch {
        return [];
      }
    },
    exists: (path) => core.lookAt(path, 'lookLink') !== undefined,
    isFolder: (path) => core.lookAt(path)?.type === 'directory',
    absolute,
    patterns,
  };
  const glob = (pattern: unknown, options?: object) => globbed(files, pattern, options);
  sync.globSync = named('globSync', glob);
  callbacks.glob = named('glob', withCallback(glob as Operation));
  promises.glob = async function* (pattern: unknown, options?: object) {
    yield* await later(() => glob(pattern, options));
  };

  const FileHandle = makeFileHandle(core, load, later, streams);
  promises.open = async (path: unknown, flags?: unknown, mode?: unknown) =>
    new FileHandle(await later(() => core.open(path, flags, mode)));
  for (const name of ['readFile', 'writeFile', 'appendFile'] as const)
    promises[name] = named(name, async (file: unknown, ...args: unknown[]) => {
      if (file instanceof FileHandle) return Reflect.apply(file[name], file, args) as unknown;
      pathOf(file);
      const [data, options] = args;
      if (name !== 'writeFile' || !isIterable(data))
        return later(() => Reflect.apply(core[name] as Operation, core, [file, ...args]) as unknown);
      // The data are pieces, which are written one after the other.
      const { flag, mode } = optionsOf(options);
      const handle = new FileHandle(await later(() => core.open(file, flag || 'w', mode)));
      return handle.writeFile(data, options).finally(() => handle.close());
    });

  promises.truncate = named('truncate', async (path: unknown, length?: unknown) => {
    pathOf(path);
    return later(() => core.truncate(path, length));
  });
  promises.lchmod = named('lchmod', async () => {
    throw nodeError('ERR_METHOD_NOT_IMPLEMENTED', 'The lchmod() method is not implemented');
  });
  promises.watch = watching.watchPromises;
  promises.constants = constants;

  const fs = {
    ...callbacks,
    ...sync,
    constants,
    F_OK: 0,
    R_OK: 4,
    W_OK: 2,
    X_OK: 1,
    Stats,
    Dirent,
    Dir,
    // These are functions, not arrows or methods, because programs call them with `new`.
    createReadStream: function createReadStream(path: unknown, options?: unknown) {
      return new (streams().ReadStream)(path, options);
    },
    createWriteStream: function createWriteStream(path: unknown, options?: unknown) {
      return new (streams().WriteStream)(path, options);
    },
    watch: watching.watch,
    watchFile: watching.watchFile,
    unwatchFile: watching.unwatchFile,
    _toUnixTimestamp: (time: unknown) => timeOf(time) / 1000,
  };
  for (const name of ['ReadStream', 'WriteStream'] as const)
    for (const alias of [name, `File${name}`])
      Object.defineProperty(fs, alias, {
        get: () => streams()[name],
        set: (value: never) => void (streams()[name] = value),
        enumerable: true,
        configurable: true,
      });
  Object.defineProperty(fs, 'promises', { get: () => promises, enumerable: true, configurable: true });
  return { fs, promises, core, changed: watching.changed };
}

/** Operations that check their first argument before the callback. */
const BY_NUMBER = /^(?:f(?!s)|close|truncate)/;

function thrown(error: unknown): void {
  if (error) throw error as Error;
}

/** Operations that open a file, use it and close it, which takes node several steps. */
const SEVERAL_STEPS = new Set([
  'readFileSync',
  'writeFileSync',
  'appendFileSync',
  'readFile',
  'writeFile',
  'appendFile',
  'copyFile',
  'rm',
  'cp',
]);

function named<T extends object>(name: string, operation: T): T {
  return Object.defineProperty(operation, 'name', { value: name, configurable: true });
}
