import { nodeError } from '../builtins/internal/errors.ts';
import { optionsOf, pathOf } from './arguments.ts';
import type { FileCalls } from './calls.ts';
import type { ContentCodec } from './content-codec.ts';
import { systemError } from './errors.ts';
import type { Status } from './status.ts';

/** The operations on the names of files, and on symlinks. */
export class Links {
  readonly #calls: FileCalls;
  readonly #codec: ContentCodec;
  readonly #status: Status;

  constructor(calls: FileCalls, codec: ContentCodec, status: Status) {
    this.#calls = calls;
    this.#codec = codec;
    this.#status = status;
  }

  unlink(given: unknown): void {
    this.#calls.onPath('unlink', given, (path) => ({ op: 'unlink', path }));
  }

  rename(from: unknown, to: unknown): void {
    const [source, target] = [pathOf(from, 'oldPath'), pathOf(to, 'newPath')];
    this.#calls.onPaths('rename', source, target, (from, to) => ({ op: 'mv', from, to }));
  }

  link(existing: unknown, given: unknown): void {
    const [source, target] = [pathOf(existing, 'existingPath'), pathOf(given, 'newPath')];
    this.#calls.onPaths('link', source, target, (from, to) => {
      const isFree = !this.#calls.statAt(target, 'lookLink');
      if (isFree && this.#calls.statAt(source, 'lookLink')?.type === 'directory')
        throw systemError('EPERM', 'link', source, target);
      return { op: 'link', from, to };
    });
  }

  symlink(target: unknown, given: unknown, type?: unknown): void {
    if (type !== undefined && type !== null && !['dir', 'file', 'junction'].includes(String(type)))
      throw nodeError(
        'ERR_FS_INVALID_SYMLINK_TYPE',
        `Symlink type must be one of "dir", "file", or "junction". Received "${String(type)}"`,
      );
    const [to, path] = [pathOf(target, 'target'), pathOf(given)];
    if (to === '' || path === '' || path.endsWith('/')) throw systemError('ENOENT', 'symlink', to, path);
    const call = { op: 'symlink', target: to, path: this.#calls.absolute(path) } as const;
    this.#calls.ask('symlink', to, call, path);
  }

  readlink(given: unknown, options?: unknown) {
    const { encoding } = optionsOf(options);
    const target = this.#calls.onPath('readlink', given, (path) => ({ op: 'readlink', path }));
    return this.#codec.encoded(target, encoding);
  }

  realpath(given: unknown, options?: unknown) {
    const { encoding } = optionsOf(options);
    const path = this.#calls.absolute(pathOf(given instanceof URL ? given : String(given)));
    try {
      return this.#codec.encoded(String(this.#calls.send({ op: 'realpath', path })), encoding);
    } catch (error) {
      throw this.#failedStep(path) ?? error;
    }
  }

  /** Finds the component of a path that fails, because node's `realpath` reports that one. */
  #failedStep(path: string): unknown {
    for (let end = path.indexOf('/', 1); ; end = path.indexOf('/', end + 1)) {
      const step = end < 0 ? path : path.slice(0, end);
      try {
        if (this.#status.lstat(step)?.isSymbolicLink()) this.#status.stat(step);
      } catch (error) {
        return error;
      }
      if (end < 0) return undefined;
    }
  }

  nativeRealpath(given: unknown, options?: unknown) {
    const { encoding } = optionsOf(options);
    const path = this.#calls.onPath('realpath', given, (real) => ({ op: 'realpath', path: real }));
    return this.#codec.encoded(path, encoding);
  }
}
