import { membersOf } from '../builtins/internal/guards.ts';
import { BLOCKED } from '../../shared/wire.ts';
import { modeOf, needMode, needOwner, pathOf, timeOf } from './arguments.ts';
import type { FileCalls } from './calls.ts';
import { systemError } from './errors.ts';
import { statFsOf, statsOf } from './shape.ts';

/** The operations on the status of files: their kind, permissions, owner and times. */
export class Status {
  readonly #calls: FileCalls;

  constructor(calls: FileCalls) {
    this.#calls = calls;
  }

  stat(path: unknown, options?: unknown) {
    return this.look('stat', path, options);
  }

  lstat(path: unknown, options?: unknown) {
    return this.look('lstat', path, options);
  }

  /** Undefined where nothing is there and the options say not to throw. */
  look(op: 'stat' | 'lstat', given: unknown, options: unknown, syscall: string = op) {
    const stat = this.#calls.onPath(syscall, given, (path) => ({
      op: op === 'stat' ? 'look' : 'lookLink',
      path,
    }));
    if (stat) return statsOf(stat, options);
    const code = stat === BLOCKED ? 'ENOTDIR' : 'ENOENT';
    const throws = membersOf(options).throwIfNoEntry !== false;
    if (throws || (op === 'lstat' && code === 'ENOTDIR')) throw systemError(code, syscall, pathOf(given));
    return undefined;
  }

  access(given: unknown, mode: unknown = 0): void {
    const path = pathOf(given);
    const bits = needMode(mode);
    this.#calls.onPath('access', path, (real) => ({ op: 'access', path: real, mode: bits }));
  }

  exists(given: unknown): boolean {
    try {
      return Boolean(this.#calls.onPath('access', given, (path) => ({ op: 'look', path })));
    } catch {
      return false;
    }
  }

  chmod(given: unknown, mode: unknown): void {
    const bits = modeOf(mode, undefined) & 0o7777;
    this.#calls.onPath('chmod', given, (path) => ({ op: 'chmod', path, mode: bits }));
  }

  // There is only one user, so this changes nothing. It only checks the arguments and the path.
  chown(given: unknown, user: unknown, group: unknown): void {
    const path = pathOf(given);
    needOwner(user, group);
    this.#calls.onPath('chown', path, (real) => ({ op: 'access', path: real, mode: 0 }));
  }

  lchown(given: unknown, user: unknown, group: unknown): void {
    const path = pathOf(given);
    needOwner(user, group);
    this.look('lstat', path, undefined, 'lchown');
  }

  utimes(given: unknown, accessed: unknown, modified: unknown): void {
    const times = { accessed: timeOf(accessed), modified: timeOf(modified) };
    this.#calls.onPath('utime', given, (path) => ({ op: 'utimes', path, ...times }));
  }

  lutimes(given: unknown, accessed: unknown, modified: unknown): void {
    const times = { accessed: timeOf(accessed), modified: timeOf(modified) };
    this.#calls.onPath('lutime', given, (path) => ({ op: 'lutimes', path, ...times }));
  }

  statfs(given: unknown, options?: unknown) {
    const { total = 0, used = 0 } = this.#calls.onPath('statfs', given, (path) => ({ op: 'statfs', path }));
    return statFsOf(total, used, options);
  }
}
