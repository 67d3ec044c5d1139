import { argTypeError, argValueError, needInteger, nodeError } from '../builtins/internal/errors.ts';
import { fileURLToPath } from '../builtins/url.ts';
import { OPEN } from '../../shared/wire.ts';
import { constants } from './constants.ts';

const decoder = new TextDecoder();

/** Returns a path as text. Throws node's error where the value is not a path. */
export function pathOf(path: unknown, name = 'path'): string {
  let text: string;
  if (typeof path === 'string') text = path;
  else if (path instanceof Uint8Array) text = decoder.decode(path);
  else if (isUrl(path)) text = fileURLToPath(path);
  else throw argTypeError(name, ['string', 'Buffer', 'URL'], path);
  if (text.includes('\0'))
    throw argValueError(name, text, 'must be a string, Uint8Array, or URL without null bytes');
  return text;
}

function isUrl(value: unknown): value is { readonly protocol: string; readonly pathname: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'href' in value &&
    'protocol' in value &&
    'pathname' in value &&
    typeof value.pathname === 'string'
  );
}

export interface FileOptions {
  readonly encoding?: BufferEncoding | 'buffer' | null | undefined;
  readonly flag?: string | number | undefined;
  readonly mode?: string | number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly flush?: boolean | undefined;
}

/** Returns options, which may be given as just an encoding. */
export function optionsOf<Options extends object = FileOptions>(
  options: unknown,
): Partial<Options> & FileOptions {
  if (options === undefined || options === null || typeof options === 'function') return {};
  if (typeof options === 'string') {
    checkEncoding(options);
    return { encoding: options } as Partial<Options> & FileOptions;
  }
  if (typeof options !== 'object') throw argTypeError('options', ['string', 'Object'], options);
  const { encoding, signal } = options as FileOptions;
  if (encoding !== undefined && encoding !== null) checkEncoding(encoding);
  needSignal(signal);
  return options as Partial<Options> & FileOptions;
}

export function needSignal(signal: unknown, name = 'options.signal'): void {
  if (signal !== undefined && !(typeof signal === 'object' && signal !== null && 'aborted' in signal))
    throw argTypeError(name, 'AbortSignal', signal);
}

/** Checks the type of `flush`, which otherwise has no effect: all files are in memory. */
export function needFlush(flush: unknown): void {
  if (flush !== undefined && flush !== null && typeof flush !== 'boolean')
    throw argTypeError('options.flush', 'boolean', flush);
}

const ENCODINGS = /^(?:utf-?8|ucs-?2|utf-?16le|latin1|binary|base64(?:url)?|hex|ascii|buffer)$/i;

function checkEncoding(encoding: unknown): void {
  if (typeof encoding === 'string' && ENCODINGS.test(encoding)) return;
  throw argValueError('encoding', encoding, 'is invalid encoding');
}

const { read, write, create, exclusive, truncate, append, directory, noFollow } = OPEN;
const FLAGS: Readonly<Record<string, number>> = {
  r: read,
  rs: read,
  'r+': read | write,
  'rs+': read | write,
  w: write | create | truncate,
  wx: write | create | truncate | exclusive,
  'w+': read | write | create | truncate,
  'wx+': read | write | create | truncate | exclusive,
  a: write | create | append,
  ax: write | create | append | exclusive,
  as: write | create | append,
  'a+': read | write | create | append,
  'ax+': read | write | create | append | exclusive,
  'as+': read | write | create | append,
};
const { O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_DIRECTORY, O_NOFOLLOW } = constants;

/** Converts the flags of `open` to those of the kernel. */
export function flagsOf(flags: unknown): number {
  if (typeof flags === 'number') {
    needInteger(flags, 'flags', -(2 ** 31), 2 ** 31 - 1);
    const access = flags & (O_WRONLY | O_RDWR);
    return (
      (access === 0 ? read : access === O_WRONLY ? write : read | write) |
      (flags & O_CREAT ? create : 0) |
      (flags & O_EXCL ? exclusive : 0) |
      (flags & O_TRUNC ? truncate : 0) |
      (flags & O_APPEND ? append : 0) |
      (flags & O_DIRECTORY ? directory : 0) |
      (flags & O_NOFOLLOW ? noFollow : 0)
    );
  }
  const known = FLAGS[String(flags).replace(/^([xs])([rwa])/, '$2$1')];
  if (known === undefined) throw argValueError('flags', flags);
  return known;
}

export function modeOf(mode: unknown, fallback: number | undefined, name = 'mode'): number {
  if ((mode === undefined || mode === null) && fallback !== undefined) return fallback;
  if (typeof mode === 'number') {
    needInteger(mode, name, 0, 2 ** 32 - 1);
    return mode;
  }
  if (typeof mode === 'string' && /^[0-7]+$/.test(mode)) return Number.parseInt(mode, 8);
  if (typeof mode === 'string')
    throw argValueError(name, mode, 'must be a 32-bit unsigned integer or an octal string');
  throw argTypeError(name, 'number', mode ?? undefined);
}

/** Checks the mode bits of `access` and `copyFile`. */
export function needMode(mode: unknown): number {
  if (mode === undefined || mode === null) return 0;
  if (typeof mode !== 'number')
    throw nodeError('ERR_INVALID_ARG_TYPE', 'mode must be int32 or null/undefined', TypeError);
  if (mode < 0 || mode > 7)
    throw nodeError('ERR_OUT_OF_RANGE', 'mode is out of range: >= 0 && <= 7', RangeError);
  return Math.trunc(mode);
}

export function fdOf(fd: unknown, name = 'fd'): number {
  needInteger(fd, name, 0, 2 ** 31 - 1);
  return fd;
}

/** Checks the user and group of `chown`. There is only one user, so they have no effect. */
export function needOwner(user: unknown, group: unknown): void {
  needInteger(user, 'uid', -1, 2 ** 32 - 1);
  needInteger(group, 'gid', -1, 2 ** 32 - 1);
}

/** Converts a time to whole milliseconds. It may be a date, or seconds as a number or text; a negative number means now. */
export function timeOf(time: unknown, name = 'time'): number {
  if (time instanceof Date) return clampTime(time.getTime());
  if (typeof time === 'string' && !Number.isNaN(Number(time))) return clampTime(Number(time) * 1000);
  if (typeof time === 'number' && Number.isFinite(time))
    return time < 0 ? Date.now() : clampTime(time * 1000);
  throw argTypeError(name, ['Date', 'Time in seconds'], time);
}

/** The latest time that ext4 can store, in milliseconds. */
const LAST_TIME = 15_032_385_535_000;

function clampTime(time: number): number {
  return Number.isNaN(time) ? LAST_TIME : Math.min(Math.round(time), LAST_TIME);
}
