import { needFunction } from '../builtins/internal/errors.ts';
import type { EventLoop } from '../loop/loop.ts';
import { pathOf } from './arguments.ts';
import type { FsCore } from './core.ts';
import { checkOptions } from './copy/options.ts';
import { cp, cpSync } from './cp.ts';
import { Dir } from './dir.ts';
import { globbed, type GlobFiles } from './glob.ts';
import type { InputReads } from './input-reads.ts';
import type { LaterCalls, Operation } from './later-calls.ts';
import type { Picomatch } from '../patterns/main.ts';

/** The functions of `node:fs` and `node:fs/promises` so far. Each table lists them in the order of its module. */
export interface FsFunctions {
  readonly core: FsCore;
  readonly loop: EventLoop;
  readonly calls: LaterCalls;
  readonly sync: Record<string, unknown>;
  readonly callbacks: Record<string, unknown>;
  readonly promises: Record<string, unknown>;
}

const customPromisify = Symbol.for('nodejs.util.promisify.custom');

export function named<T extends object>(name: string, operation: T): T {
  return Object.defineProperty(operation, 'name', { value: name, configurable: true });
}

/** Adds the three forms of every operation of the core. */
export function addOperations({ core, calls, sync, callbacks, promises }: FsFunctions): void {
  const {
    absolute: _absolute,
    bytesOf: _bytesOf,
    check: _check,
    addPending: _addPending,
    runPending: _runPending,
    exists,
    nativeRealpath,
    entriesOf: _entries,
    lookAt: _look,
    isInput: _isInput,
    hasInputLeft: _hasInputLeft,
    takeInput: _takeInput,
    ...operations
  } = core;
  sync.existsSync = named('existsSync', exists);
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    sync[`${name}Sync`] = named(`${name}Sync`, operation);
    callbacks[name] = named(name, calls.withCallback(operation));
    if (!/^f|^(?:close|read|readv|write|writev|open)$/.test(name))
      promises[name] = named(name, calls.promised(operation));
  }

  // Only the synchronous forms have the option not to throw.
  for (const name of ['stat', 'lstat'] as const) {
    const operation = named(name, (path: unknown, options?: { readonly bigint?: boolean }) =>
      core[name](path, { bigint: options?.bigint }),
    );
    callbacks[name] = named(name, calls.withCallback(operation));
    promises[name] = named(name, calls.promised(operation));
  }

  const native = named('native', nativeRealpath);
  Object.assign(operations.realpath, { native });
  callbacks.realpath = Object.assign(named('realpath', calls.withCallback(operations.realpath)), {
    native: calls.withCallback(native),
  });
  promises.realpath = named('realpath', calls.promised(native));
}

/** Adds the forms with callbacks that also return the buffers that they used, and `exists`, which has no error. */
export function addUnusualCallbacks(functions: FsFunctions, inputReads: InputReads): void {
  const { core, loop, calls, callbacks } = functions;
  for (const name of ['read', 'readv', 'write', 'writev'] as const) {
    const part = name.startsWith('read') ? 'bytesRead' : 'bytesWritten';
    const field = name.endsWith('v') ? 'buffers' : 'buffer';
    const usual = calls.withCallback(
      core[name],
      ([, data]) => [data],
      ([, data]) => [0, data],
    );
    const call = name === 'read' ? inputReads.before(usual) : usual;
    callbacks[name] = Object.defineProperty(named(name, call), customPromisify, {
      value: (...args: unknown[]) =>
        new Promise((resolve, reject) =>
          call(...args, (error: Error | null, count: unknown, data: unknown) => {
            if (error) reject(error);
            else resolve({ [part]: count, [field]: data });
          }),
        ),
    });
  }
  const existsCallback = (path: unknown, callback: unknown) => {
    needFunction(callback, 'cb');
    loop.addOnce(() => callback(core.exists(path)));
  };
  callbacks.exists = Object.defineProperty(named('exists', existsCallback), customPromisify, {
    value: named('exists', (path: unknown) => calls.later(() => core.exists(path))),
  });
}

export function addCopying({ core, loop, calls, sync, callbacks, promises }: FsFunctions): void {
  sync.cpSync = named('cpSync', (from: unknown, to: unknown, options?: object) =>
    cpSync(core, from, to, options),
  );
  promises.cp = named('cp', (from: unknown, to: unknown, options?: object) =>
    calls.later(() => cp(core, from, to, options)).then(),
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
}

/** Adds `opendir` and `glob`. */
export function addFolders(functions: FsFunctions, patterns: () => Picomatch): void {
  const { core, loop, calls, sync, callbacks, promises } = functions;
  const opendir = (path: unknown, options?: object) => new Dir(core, loop, path, options);
  // Unlike the synchronous form, this one names the path that it could not open.
  const opendirLater = (path: unknown, options?: object) => new Dir(core, loop, path, options, true);
  sync.opendirSync = named('opendirSync', opendir);
  callbacks.opendir = named('opendir', calls.withCallback(opendirLater));
  promises.opendir = named('opendir', calls.promised(opendirLater));

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
    absolute: core.absolute,
    patterns,
  };
  const glob = (pattern: unknown, options?: object) => globbed(files, pattern, options);
  sync.globSync = named('globSync', glob);
  callbacks.glob = named('glob', calls.withCallback(glob));
  promises.glob = async function* (pattern: unknown, options?: object) {
    yield* await calls.later(() => glob(pattern, options));
  };
}
