import type { KernelLink } from '../kernel/link.ts';
import type { EventLoop } from '../loop/loop.ts';
import { timeOf } from './arguments.ts';
import { constants } from './constants.ts';
import { makeCore, type CoreOptions } from './core.ts';
import { Dir } from './dir.ts';
import { makeFileHandle, type FileHandle as AnyHandle } from './file-handle.ts';
import { addCopying, addFolders, addOperations, addUnusualCallbacks, type FsFunctions } from './functions.ts';
import { InputReads, type PassInput } from './input-reads.ts';
import { LaterCalls } from './later-calls.ts';
import { addPromiseFiles } from './promise-files.ts';
import { Dirent, Stats } from './shape.ts';
import { makeFileStreams } from './streams.ts';
import { makeWatching } from './watch.ts';
import type { Picomatch } from '../patterns/main.ts';

export interface FsOptions extends CoreOptions {
  readonly link: KernelLink;
  readonly loop: EventLoop;
  /** Loads picomatch, which is fetched on first use. */
  readonly patterns: () => Picomatch;
  /** Gives the next piece of standard input, once there is one. */
  readonly input: PassInput;
}

/** Makes `node:fs` and `node:fs/promises` for one process. */
export function makeFs({ loop, patterns, input, ...rest }: FsOptions) {
  const { link, load } = rest;
  const core = makeCore(rest);
  const watching = makeWatching(core, load, loop, link);
  const calls = new LaterCalls(core, loop, load);
  const functions: FsFunctions = { core, loop, calls, sync: {}, callbacks: {}, promises: {} };
  const { sync, callbacks, promises } = functions;
  let madeStreams: ReturnType<typeof makeFileStreams> | undefined;
  const isHandle = (value: unknown): value is AnyHandle => value instanceof FileHandle;
  const streams = () => (madeStreams ??= makeFileStreams(fs, isHandle, load, loop));
  const FileHandle = makeFileHandle(core, load, calls.later, streams);

  // The order is the one in which the modules list their functions.
  addOperations(functions);
  addUnusualCallbacks(functions, new InputReads(core, loop, input));
  addCopying(functions);
  addFolders(functions, patterns);
  addPromiseFiles(functions, FileHandle);
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
  const replaced = new Map<string, unknown>();
  for (const name of ['ReadStream', 'WriteStream'] as const)
    for (const alias of [name, `File${name}`])
      Object.defineProperty(fs, alias, {
        get: () => replaced.get(alias) ?? streams()[name],
        set(value: never) {
          // graceful-fs replaces the older name first, and then reads the class by the other one.
          replaced.set(alias, value);
          if (alias === name) streams()[name] = value;
        },
        enumerable: true,
        configurable: true,
      });
  Object.defineProperty(fs, 'promises', { get: () => promises, enumerable: true, configurable: true });
  return { fs, promises, core, changed: watching.changed };
}
