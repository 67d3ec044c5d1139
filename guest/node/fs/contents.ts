import { abortError, needInteger } from '../builtins/internal/errors.ts';
import { needFlush, needMode, optionsOf, pathOf } from './arguments.ts';
import type { FileCalls } from './calls.ts';
import type { ContentCodec } from './content-codec.ts';
import type { Deprecations } from './deprecations.ts';
import type { Descriptors } from './descriptors.ts';
import { codeOf, systemError } from './errors.ts';

interface ContentsParts {
  readonly calls: FileCalls;
  readonly codec: ContentCodec;
  readonly descriptors: Descriptors;
  readonly deprecations: Deprecations;
  readonly umask: () => number;
}

/** The operations on the whole content of a file. */
export class Contents {
  readonly #calls: FileCalls;
  readonly #codec: ContentCodec;
  readonly #descriptors: Descriptors;
  readonly #deprecations: Deprecations;
  readonly #umask: () => number;

  constructor({ calls, codec, descriptors, deprecations, umask }: ContentsParts) {
    this.#calls = calls;
    this.#codec = codec;
    this.#descriptors = descriptors;
    this.#deprecations = deprecations;
    this.#umask = umask;
  }

  readFile(path: unknown, options?: unknown) {
    const { encoding, flag, signal } = optionsOf(options);
    if (signal?.aborted) throw abortError(signal.reason);
    if (typeof path === 'number') {
      this.#descriptors.file(path, 'fstat');
      return this.#codec.decoded(this.#descriptors.readAll(path), encoding);
    }
    const given = pathOf(path);
    if (given === '/dev/stdin') return this.#codec.decoded(this.#descriptors.readAll(0), encoding);
    if (flag && flag !== 'r')
      return this.#withOpen(given, flag, undefined, (fd) =>
        this.#codec.decoded(this.#descriptors.readAll(fd), encoding),
      );
    try {
      const bytes = this.#calls.onPath('open', given, (real) => ({ op: 'read', path: real }));
      return this.#codec.decoded(bytes, encoding);
    } catch (error) {
      if (codeOf(error) === 'EISDIR') throw systemError('EISDIR', 'read');
      throw error;
    }
  }

  #withOpen<T>(path: string, flags: unknown, mode: unknown, run: (fd: number) => T): T {
    const fd = this.#descriptors.open(path, flags, mode);
    try {
      return run(fd);
    } finally {
      this.#descriptors.close(fd);
    }
  }

  writeFile(path: unknown, data: unknown, options?: unknown): void {
    const { encoding, flag: given, mode, signal, flush } = optionsOf(options);
    const bytes = this.#codec.bytesOf(data, encoding);
    needFlush(flush);
    if (signal?.aborted) throw abortError(signal.reason);
    const flag = given || 'w';
    const write = (fd: number) => {
      if (bytes.byteLength > 0) this.#descriptors.writeBytes(fd, bytes);
    };
    if (typeof path === 'number') return write(path);
    const target = pathOf(path);
    if (target === '/dev/stdout' || target === '/dev/stderr')
      return this.#calls.print(target === '/dev/stdout' ? 1 : 2, bytes);
    if (flag === 'w' && mode === undefined && this.#umask() === 0o022)
      this.#calls.onPath('open', target, (real) => ({ op: 'write', path: real, content: bytes }));
    else this.#withOpen(target, flag, mode, write);
  }

  appendFile(path: unknown, data: unknown, options?: unknown): void {
    const given = optionsOf(options);
    this.writeFile(path, data, { ...given, flag: given.flag || 'a' });
  }

  truncate(given: unknown, length: unknown = 0): void {
    if (typeof given === 'number') {
      this.#deprecations.warn(
        'Using fs.truncate with a file descriptor is deprecated. Please use fs.ftruncate with a file descriptor instead.',
        'DEP0081',
      );
      return this.#descriptors.ftruncate(given, length);
    }
    needInteger(length, 'len');
    const fd = this.#descriptors.open(given, 'r+');
    try {
      this.#descriptors.ftruncate(fd, length);
    } finally {
      this.#descriptors.close(fd);
    }
  }

  copyFile(from: unknown, to: unknown, mode: unknown = 0): void {
    const [source, target] = [pathOf(from, 'src'), pathOf(to, 'dest')];
    const bits = needMode(mode);
    const refuse = (code: string) => systemError(code, 'copyfile', source, target);
    this.#calls.onPaths('copyfile', source, target, (real, dest) => {
      const here = this.#calls.statAt(source)?.type;
      const there = this.#calls.statAt(target)?.type;
      if (here === 'directory') throw refuse('EISDIR');
      if (here && there && (bits & 1) !== 0) throw refuse('EEXIST');
      if (here && there === 'directory') throw refuse('EISDIR');
      return { op: 'cp', from: real, to: dest, recursive: false };
    });
  }
}
