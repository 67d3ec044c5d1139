import type { Buffer as NodeBuffer } from 'node:buffer';
import type { LoadBuiltin } from '../builtins/builtin.ts';
import { abortError, argTypeError, needInteger, nodeError } from '../builtins/internal/errors.ts';
import type { KernelLink } from '../kernel/link.ts';
import { folderOf, joined } from '../loader/files.ts';
import { OPEN, type NodeFsCall, type NodeStat } from '../../shared/wire.ts';
import type { FsEntryAnswer } from '../../shared/protocol.ts';
import {
  fdOf,
  flagsOf,
  modeOf,
  needFlush,
  needMode,
  optionsOf,
  pathOf,
  timeOf,
  type FileOptions,
} from './arguments.ts';
import { fsRefusal, named, systemError } from './errors.ts';
import { MAX_FILE_BYTES, partToRead, partToWrite, vectorsOf, writePosition } from './parts.ts';
import { constants } from './constants.ts';
import { BigIntStats, direntOf, StatFs, Stats, type Dirent } from './shape.ts';

const { O_DIRECTORY, O_NOFOLLOW } = constants;

interface OpenFile {
  /** The kernel's handle; undefined for the three standard streams. */
  readonly handle: number | undefined;
  /** The offset of the next read or write. */
  position: number;
  readonly appends: boolean;
}

export interface CoreOptions {
  readonly link: KernelLink;
  readonly load: LoadBuiltin;
  readonly cwd: () => string;
  readonly umask: () => number;
}

/** The synchronous operations of `fs`. The forms with callbacks and promises are built on these. */
export function makeCore({ link: kernel, load, cwd, umask }: CoreOptions) {
  const { Buffer } = load('buffer');
  const opened = new Map<number, OpenFile>(
    [0, 1, 2].map((fd) => [fd, { handle: undefined, position: 0, appends: true }]),
  );
  /** Standard input that was received and not yet read. */
  let inputLeft: Uint8Array | undefined;

  let isChecked = false;
  const reach = (): void => {
    if (isChecked) throw REACHED;
  };
  const link: Pick<KernelLink, 'files' | 'readInput' | 'print'> = {
    files: (call) => (reach(), kernel.files(call)),
    readInput: () => (reach(), kernel.readInput()),
    print: (fd, bytes) => (reach(), kernel.print(fd, bytes)),
  };
  /** Checks the arguments of a call without carrying it out. Throws if they are wrong. */
  function check(run: () => unknown): void {
    isChecked = true;
    try {
      run();
    } catch (error) {
      if (isMisuse(error)) throw error;
    } finally {
      isChecked = false;
    }
  }

  const absolute = (path: string) => joined(cwd(), path);
  const ask = (syscall: string, path: string | undefined, call: NodeFsCall, dest?: string): unknown =>
    named(syscall, path, dest, () => link.files(call));
  /** The stat of a path. Undefined where there is nothing, and where the path cannot be looked up. */
  const statAt = (path: string, op: 'look' | 'lookLink' = 'look'): NodeStat | undefined => {
    try {
      return link.files({ op, path: absolute(path) }) as NodeStat | undefined;
    } catch (error) {
      if (error === REACHED) throw error;
      return undefined;
    }
  };
  const onPath = (syscall: string, given: unknown, op: (path: string) => NodeFsCall, name?: string) => {
    const path = pathOf(given, name);
    if (path === '') throw systemError('ENOENT', syscall, path);
    const call = op(absolute(path));
    // A path with a slash at its end must be a directory.
    if (path.endsWith('/') && path !== '/' && call.op !== 'mkdir') {
      const found = statAt(path)?.type;
      if (found && (found !== 'directory' || call.op === 'unlink'))
        throw systemError('ENOTDIR', syscall, path);
      if (found && call.op === 'readlink') throw systemError('EINVAL', syscall, path);
    }
    return ask(syscall, path, call);
  };
  /** Runs a call with a source and a target path. */
  const onPaths = (
    syscall: string,
    source: string,
    target: string,
    op: (from: string, to: string) => NodeFsCall,
  ) => {
    const refuse = (code: string) => systemError(code, syscall, source, target);
    if (source === '' || target === '') throw refuse('ENOENT');
    if (/[^/]\/$/.test(source)) {
      const found = statAt(source)?.type;
      if (found && found !== 'directory') throw refuse('ENOTDIR');
    }
    if (/[^/]\/$/.test(target)) {
      const from = statAt(source, 'lookLink')?.type;
      if (from && from !== 'directory')
        throw refuse(syscall === 'rename' || statAt(target) ? 'ENOTDIR' : 'ENOENT');
    }
    return ask(syscall, source, op(absolute(source), absolute(target)), target);
  };
  const buffer = (bytes: Uint8Array): NodeBuffer =>
    Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
  const decoded = (bytes: Uint8Array, encoding: FileOptions['encoding']) =>
    encoding && encoding !== 'buffer' ? textOf(bytes, encoding) : buffer(bytes);
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  const textOf = (bytes: Uint8Array, encoding: BufferEncoding) =>
    /^utf-?8$/i.test(encoding) ? utf8.decode(bytes) : buffer(bytes).toString(encoding);
  const encoded = (text: string, encoding: FileOptions['encoding']) =>
    encoding === 'buffer'
      ? Buffer.from(text)
      : encoding && !/^utf-?8$/i.test(encoding)
        ? Buffer.from(text).toString(encoding)
        : text;

  const warned = new Set<string>();
  /** Emits a deprecation warning, once for each code. */
  function warn(message: string, code: string): void {
    if (warned.has(code)) return;
    warned.add(code);
    (load('process') as NodeJS.Process).emitWarning(message, 'DeprecationWarning', code);
  }

  function bytesOf(data: unknown, encoding: FileOptions['encoding'] = 'utf8', name = 'data'): Uint8Array {
    if (typeof data === 'string') return Buffer.from(data, (encoding ?? 'utf8') as BufferEncoding);
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    throw argTypeError(name, ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  }

  function file(fd: unknown, syscall: string): OpenFile {
    const found = opened.get(fdOf(fd));
    if (!found) throw systemError('EBADF', syscall);
    return found;
  }

  function handleOf(fd: unknown, syscall: string): number {
    const { handle } = file(fd, syscall);
    if (handle === undefined) throw systemError('EINVAL', syscall);
    return handle;
  }

  function statOf(stat: NodeStat, options: unknown) {
    const { bigint } = (options ?? {}) as { bigint?: boolean };
    return bigint ? new BigIntStats(stat) : new Stats(stat);
  }

  function look(op: 'stat' | 'lstat', given: unknown, options: unknown, syscall: string = op) {
    const stat = onPath(syscall, given, (path) => ({ op: op === 'stat' ? 'look' : 'lookLink', path }));
    if (stat !== undefined) return statOf(stat as NodeStat, options);
    const path = pathOf(given);
    const parent = statAt(folderOf(absolute(path)))?.type;
    const code = parent && parent !== 'directory' ? 'ENOTDIR' : 'ENOENT';
    const isAsked = (options as { throwIfNoEntry?: boolean } | undefined)?.throwIfNoEntry !== false;
    if (isAsked || (op === 'lstat' && code === 'ENOTDIR')) throw systemError(code, syscall, path);
    return undefined;
  }

  function open(given: unknown, flags: unknown = 'r', mode?: unknown): number {
    const path = pathOf(given);
    const bits = flagsOf(flags ?? 'r');
    const permission = modeOf(mode, 0o666) & ~umask();
    if (typeof flags === 'number') {
      const found = flags & O_NOFOLLOW ? statAt(path, 'lookLink')?.type : undefined;
      if (found === 'symlink') throw systemError('ELOOP', 'open', path);
      if (flags & O_DIRECTORY && (statAt(path)?.type ?? 'directory') !== 'directory')
        throw systemError('ENOTDIR', 'open', path);
    }
    const handle = Number(
      onPath('open', path, (real) => ({ op: 'open', path: real, flags: bits, mode: permission })),
    );
    let fd = 3;
    while (opened.has(fd)) fd++;
    opened.set(fd, { handle, position: 0, appends: (bits & OPEN.append) !== 0 });
    return fd;
  }

  function close(fd: unknown): void {
    const { handle } = file(fd, 'close');
    reach();
    opened.delete(fd as number);
    if (handle !== undefined) ask('close', undefined, { op: 'close', handle });
  }

  function readInput(length: number): Uint8Array {
    const piece = inputLeft ?? link.readInput();
    inputLeft = undefined;
    if (!piece) return new Uint8Array(0);
    if (piece.byteLength > length) inputLeft = piece.subarray(length);
    return piece.subarray(0, length);
  }

  function readBytes(fd: unknown, length: number, position: number | undefined): Uint8Array {
    const it = file(fd, 'read');
    if (it.handle === undefined) {
      if (fd !== 0) throw systemError('EBADF', 'read');
      return readInput(length);
    }
    const from = position ?? it.position;
    const bytes = ask('read', undefined, {
      op: 'readAt',
      handle: it.handle,
      position: from,
      length,
    }) as Uint8Array;
    if (position === undefined) it.position = from + bytes.byteLength;
    return bytes;
  }

  function writeBytes(fd: unknown, bytes: Uint8Array, position: number | undefined): number {
    const it = file(fd, 'write');
    if (it.handle === undefined) {
      if (fd === 0) throw systemError('EBADF', 'write');
      link.print(fd as 1 | 2, bytes);
      return bytes.byteLength;
    }
    const at = it.appends ? -1 : (position ?? it.position);
    if (at + bytes.byteLength > MAX_FILE_BYTES) throw systemError('EFBIG', 'write');
    ask('write', undefined, { op: 'writeAt', handle: it.handle, position: at, content: bytes });
    if (position === undefined) it.position += bytes.byteLength;
    return bytes.byteLength;
  }

  function read(fd: unknown, target: unknown, ...args: unknown[]): number {
    fdOf(fd);
    const { view, position } = partToRead(target, args);
    file(fd, 'read');
    if (view.byteLength === 0) return 0;
    const bytes = readBytes(fd, view.byteLength, position);
    view.set(bytes);
    return bytes.byteLength;
  }

  function write(fd: unknown, data: unknown, ...args: unknown[]): number {
    fdOf(fd);
    if (typeof data === 'string') {
      const [position, encoding] = args;
      const bytes = Buffer.from(
        data,
        Buffer.isEncoding(String(encoding)) ? (encoding as BufferEncoding) : 'utf8',
      );
      return writeBytes(fd, bytes, writePosition(position));
    }
    const { view, position } = partToWrite(data, args);
    file(fd, 'write');
    return writeBytes(fd, view, position);
  }

  function readv(fd: unknown, buffers: unknown, position?: unknown): number {
    fdOf(fd);
    const views = vectorsOf(buffers);
    file(fd, 'read');
    if (views.length === 0) throw systemError('EINVAL', 'read');
    let at = writePosition(position);
    let total = 0;
    for (const each of views) {
      const count = read(fd, each, 0, each.byteLength, at);
      total += count;
      if (at !== undefined) at += count;
      if (count < each.byteLength) break;
    }
    return total;
  }

  function writev(fd: unknown, buffers: unknown, position?: unknown): number {
    fdOf(fd);
    const views = vectorsOf(buffers);
    file(fd, 'write');
    let at = writePosition(position);
    let total = 0;
    for (const each of views) {
      const count = write(fd, each, 0, each.byteLength, at);
      total += count;
      if (at !== undefined) at += count;
    }
    return total;
  }

  function readFile(path: unknown, options?: unknown) {
    const { encoding, flag, signal } = optionsOf(options);
    if (signal?.aborted) throw abortError(signal.reason);
    if (typeof path === 'number') {
      file(path, 'fstat');
      return decoded(readAll(path), encoding);
    }
    const given = pathOf(path);
    if (given === '/dev/stdin') return decoded(readAll(0), encoding);
    if (flag && flag !== 'r') {
      const fd = open(given, flag);
      try {
        return decoded(readAll(fd), encoding);
      } finally {
        close(fd);
      }
    }
    try {
      return decoded(onPath('open', given, (real) => ({ op: 'read', path: real })) as Uint8Array, encoding);
    } catch (error) {
      if (codeOf(error) === 'EISDIR') throw systemError('EISDIR', 'read');
      throw error;
    }
  }

  function readAll(fd: number): Uint8Array {
    const pieces: Uint8Array[] = [];
    for (;;) {
      const piece = readBytes(fd, 1024 * 1024, undefined);
      if (piece.byteLength === 0) return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
      pieces.push(piece);
    }
  }

  function writeFile(path: unknown, data: unknown, options?: unknown): void {
    const { encoding, flag: asked, mode, signal, flush } = optionsOf(options);
    const flag = asked || 'w';
    const bytes = bytesOf(data, encoding);
    needFlush(flush);
    if (signal?.aborted) throw abortError(signal.reason);
    if (typeof path === 'number') return void (bytes.byteLength > 0 && writeBytes(path, bytes, undefined));
    const given = pathOf(path);
    if (given === '/dev/stdout' || given === '/dev/stderr')
      return link.print(given === '/dev/stdout' ? 1 : 2, bytes);
    if (flag === 'w' && mode === undefined && umask() === 0o022) {
      onPath('open', given, (real) => ({ op: 'write', path: real, content: bytes }));
      return;
    }
    const fd = open(given, flag, mode);
    try {
      if (bytes.byteLength > 0) writeBytes(fd, bytes, undefined);
    } finally {
      close(fd);
    }
  }

  function appendFile(path: unknown, data: unknown, options?: unknown): void {
    const given = optionsOf(options);
    writeFile(path, data, { ...given, flag: given.flag || 'a' });
  }

  function mkdir(given: unknown, options?: unknown): string | undefined {
    const isList = typeof options === 'object' && options !== null;
    const { recursive = false, mode } = (isList ? options : { mode: options }) as {
      readonly recursive?: boolean;
      readonly mode?: unknown;
    };
    const path = pathOf(given);
    const permission = modeOf(mode, 0o777, isList ? 'options.mode' : 'mode');
    let first: string | undefined;
    for (let at = path; recursive && at !== '' && !statAt(at); at = folderIn(at)) first = at;
    try {
      onPath('mkdir', path, (real) => ({ op: 'mkdir', path: real, recursive }));
    } catch (error) {
      // A symlink without a target blocks one of the parent folders.
      if (recursive && first !== undefined && codeOf(error) === 'EEXIST')
        throw systemError('ENOENT', 'mkdir', path);
      throw error;
    }
    if (permission !== 0o777 || umask() !== 0o022)
      for (let at = path; at.length >= (recursive ? (first ?? `${path}/`) : path).length; at = folderIn(at))
        chmod(at, permission & ~umask());
    return first;
  }

  function mkdtemp(prefix: unknown, options?: unknown) {
    const { encoding } = optionsOf(options);
    const start = pathOf(prefix, 'prefix');
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
    const random = crypto.getRandomValues(new Uint8Array(6));
    const path = start + Array.from(random, (byte) => letters[byte % letters.length]).join('');
    if (start === '') throw systemError('EINVAL', 'mkdtemp', 'XXXXX');
    ask('mkdtemp', `${start}XXXXXX`, { op: 'mkdir', path: absolute(path), recursive: false });
    chmod(path, 0o700);
    return encoded(path, encoding);
  }

  interface ReaddirOptions extends FileOptions {
    readonly withFileTypes?: boolean;
    readonly recursive?: boolean;
  }

  function entries(given: string): FsEntryAnswer[] {
    const list = onPath('scandir', given, (path) => ({ op: 'readdir', path })) as FsEntryAnswer[];
    return list.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The entries of a folder, with `shown` as their parent path. */
  function entriesOf(folder: string, shown: string): Dirent[] {
    return entries(folder).map(({ name, type }) => direntOf(name, shown, type));
  }

  function readdir(given: unknown, options?: unknown): unknown[] {
    const { encoding, withFileTypes = false, recursive = false } = optionsOf<ReaddirOptions>(options);
    const top = pathOf(given);
    const found: unknown[] = [];
    const visit = (folder: string, prefix: string) => {
      const below: string[] = [];
      for (const { name, type } of entries(folder)) {
        if (withFileTypes) found.push(direntOf(encoded(name, encoding), folder, type));
        else found.push(encoded(prefix + name, encoding));
        if (!recursive) continue;
        const isLink = type === 'symlink' && statAt(pathInFolder(folder, name))?.type === 'directory';
        if (isLink || type === 'directory') below.push(name);
      }
      for (const name of below) visit(pathInFolder(folder, name), `${prefix}${name}/`);
    };
    visit(top, '');
    return found;
  }

  function access(given: unknown, mode: unknown = 0): void {
    const path = pathOf(given);
    const bits = needMode(mode);
    onPath('access', path, (real) => ({ op: 'access', path: real, mode: bits }));
  }

  function exists(given: unknown): boolean {
    try {
      return onPath('access', given, (path) => ({ op: 'look', path })) !== undefined;
    } catch {
      return false;
    }
  }

  function unlink(given: unknown): void {
    onPath('unlink', given, (path) => ({ op: 'unlink', path }));
  }

  function rmdir(given: unknown, options?: { readonly recursive?: boolean }): void {
    if (options?.recursive)
      warn(
        'In future versions of Node.js, fs.rmdir(path, { recursive: true }) will be removed. ' +
          'Use fs.rm(path, { recursive: true }) instead',
        'DEP0147',
      );
    if (options?.recursive && (look('lstat', given, undefined) as Stats).isDirectory())
      return rm(given, { recursive: true });
    onPath('rmdir', given, (path) => ({ op: 'rmdir', path }));
  }

  function rm(
    given: unknown,
    options: { readonly recursive?: boolean; readonly force?: boolean } = {},
  ): void {
    const { recursive = false, force = false } = options;
    const path = pathOf(given);
    checkRemoval(options);
    const stat = look('lstat', path, { throwIfNoEntry: !force }) as Stats | undefined;
    if (!stat) return;
    if (stat.isDirectory() && !recursive) {
      const message = `Path is a directory: rm returned EISDIR (is a directory) ${path}`;
      throw fsRefusal('ERR_FS_EISDIR', message, { errno: 21, syscall: 'rm', path });
    }
    onPath('rm', path, (real) => ({ op: 'rm', path: real, recursive, force }));
  }

  function rename(from: unknown, to: unknown): void {
    const [source, target] = [pathOf(from, 'oldPath'), pathOf(to, 'newPath')];
    onPaths('rename', source, target, (from, to) => ({ op: 'mv', from, to }));
  }

  function copyFile(from: unknown, to: unknown, mode: unknown = 0): void {
    const [source, target] = [pathOf(from, 'src'), pathOf(to, 'dest')];
    const bits = needMode(mode);
    const refuse = (code: string) => systemError(code, 'copyfile', source, target);
    onPaths('copyfile', source, target, (real, dest) => {
      const [here, there] = [statAt(source)?.type, statAt(target)?.type];
      if (here === 'directory') throw refuse('EISDIR');
      if (here && there && (bits & 1) !== 0) throw refuse('EEXIST');
      if (here && there === 'directory') throw refuse('EISDIR');
      return { op: 'cp', from: real, to: dest, recursive: false };
    });
  }

  function link_(existing: unknown, given: unknown): void {
    const [source, target] = [pathOf(existing, 'existingPath'), pathOf(given, 'newPath')];
    onPaths('link', source, target, (from, to) => {
      if (!statAt(target, 'lookLink') && statAt(source, 'lookLink')?.type === 'directory')
        throw systemError('EPERM', 'link', source, target);
      return { op: 'link', from, to };
    });
  }

  function symlink(target: unknown, given: unknown, type?: unknown): void {
    if (type !== undefined && type !== null && !['dir', 'file', 'junction'].includes(String(type)))
      throw nodeError(
        'ERR_FS_INVALID_SYMLINK_TYPE',
        `Symlink type must be one of "dir", "file", or "junction". Received "${String(type)}"`,
      );
    const [to, path] = [pathOf(target, 'target'), pathOf(given)];
    if (to === '' || path === '' || path.endsWith('/')) throw systemError('ENOENT', 'symlink', to, path);
    ask('symlink', to, { op: 'symlink', target: to, path: absolute(path) }, path);
  }

  function readlink(given: unknown, options?: unknown) {
    const { encoding } = optionsOf(options);
    return encoded(onPath('readlink', given, (path) => ({ op: 'readlink', path })) as string, encoding);
  }

  function realpath(given: unknown, options?: unknown) {
    const { encoding } = optionsOf(options);
    const path = absolute(pathOf(given instanceof URL ? given : String(given)));
    try {
      return encoded(String(link.files({ op: 'realpath', path })), encoding);
    } catch (error) {
      throw failedStep(path) ?? error;
    }
  }

  /** Finds the component of a path that fails, because node's `realpath` reports that one. */
  function failedStep(path: string): Error | undefined {
    for (let end = path.indexOf('/', 1); ; end = path.indexOf('/', end + 1)) {
      const step = end < 0 ? path : path.slice(0, end);
      try {
        const found = look('lstat', step, undefined) as Stats;
        if (found.isSymbolicLink()) look('stat', step, undefined);
      } catch (error) {
        return error as Error;
      }
      if (end < 0) return undefined;
    }
  }

  function nativeRealpath(given: unknown, options?: unknown) {
    const { encoding } = optionsOf(options);
    const path = onPath('realpath', given, (real) => ({ op: 'realpath', path: real })) as string;
    return encoded(path, encoding);
  }

  function chmod(given: unknown, mode: unknown): void {
    const bits = modeOf(mode, undefined) & 0o7777;
    onPath('chmod', given, (path) => ({ op: 'chmod', path, mode: bits }));
  }

  function utimes(given: unknown, accessed: unknown, modified: unknown): void {
    const times = { accessed: timeOf(accessed), modified: timeOf(modified) };
    onPath('utime', given, (path) => ({ op: 'utimes', path, ...times }));
  }

  function lutimes(given: unknown, accessed: unknown, modified: unknown): void {
    const times = { accessed: timeOf(accessed), modified: timeOf(modified) };
    onPath('lutime', given, (path) => ({ op: 'lutimes', path, ...times }));
  }

  function truncate(given: unknown, length: unknown = 0): void {
    if (typeof given === 'number') {
      warn(
        'Using fs.truncate with a file descriptor is deprecated. Please use fs.ftruncate with a file descriptor instead.',
        'DEP0081',
      );
      return ftruncate(given, length);
    }
    needInteger(length, 'len');
    const fd = open(given, 'r+');
    try {
      ftruncate(fd, length);
    } finally {
      close(fd);
    }
  }

  function ftruncate(fd: unknown, length: unknown = 0): void {
    fdOf(fd);
    needInteger(length, 'len');
    const handle = handleOf(fd, 'ftruncate');
    const size = Math.max(0, length);
    if (size > MAX_FILE_BYTES) throw systemError('EFBIG', 'ftruncate');
    try {
      ask('ftruncate', undefined, { op: 'truncate', handle, length: size });
    } catch (error) {
      // The file is open, but not for writing.
      if (codeOf(error) === 'EBADF') throw systemError('EINVAL', 'ftruncate');
      throw error;
    }
  }

  function fstat(fd: unknown, options?: unknown) {
    const it = file(fd, 'fstat');
    if (it.handle === undefined) return statOf(streamStat(Number(fd)), options);
    return statOf(ask('fstat', undefined, { op: 'fstat', handle: it.handle }) as NodeStat, options);
  }

  // There is only one user, so this changes nothing. It only checks the arguments and the path.
  function chown(given: unknown, user: unknown, group: unknown): void {
    const path = pathOf(given);
    needOwner(user, group);
    onPath('chown', path, (real) => ({ op: 'access', path: real, mode: 0 }));
  }

  function lchown(given: unknown, user: unknown, group: unknown): void {
    const path = pathOf(given);
    needOwner(user, group);
    look('lstat', path, undefined, 'lchown');
  }

  function statfs(given: unknown, options?: unknown) {
    const { total, used } = onPath('statfs', given, (path) => ({ op: 'statfs', path })) as Record<
      string,
      number
    >;
    const figures = new StatFs({
      type: 61267,
      bsize: 4096,
      blocks: Math.floor((total ?? 0) / 4096),
      bfree: Math.floor(((total ?? 0) - (used ?? 0)) / 4096),
      bavail: Math.floor(((total ?? 0) - (used ?? 0)) / 4096),
      files: 0,
      ffree: 0,
    });
    if (!(options as { bigint?: boolean } | undefined)?.bigint) return figures;
    return new StatFs(
      Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, BigInt(value as number)])),
    );
  }

  return {
    access,
    appendFile,
    chmod,
    chown,
    close,
    copyFile,
    exists,
    fchmod(fd: unknown, mode: unknown) {
      fdOf(fd);
      const bits = modeOf(mode, undefined) & 0o7777;
      ask('fchmod', undefined, { op: 'fchmod', handle: handleOf(fd, 'fchmod'), mode: bits });
    },
    fchown(fd: unknown, user: unknown, group: unknown) {
      fdOf(fd);
      needOwner(user, group);
      file(fd, 'fchown');
    },
    fdatasync: (fd: unknown) => void file(fd, 'fdatasync'),
    fstat,
    fsync: (fd: unknown) => void file(fd, 'fsync'),
    ftruncate,
    futimes(fd: unknown, accessed: unknown, modified: unknown) {
      fdOf(fd);
      const times = { accessed: timeOf(accessed, 'atime'), modified: timeOf(modified, 'mtime') };
      ask('futime', undefined, { op: 'futimes', handle: handleOf(fd, 'futime'), ...times });
    },
    lchown,
    link: link_,
    lstat: (path: unknown, options?: unknown) => look('lstat', path, options),
    lutimes,
    mkdir,
    mkdtemp,
    open,
    read,
    readFile,
    readdir,
    readlink,
    readv,
    realpath,
    rename,
    rm,
    rmdir,
    stat: (path: unknown, options?: unknown) => look('stat', path, options),
    statfs,
    symlink,
    truncate,
    unlink,
    utimes,
    write,
    writeFile,
    writev,
    absolute,
    bytesOf,
    check,
    nativeRealpath,
    entriesOf,
    lookAt: statAt,
  };
}

export type FsCore = ReturnType<typeof makeCore>;

function pathInFolder(folder: string, name: string): string {
  const start = folder.replace(/^(?:\.\/+)*\.?$|^\.\/+/, '');
  return start === '' ? name : start.endsWith('/') ? start + name : `${start}/${name}`;
}

/** The part of a path before its last name, unchanged. */
function folderIn(path: string): string {
  return /^(.*[^/])\/+[^/]+\/*$/.exec(path)?.[1] ?? '';
}

/** Thrown where a call that is only being checked reaches the point of doing something. */
const REACHED = Symbol('reached');

function isMisuse(error: unknown): boolean {
  return (
    error instanceof TypeError || error instanceof RangeError || String(codeOf(error)).startsWith('ERR_')
  );
}

function needOwner(user: unknown, group: unknown): void {
  needInteger(user, 'uid', -1, 2 ** 32 - 1);
  needInteger(group, 'gid', -1, 2 ** 32 - 1);
}

/** Throws where options of `rm` have the wrong type. */
function checkRemoval(options: object): void {
  const { recursive, force, maxRetries, retryDelay } = options as Record<string, unknown>;
  for (const [name, value] of Object.entries({ force, recursive }))
    if (value !== undefined && typeof value !== 'boolean')
      throw argTypeError(`options.${name}`, 'boolean', value);
  if (retryDelay !== undefined) needInteger(retryDelay, 'options.retryDelay', 0, 2 ** 31 - 1);
  if (maxRetries !== undefined) needInteger(maxRetries, 'options.maxRetries', 0, 2 ** 32 - 1);
}

function streamStat(fd: number): NodeStat {
  const now = Date.now();
  const times = { modified: now, accessed: now, changed: now, born: now };
  return { type: 'device', mode: 0o620, size: 0, inode: fd, names: 1, ...times };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
