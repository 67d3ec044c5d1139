import { needInteger } from '../builtins/internal/errors.ts';
import { OPEN, type NodeStat } from '../../shared/wire.ts';
import { fdOf, flagsOf, modeOf, needOwner, pathOf, timeOf } from './arguments.ts';
import type { FileCalls } from './calls.ts';
import type { ContentCodec } from './content-codec.ts';
import { codeOf, named, systemError } from './errors.ts';
import { MAX_FILE_BYTES, partToRead, partToWrite, vectorsOf, writePosition } from './parts.ts';
import { statsOf } from './shape.ts';

interface OpenFile {
  /** The kernel's handle; undefined for the three standard streams. */
  readonly handle: number | undefined;
  /** The offset of the next read or write. */
  position: number;
  readonly appends: boolean;
  /** Whether the kernel has accepted bytes at the end of the file. It gets more of them without a wait for its answer. */
  accepts?: boolean;
}

/** How many bytes are added to the end of a file without waiting. More of them seldom come in quick succession. */
const MOST_UNWAITED_BYTES = 16 * 1024;

/** The open files of a process, and the operations on their descriptors. */
export class Descriptors {
  readonly #calls: FileCalls;
  readonly #codec: ContentCodec;
  readonly #umask: () => number;
  readonly #opened = new Map<number, OpenFile>(
    [0, 1, 2].map((fd) => [fd, { handle: undefined, position: 0, appends: true }]),
  );
  /** Standard input that was received and not yet read. */
  #inputLeft: Uint8Array | undefined;

  constructor(calls: FileCalls, codec: ContentCodec, umask: () => number) {
    this.#calls = calls;
    this.#codec = codec;
    this.#umask = umask;
  }

  /** Returns an open file. Throws EBADF, in the name of a system call, where there is none. */
  file(fd: unknown, syscall: string): OpenFile {
    const found = this.#opened.get(fdOf(fd));
    if (!found) throw systemError('EBADF', syscall);
    return found;
  }

  #handleOf(fd: unknown, syscall: string): number {
    const { handle } = this.file(fd, syscall);
    if (handle === undefined) throw systemError('EINVAL', syscall);
    return handle;
  }

  open(given: unknown, flags: unknown = 'r', mode?: unknown): number {
    const path = pathOf(given);
    const bits = flagsOf(flags ?? 'r');
    const permission = modeOf(mode, 0o666) & ~this.#umask();
    const handle = Number(
      this.#calls.onPath('open', path, (real) => ({
        op: 'open',
        path: real,
        flags: bits,
        mode: permission,
      })),
    );
    let fd = 3;
    while (this.#opened.has(fd)) fd++;
    this.#opened.set(fd, { handle, position: 0, appends: (bits & OPEN.append) !== 0 });
    return fd;
  }

  close(fd: unknown): void {
    const { handle } = this.file(fd, 'close');
    const call = handle === undefined ? undefined : ({ op: 'close', handle } as const);
    this.#calls.reach(call);
    this.#opened.delete(fdOf(fd));
    if (call) this.#calls.ask('close', undefined, call);
  }

  #readInput(length: number): Uint8Array {
    // A dry run must leave what is there.
    this.#calls.reach();
    return this.#partOfInput(this.#inputLeft ?? this.#calls.readInput(), length);
  }

  /** Keeps what is more than `length` for the next read. */
  #partOfInput(piece: Uint8Array | undefined, length: number): Uint8Array {
    this.#inputLeft = piece && piece.byteLength > length ? piece.subarray(length) : undefined;
    return piece?.subarray(0, length) ?? new Uint8Array(0);
  }

  /** Whether it is standard input, for which a read may have to wait long. */
  isInput(fd: unknown): boolean {
    const found = fd === 0 ? this.#opened.get(fd) : undefined;
    return found !== undefined && found.handle === undefined;
  }

  hasInputLeft(): boolean {
    return this.#inputLeft !== undefined;
  }

  /** Fills a buffer with what is left of standard input, or else with a piece that has just come. Returns how much that is. */
  takeInput(view: Uint8Array, piece?: Uint8Array): number {
    const bytes = this.#partOfInput(this.#inputLeft ?? piece, view.byteLength);
    view.set(bytes);
    return bytes.byteLength;
  }

  #readBytes(fd: unknown, length: number, position: number | undefined): Uint8Array {
    const file = this.file(fd, 'read');
    if (file.handle === undefined) {
      if (fd !== 0) throw systemError('EBADF', 'read');
      return this.#readInput(length);
    }
    const from = position ?? file.position;
    const call = { op: 'readAt', handle: file.handle, position: from, length } as const;
    const bytes = this.#calls.ask('read', undefined, call);
    if (position === undefined) file.position = from + bytes.byteLength;
    return bytes;
  }

  /** Writes at a position, or where the last operation ended. */
  writeBytes(fd: unknown, bytes: Uint8Array, position?: number): number {
    const file = this.file(fd, 'write');
    if (file.handle === undefined) {
      if (fd === 0) throw systemError('EBADF', 'write');
      this.#calls.print(fd === 1 ? 1 : 2, bytes);
      return bytes.byteLength;
    }
    // A call may be carried out before its event, and what is written in between goes after it.
    const advance = () => {
      if (position === undefined) file.position += bytes.byteLength;
      file.accepts = file.appends;
    };
    // Programs write their logs in small pieces, and for each of them the answer would take longer than the writing.
    if (file.accepts && bytes.byteLength <= MOST_UNWAITED_BYTES && this.#calls.append(file.handle, bytes)) {
      advance();
      return bytes.byteLength;
    }
    const at = file.appends ? -1 : (position ?? file.position);
    if (at + bytes.byteLength > MAX_FILE_BYTES) throw systemError('EFBIG', 'write');
    const call = { op: 'writeAt', handle: file.handle, position: at, content: bytes } as const;
    named('write', undefined, undefined, () => this.#calls.send(call, advance));
    return bytes.byteLength;
  }

  /** Reads from where the last operation ended to the end of the file. */
  readAll(fd: number): Uint8Array {
    const pieces: Uint8Array[] = [];
    for (;;) {
      const piece = this.#readBytes(fd, 1024 * 1024, undefined);
      if (piece.byteLength === 0)
        return pieces.length === 1 && pieces[0] ? pieces[0] : this.#codec.concat(pieces);
      pieces.push(piece);
    }
  }

  read(fd: unknown, target: unknown, ...args: unknown[]): number {
    fdOf(fd);
    const { view, position } = partToRead(target, args);
    this.file(fd, 'read');
    if (view.byteLength === 0) return 0;
    const bytes = this.#readBytes(fd, view.byteLength, position);
    view.set(bytes);
    return bytes.byteLength;
  }

  write(fd: unknown, data: unknown, ...args: unknown[]): number {
    fdOf(fd);
    if (typeof data === 'string') {
      const [position, encoding] = args;
      return this.writeBytes(fd, this.#codec.written(data, encoding), writePosition(position));
    }
    const { view, position } = partToWrite(data, args);
    this.file(fd, 'write');
    return this.writeBytes(fd, view, position);
  }

  readv(fd: unknown, buffers: unknown, position?: unknown): number {
    fdOf(fd);
    const views = vectorsOf(buffers);
    this.file(fd, 'read');
    if (views.length === 0) throw systemError('EINVAL', 'read');
    let at = writePosition(position);
    let total = 0;
    for (const each of views) {
      const count = this.read(fd, each, 0, each.byteLength, at);
      total += count;
      if (at !== undefined) at += count;
      if (count < each.byteLength) break;
    }
    return total;
  }

  writev(fd: unknown, buffers: unknown, position?: unknown): number {
    fdOf(fd);
    const views = vectorsOf(buffers);
    this.file(fd, 'write');
    let at = writePosition(position);
    let total = 0;
    for (const each of views) {
      const count = this.write(fd, each, 0, each.byteLength, at);
      total += count;
      if (at !== undefined) at += count;
    }
    return total;
  }

  ftruncate(fd: unknown, length: unknown = 0): void {
    fdOf(fd);
    needInteger(length, 'len');
    const handle = this.#handleOf(fd, 'ftruncate');
    const size = Math.max(0, length);
    if (size > MAX_FILE_BYTES) throw systemError('EFBIG', 'ftruncate');
    try {
      this.#calls.ask('ftruncate', undefined, { op: 'truncate', handle, length: size });
    } catch (error) {
      // The file is open, but not for writing.
      if (codeOf(error) === 'EBADF') throw systemError('EINVAL', 'ftruncate');
      throw error;
    }
  }

  fstat(fd: unknown, options?: unknown) {
    const { handle } = this.file(fd, 'fstat');
    if (handle === undefined) return statsOf(streamStat(Number(fd)), options);
    return statsOf(this.#calls.ask('fstat', undefined, { op: 'fstat', handle }), options);
  }

  fchmod(fd: unknown, mode: unknown): void {
    fdOf(fd);
    const bits = modeOf(mode, undefined) & 0o7777;
    const handle = this.#handleOf(fd, 'fchmod');
    this.#calls.ask('fchmod', undefined, { op: 'fchmod', handle, mode: bits });
  }

  fchown(fd: unknown, user: unknown, group: unknown): void {
    fdOf(fd);
    needOwner(user, group);
    this.file(fd, 'fchown');
  }

  futimes(fd: unknown, accessed: unknown, modified: unknown): void {
    fdOf(fd);
    const times = { accessed: timeOf(accessed, 'atime'), modified: timeOf(modified, 'mtime') };
    const handle = this.#handleOf(fd, 'futime');
    this.#calls.ask('futime', undefined, { op: 'futimes', handle, ...times });
  }

  // Files are in memory until the workspace stores them, so there is nothing to flush.
  fsync(fd: unknown): void {
    this.file(fd, 'fsync');
  }

  fdatasync(fd: unknown): void {
    this.file(fd, 'fdatasync');
  }
}

function streamStat(fd: number): NodeStat {
  const now = Date.now();
  const times = { modified: now, accessed: now, changed: now, born: now };
  return { type: 'device', mode: 0o620, size: 0, inode: fd, names: 1, ...times };
}
