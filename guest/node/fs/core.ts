import type { Buffer as NodeBuffer } from 'node:buffer';
import type { LoadBuiltin } from '../builtins/builtin.ts';
import { argTypeError, nodeError, outOfRange } from '../builtins/internal/errors.ts';
import type { KernelLink } from '../link.ts';
import { folderOf, joined } from '../loader/files.ts';
import { OPEN, type NodeFsCall, type NodeStat } from '../wire.ts';
import type { FsEntryAnswer } from '../../protocol.ts';
import { fdOf, flagsOf, modeOf, optionsOf, pathOf, timeOf, type FileOptions } from './arguments.ts';
import { named, systemError } from './errors.ts';
import { BigIntStats, Dirent, Stats } from './shape.ts';

interface OpenFile {
  /** The kernel's number; undefined for the three streams of the process. */
  readonly handle: number | undefined;
  /** Where the next read or write begins. */
  position: number;
  readonly appends: boolean;
}

export interface CoreOptions {
  readonly link: KernelLink;
  readonly load: LoadBuiltin;
  readonly cwd: () => string;
  readonly umask: () => number;
}

/** What `fs` does, each operation at once; the other forms are made of these. */
export function makeCore({ link, load, cwd, umask }: CoreOptions) {
  const { Buffer } = load('buffer');
  const opened = new Map<number, OpenFile>(
    [0, 1, 2].map((fd) => [fd, { handle: undefined, position: 0, appends: true }]),
  );
  /** Input of the process that was taken and not used. */
  let inputLeft: Uint8Array | undefined;

  const absolute = (path: string) => joined(cwd(), path);
  const ask = (syscall: string, path: string | undefined, call: NodeFsCall, dest?: string): unknown =>
    named(syscall, path, dest, () => link.files(call));
  const onPath = (syscall: string, given: unknown, op: (path: string) => NodeFsCall, name?: string) => {
    const path = pathOf(given, name);
    if (path === '') throw systemError('ENOENT', syscall, path);
    const call = op(absolute(path));
    // A slash at its end asks for a directory.
    if (path.endsWith('/') && path !== '/' && 'path' in call && call.op !== 'mkdir') {
      const found = link.look(call.path);
      if (found && found !== 'directory') throw systemError('ENOTDIR', syscall, path);
    }
    return ask(syscall, path, call);
  };
  const buffer = (bytes: Uint8Array): NodeBuffer =>
    Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
  const decoded = (bytes: Uint8Array, encoding: FileOptions['encoding']) =>
    encoding && encoding !== 'buffer' ? textOf(bytes, encoding) : buffer(bytes);
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  const textOf = (bytes: Uint8Array, encoding: BufferEncoding) =>
    /^utf-?8$/i.test(encoding) ? utf8.decode(bytes) : buffer(bytes).toString(encoding);
  const named_ = (text: string, encoding: FileOptions['encoding']) =>
    encoding === 'buffer'
      ? Buffer.from(text)
      : encoding && !/^utf-?8$/i.test(encoding)
        ? Buffer.from(text).toString(encoding)
        : text;

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

  function look(syscall: 'stat' | 'lstat', given: unknown, options: unknown) {
    const stat = onPath(syscall, given, (path) => ({ op: syscall === 'stat' ? 'look' : 'lookLink', path }));
    if (stat !== undefined) return statOf(stat as NodeStat, options);
    if ((options as { throwIfNoEntry?: boolean } | undefined)?.throwIfNoEntry === false) return undefined;
    const path = pathOf(given);
    const parent = link.look(folderOf(absolute(path)));
    throw systemError(parent && parent !== 'directory' ? 'ENOTDIR' : 'ENOENT', syscall, path);
  }

  function open(given: unknown, flags: unknown = 'r', mode?: unknown): number {
    const bits = flagsOf(flags ?? 'r');
    const permission = modeOf(mode, 0o666) & ~umask();
    const path = pathOf(given);
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
    ask('write', undefined, { op: 'writeAt', handle: it.handle, position: at, content: bytes });
    if (position === undefined) it.position += bytes.byteLength;
    return bytes.byteLength;
  }

  function positionOf(position: unknown): number | undefined {
    if (position === null || position === undefined || position === -1 || position === -1n) return undefined;
    if (typeof position === 'number' || typeof position === 'bigint') return Number(position);
    throw argTypeError('position', ['integer', 'bigint'], position);
  }

  /** The part of a buffer that `read` and `write` mean. */
  function partOf(target: unknown, args: readonly unknown[]) {
    if (!ArrayBuffer.isView(target))
      throw argTypeError('buffer', ['Buffer', 'TypedArray', 'DataView'], target);
    let [offset, length, position] = args;
    if (typeof offset === 'object' && offset !== null)
      ({ offset, length, position } = offset as Record<string, unknown>);
    const from = offset === undefined || offset === null ? 0 : Number(offset);
    const room = target.byteLength - from;
    if (from < 0 || from > target.byteLength)
      throw outOfRange('offset', `>= 0 && <= ${target.byteLength}`, from);
    const size = length === undefined || length === null ? room : Number(length);
    if (size < 0 || size > room) throw outOfRange('length', `>= 0 && <= ${room}`, size);
    return {
      view: new Uint8Array(target.buffer, target.byteOffset + from, size),
      position: positionOf(position),
    };
  }

  function read(fd: unknown, target: unknown, ...args: unknown[]): number {
    const { view, position } = partOf(target, args);
    if (view.byteLength === 0) return 0;
    const bytes = readBytes(fd, view.byteLength, position);
    view.set(bytes);
    return bytes.byteLength;
  }

  function write(fd: unknown, data: unknown, ...args: unknown[]): number {
    if (typeof data === 'string') {
      const [position, encoding] = args;
      return writeBytes(fd, Buffer.from(data, (encoding ?? 'utf8') as BufferEncoding), positionOf(position));
    }
    const { view, position } = partOf(data, args);
    return writeBytes(fd, view, position);
  }

  function vectors(buffers: unknown): ArrayBufferView[] {
    if (!Array.isArray(buffers) || !buffers.every((each) => ArrayBuffer.isView(each)))
      throw argTypeError('buffers', 'ArrayBufferView[]', buffers);
    return buffers;
  }

  function readv(fd: unknown, buffers: unknown, position?: unknown): number {
    let at = positionOf(position);
    let total = 0;
    for (const each of vectors(buffers)) {
      const count = read(fd, each, 0, each.byteLength, at);
      total += count;
      if (at !== undefined) at += count;
      if (count < each.byteLength) break;
    }
    return total;
  }

  function writev(fd: unknown, buffers: unknown, position?: unknown): number {
    let at = positionOf(position);
    let total = 0;
    for (const each of vectors(buffers)) {
      const count = write(fd, each, 0, each.byteLength, at);
      total += count;
      if (at !== undefined) at += count;
    }
    return total;
  }

  function readFile(path: unknown, options?: unknown) {
    const { encoding, flag } = optionsOf(options);
    if (typeof path === 'number') return decoded(readAll(path), encoding);
    const given = pathOf(path);
    if (given === '/dev/stdin') return decoded(readAll(0), encoding);
    if (flag !== undefined && flag !== 'r') {
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
      if (error instanceof Error && 'code' in error && error.code === 'EISDIR')
        throw systemError('EISDIR', 'read');
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
    const { encoding, flag = 'w', mode } = optionsOf(options);
    const bytes = bytesOf(data, encoding);
    if (typeof path === 'number') return void writeBytes(path, bytes, undefined);
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
    writeFile(path, data, { flag: 'a', ...optionsOf(options) });
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
    if (recursive) for (let at = absolute(path); !link.look(at); at = folderOf(at)) first = at;
    onPath('mkdir', path, (real) => ({ op: 'mkdir', path: real, recursive }));
    if (mode !== undefined && mode !== null && (!recursive || first !== undefined))
      chmod(path, permission & ~umask());
    return first;
  }

  function mkdtemp(prefix: unknown, options?: unknown) {
    const start = pathOf(prefix, 'prefix');
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
    const random = crypto.getRandomValues(new Uint8Array(6));
    const path = start + Array.from(random, (byte) => letters[byte % letters.length]).join('');
    ask('mkdtemp', `${start}XXXXXX`, { op: 'mkdir', path: absolute(path), recursive: false });
    chmod(path, 0o700);
    return named_(path, optionsOf(options).encoding);
  }

  interface ReaddirOptions extends FileOptions {
    readonly withFileTypes?: boolean;
    readonly recursive?: boolean;
  }

  function entries(given: string): FsEntryAnswer[] {
    const list = onPath('scandir', given, (path) => ({ op: 'readdir', path })) as FsEntryAnswer[];
    return list.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  function readdir(given: unknown, options?: unknown): unknown[] {
    const { encoding, withFileTypes = false, recursive = false } = optionsOf<ReaddirOptions>(options);
    const top = pathOf(given);
    const found: unknown[] = [];
    const visit = (folder: string, prefix: string) => {
      const below: string[] = [];
      for (const { name, type } of entries(folder)) {
        if (withFileTypes) found.push(new Dirent(named_(name, encoding), folder, type));
        else found.push(named_(prefix + name, encoding));
        if (recursive && type === 'directory') below.push(name);
      }
      for (const name of below) visit(slashed(folder) + name, `${prefix}${name}/`);
    };
    visit(top, '');
    return found;
  }

  function access(given: unknown, mode: unknown = 0): void {
    if (typeof mode === 'number' && (mode < 0 || mode > 7))
      throw nodeError('ERR_OUT_OF_RANGE', 'mode is out of range: >= 0 && <= 7', RangeError);
    onPath('access', given, (path) => ({ op: 'access', path, mode: Number(mode) }));
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
    if (options?.recursive) return rm(given, { recursive: true, force: true });
    onPath('rmdir', given, (path) => ({ op: 'rmdir', path }));
  }

  function rm(
    given: unknown,
    options: { readonly recursive?: boolean; readonly force?: boolean } = {},
  ): void {
    const { recursive = false, force = false } = options;
    const path = pathOf(given);
    const stat = link.files({ op: 'lookLink', path: absolute(path) }) as NodeStat | undefined;
    if (!stat) {
      if (force) return;
      throw systemError('ENOENT', 'lstat', path);
    }
    if (stat.type === 'directory' && !recursive) {
      const message = `Path is a directory: rm returned EISDIR (is a directory) ${path}`;
      const error = nodeError('ERR_FS_EISDIR', message, Error, { errno: 21, syscall: 'rm', path });
      Object.defineProperty(error, 'name', { value: 'SystemError', configurable: true, writable: true });
      throw error;
    }
    onPath('rm', path, (real) => ({ op: 'rm', path: real, recursive, force }));
  }

  function rename(from: unknown, to: unknown): void {
    const [source, target] = [pathOf(from, 'oldPath'), pathOf(to, 'newPath')];
    ask('rename', source, { op: 'mv', from: absolute(source), to: absolute(target) }, target);
  }

  function copyFile(from: unknown, to: unknown, mode: unknown = 0): void {
    const [source, target] = [pathOf(from, 'src'), pathOf(to, 'dest')];
    const there = link.look(absolute(target));
    if (there && (Number(mode) & 1) !== 0) throw systemError('EEXIST', 'copyfile', source, target);
    if (link.look(absolute(source)) === 'directory' || there === 'directory')
      throw systemError('EISDIR', 'copyfile', source, target);
    const call = { op: 'cp', from: absolute(source), to: absolute(target), recursive: false } as const;
    ask('copyfile', source, call, target);
  }

  function link_(from: unknown, to: unknown): void {
    const [source, target] = [pathOf(from, 'existingPath'), pathOf(to, 'newPath')];
    ask('link', source, { op: 'link', from: absolute(source), to: absolute(target) }, target);
  }

  function symlink(target: unknown, given: unknown): void {
    const [to, path] = [pathOf(target, 'target'), pathOf(given)];
    ask('symlink', to, { op: 'symlink', target: to, path: absolute(path) }, path);
  }

  function readlink(given: unknown, options?: unknown) {
    return named_(
      onPath('readlink', given, (path) => ({ op: 'readlink', path })) as string,
      optionsOf(options).encoding,
    );
  }

  function realpath(given: unknown, options?: unknown, syscall = 'lstat') {
    const path = onPath(syscall, absolute(pathOf(given)), (real) => ({
      op: 'realpath',
      path: real,
    })) as string;
    return named_(path, optionsOf(options).encoding);
  }

  function chmod(given: unknown, mode: unknown): void {
    const bits = modeOf(mode, 0) & 0o7777;
    onPath('chmod', given, (path) => ({ op: 'chmod', path, mode: bits }));
  }

  function utimes(given: unknown, _accessed: unknown, modified: unknown): void {
    const time = Math.round(timeOf(modified));
    onPath('utime', given, (path) => ({ op: 'utimes', path, modified: time }));
  }

  function truncate(given: unknown, length: unknown = 0): void {
    const fd = open(given, 'r+');
    try {
      ftruncate(fd, length);
    } finally {
      close(fd);
    }
  }

  function ftruncate(fd: unknown, length: unknown = 0): void {
    const size = Math.max(0, Number(length ?? 0));
    ask('ftruncate', undefined, { op: 'truncate', handle: handleOf(fd, 'ftruncate'), length: size });
  }

  function fstat(fd: unknown, options?: unknown) {
    const it = file(fd, 'fstat');
    if (it.handle === undefined)
      return statOf(
        { type: 'device', mode: 0o620, size: 0, modified: Date.now(), inode: Number(fd) },
        options,
      );
    return statOf(ask('fstat', undefined, { op: 'fstat', handle: it.handle }) as NodeStat, options);
  }

  function statfs(given: unknown, options?: unknown) {
    const { total, used } = onPath('statfs', given, (path) => ({ op: 'statfs', path })) as Record<
      string,
      number
    >;
    const figures = {
      type: 61267,
      bsize: 4096,
      blocks: Math.floor((total ?? 0) / 4096),
      bfree: Math.floor(((total ?? 0) - (used ?? 0)) / 4096),
      bavail: Math.floor(((total ?? 0) - (used ?? 0)) / 4096),
      files: 0,
      ffree: 0,
    };
    if (!(options as { bigint?: boolean } | undefined)?.bigint) return figures;
    return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, BigInt(value)]));
  }

  return {
    access,
    appendFile,
    chmod,
    chown: (path: unknown) => access(path),
    close,
    copyFile,
    exists,
    fchmod: (fd: unknown, mode: unknown) =>
      void ask('fchmod', undefined, { op: 'fchmod', handle: handleOf(fd, 'fchmod'), mode: modeOf(mode, 0) }),
    fchown: (fd: unknown) => void file(fd, 'fchown'),
    fdatasync: (fd: unknown) => void file(fd, 'fdatasync'),
    fstat,
    fsync: (fd: unknown) => void file(fd, 'fsync'),
    ftruncate,
    futimes: (fd: unknown, _accessed: unknown, modified: unknown) =>
      void ask('futime', undefined, {
        op: 'futimes',
        handle: handleOf(fd, 'futime'),
        modified: Math.round(timeOf(modified)),
      }),
    lchmod: chmod,
    lchown: (path: unknown) => void look('lstat', path, undefined),
    link: link_,
    lstat: (path: unknown, options?: unknown) => look('lstat', path, options),
    lutimes: utimes,
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
  };
}

export type FsCore = ReturnType<typeof makeCore>;

function slashed(folder: string): string {
  return folder.endsWith('/') ? folder : `${folder}/`;
}
