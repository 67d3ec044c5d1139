import { argTypeError, needInteger } from '../builtins/internal/errors.ts';
import { membersOf } from '../builtins/internal/guards.ts';
import type { FsEntryAnswer } from '../../shared/protocol.ts';
import { modeOf, optionsOf, pathOf, type FileOptions } from './arguments.ts';
import type { FileCalls } from './calls.ts';
import type { ContentCodec } from './content-codec.ts';
import type { Deprecations } from './deprecations.ts';
import { codeOf, fsRefusal, systemError } from './errors.ts';
import { direntOf, type Dirent } from './shape.ts';
import type { Status } from './status.ts';

interface ReaddirOptions extends FileOptions {
  readonly withFileTypes?: boolean;
  readonly recursive?: boolean;
}

interface FoldersParts {
  readonly calls: FileCalls;
  readonly codec: ContentCodec;
  readonly status: Status;
  readonly deprecations: Deprecations;
  readonly umask: () => number;
}

/** The operations on folders. */
export class Folders {
  readonly #calls: FileCalls;
  readonly #codec: ContentCodec;
  readonly #status: Status;
  readonly #deprecations: Deprecations;
  readonly #umask: () => number;

  constructor({ calls, codec, status, deprecations, umask }: FoldersParts) {
    this.#calls = calls;
    this.#codec = codec;
    this.#status = status;
    this.#deprecations = deprecations;
    this.#umask = umask;
  }

  mkdir(given: unknown, options?: unknown): string | undefined {
    const isList = typeof options === 'object' && options !== null;
    const { recursive = false, mode } = (isList ? options : { mode: options }) as {
      readonly recursive?: boolean;
      readonly mode?: unknown;
    };
    const path = pathOf(given);
    const permission = modeOf(mode, 0o777, isList ? 'options.mode' : 'mode');
    let first: string | undefined;
    if (recursive && DOTS.test(path)) first = this.#firstMissing(path);
    let made = 0;
    try {
      made = this.#calls.onPath('mkdir', path, (real) => ({ op: 'mkdir', path: real, recursive }));
    } catch (error) {
      // A symlink without a target blocks one of the parent folders.
      if (recursive && codeOf(error) === 'EEXIST' && !this.#calls.statAt(path))
        throw systemError('ENOENT', 'mkdir', path);
      throw error;
    }
    if (recursive && made > 0 && first === undefined) {
      first = path;
      for (let n = 1; n < made; n++) first = folderIn(first);
    }
    if (permission !== 0o777 || this.#umask() !== 0o022)
      for (let at = path; at.length >= (recursive ? (first ?? `${path}/`) : path).length; at = folderIn(at))
        this.#status.chmod(at, permission & ~this.#umask());
    return first;
  }

  #firstMissing(path: string): string | undefined {
    let first: string | undefined;
    for (let at = path; at !== '' && !this.#calls.statAt(at); at = folderIn(at)) first = at;
    return first;
  }

  mkdtemp(prefix: unknown, options?: unknown) {
    const { encoding } = optionsOf(options);
    const start = pathOf(prefix, 'prefix');
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
    const random = crypto.getRandomValues(new Uint8Array(6));
    const path = start + Array.from(random, (byte) => letters[byte % letters.length]).join('');
    if (start === '') throw systemError('EINVAL', 'mkdtemp', 'XXXXX');
    const call = { op: 'mkdir', path: this.#calls.absolute(path), recursive: false } as const;
    this.#calls.ask('mkdtemp', `${start}XXXXXX`, call);
    this.#status.chmod(path, 0o700);
    return this.#codec.encoded(path, encoding);
  }

  #entries(given: string): FsEntryAnswer[] {
    const list = this.#calls.onPath('scandir', given, (path) => ({ op: 'readdir', path }));
    return list.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Returns the entries of a folder, with `shown` as their parent path. */
  entriesOf(folder: string, shown: string): Dirent[] {
    return this.#entries(folder).map(({ name, type }) => direntOf(name, shown, type));
  }

  readdir(given: unknown, options?: unknown): unknown[] {
    const { encoding, withFileTypes = false, recursive = false } = optionsOf<ReaddirOptions>(options);
    const top = pathOf(given);
    const found: unknown[] = [];
    const visit = (folder: string, prefix: string) => {
      const below: string[] = [];
      for (const { name, type } of this.#entries(folder)) {
        if (withFileTypes) found.push(direntOf(this.#codec.encoded(name, encoding), folder, type));
        else found.push(this.#codec.encoded(prefix + name, encoding));
        if (!recursive) continue;
        const isLink = type === 'symlink' && this.#isFolder(pathInFolder(folder, name));
        if (isLink || type === 'directory') below.push(name);
      }
      for (const name of below) visit(pathInFolder(folder, name), `${prefix}${name}/`);
    };
    visit(top, '');
    return found;
  }

  #isFolder(path: string): boolean {
    return this.#calls.statAt(path)?.type === 'directory';
  }

  rmdir(given: unknown, options?: { readonly recursive?: boolean }): void {
    if (options?.recursive)
      this.#deprecations.warn(
        'In future versions of Node.js, fs.rmdir(path, { recursive: true }) will be removed. ' +
          'Use fs.rm(path, { recursive: true }) instead',
        'DEP0147',
      );
    if (options?.recursive && this.#status.lstat(given)?.isDirectory())
      return this.rm(given, { recursive: true });
    this.#calls.onPath('rmdir', given, (path) => ({ op: 'rmdir', path }));
  }

  rm(given: unknown, options: { readonly recursive?: boolean; readonly force?: boolean } = {}): void {
    const { recursive = false, force = false } = options;
    const path = pathOf(given);
    checkRemoval(options);
    const stat = this.#status.lstat(path, { throwIfNoEntry: !force });
    if (!stat) return;
    if (stat.isDirectory() && !recursive) {
      const message = `Path is a directory: rm returned EISDIR (is a directory) ${path}`;
      throw fsRefusal('ERR_FS_EISDIR', message, { errno: 21, syscall: 'rm', path });
    }
    this.#calls.onPath('rm', path, (real) => ({ op: 'rm', path: real, recursive, force }));
  }
}

/** Matches a path with `.` or `..`, whose names are not one folder each. */
const DOTS = /(?:^|\/)\.\.?(?:\/|$)/;

function pathInFolder(folder: string, name: string): string {
  const start = folder.replace(/^(?:\.\/+)*\.?$|^\.\/+/, '');
  return start === '' ? name : start.endsWith('/') ? start + name : `${start}/${name}`;
}

/** The part of a path before its last name, unchanged. */
function folderIn(path: string): string {
  return /^(.*[^/])\/+[^/]+\/*$/.exec(path)?.[1] ?? '';
}

/** Throws where options of `rm` have the wrong type. */
function checkRemoval(options: object): void {
  const { recursive, force, maxRetries, retryDelay } = membersOf(options);
  for (const [name, value] of Object.entries({ force, recursive }))
    if (value !== undefined && typeof value !== 'boolean')
      throw argTypeError(`options.${name}`, 'boolean', value);
  if (retryDelay !== undefined) needInteger(retryDelay, 'options.retryDelay', 0, 2 ** 31 - 1);
  if (maxRetries !== undefined) needInteger(maxRetries, 'options.maxRetries', 0, 2 ** 32 - 1);
}
