import type { FileOutcome, NodeFsCall, NodeStat } from '../../shared/wire.ts';
import type { FileAnswer } from '../kernel/answers.ts';
import type { KernelLink } from '../kernel/link.ts';
import { joined } from '../loader/files.ts';
import { pathOf } from './arguments.ts';
import { codeOf, named, systemError } from './errors.ts';
import { CallFailed } from '../../shared/shared-answer.ts';
import { PendingCalls, type CallToSend } from './pending-calls.ts';

/** Thrown where a call that is only being checked reaches the point of doing something. */
const REACHED = Symbol('reached');

export type CallsLink = Pick<KernelLink, 'readInput' | 'print' | 'append'> & {
  files(call: NodeFsCall): unknown;
  severalFiles(calls: readonly NodeFsCall[]): readonly FileOutcome[];
};

/** Sends calls to the kernel. In a dry run, which checks the arguments of an operation, it sends none. */
export class FileCalls {
  readonly #link: CallsLink;
  readonly #cwd: () => string;
  #isDryRun = false;
  /** The call at which a dry run ended. */
  #reached: CallToSend | undefined;
  readonly pending: PendingCalls;

  constructor(link: CallsLink, cwd: () => string) {
    this.#link = link;
    this.#cwd = cwd;
    this.pending = new PendingCalls(link);
  }

  absolute(path: string): string {
    return joined(this.#cwd(), path);
  }

  /**
   * Checks the arguments of an operation without carrying it out. Returns the first call that it makes, if it comes to
   * one. Throws if the arguments are wrong.
   */
  check(run: () => unknown): CallToSend | undefined {
    this.#isDryRun = true;
    this.#reached = undefined;
    try {
      run();
    } catch (error) {
      if (isMisuse(error)) throw error;
    } finally {
      this.#isDryRun = false;
    }
    return this.#reached;
  }

  /** Ends a dry run here: what follows changes something, with this call if one is given. */
  reach(call?: NodeFsCall, onDone?: () => void): void {
    if (!this.#isDryRun) return;
    this.#reached = call && { call, onDone };
    throw REACHED;
  }

  readInput(): Uint8Array | undefined {
    this.reach();
    return this.#link.readInput();
  }

  print(fd: 1 | 2, bytes: Uint8Array): void {
    this.reach();
    this.#link.print(fd, bytes);
  }

  /** Adds bytes to the end of an open file without waiting. False if the operation must be sent as a call, or was. */
  append(handle: number, bytes: Uint8Array): boolean {
    if (this.#isDryRun || this.pending.isSent) return false;
    this.#link.append(handle, bytes);
    return true;
  }

  /**
   * Sends a call as it is, unless it was sent before with those of other operations. `onDone` is called once the kernel
   * has carried it out. Throws CallFailed.
   */
  send<Call extends NodeFsCall>(call: Call, onDone?: () => void): FileAnswer<Call> {
    this.reach(call, onDone);
    const outcome = this.pending.take();
    if (!outcome) {
      const answer = this.#link.files(call) as FileAnswer<Call>;
      onDone?.();
      return answer;
    }
    if ('failed' in outcome) throw new CallFailed(outcome.failed.code, outcome.failed.message);
    return outcome.value as FileAnswer<Call>;
  }

  /** Sends a call. If it fails, throws node's error for the system call and the paths that it names. */
  ask<Call extends NodeFsCall>(
    syscall: string,
    path: string | undefined,
    call: Call,
    dest?: string,
  ): FileAnswer<Call> {
    return named(syscall, path, dest, () => this.send(call));
  }

  /** Returns the stat of a path. Undefined where there is nothing, and where the path cannot be looked up. */
  statAt(path: string, op: 'look' | 'lookLink' = 'look'): NodeStat | undefined {
    try {
      return this.send({ op, path: this.absolute(path) }) || undefined;
    } catch (error) {
      if (error === REACHED) throw error;
      return undefined;
    }
  }

  /** Sends a call on one path, which a program gave as text, bytes or a URL. */
  onPath<Call extends NodeFsCall>(
    syscall: string,
    given: unknown,
    op: (path: string) => Call,
  ): FileAnswer<Call> {
    const path = pathOf(given);
    if (path === '') throw systemError('ENOENT', syscall, path);
    const call = op(this.absolute(path));
    // A path with a slash at its end must be a directory.
    if (path.endsWith('/') && path !== '/' && call.op !== 'mkdir') {
      const found = this.statAt(path)?.type;
      if (found && (found !== 'directory' || call.op === 'unlink'))
        throw systemError('ENOTDIR', syscall, path);
      if (found && call.op === 'readlink') throw systemError('EINVAL', syscall, path);
    }
    return this.ask(syscall, path, call);
  }

  /** Sends a call with a source and a target path. */
  onPaths(
    syscall: string,
    source: string,
    target: string,
    op: (from: string, to: string) => NodeFsCall,
  ): unknown {
    const refuse = (code: string) => systemError(code, syscall, source, target);
    if (source === '' || target === '') throw refuse('ENOENT');
    if (/[^/]\/$/.test(source)) {
      const found = this.statAt(source)?.type;
      if (found && found !== 'directory') throw refuse('ENOTDIR');
    }
    if (/[^/]\/$/.test(target)) {
      const from = this.statAt(source, 'lookLink')?.type;
      if (from && from !== 'directory')
        throw refuse(syscall === 'rename' || this.statAt(target) ? 'ENOTDIR' : 'ENOENT');
    }
    return this.ask(syscall, source, op(this.absolute(source), this.absolute(target)), target);
  }
}

function isMisuse(error: unknown): boolean {
  return (
    error instanceof TypeError || error instanceof RangeError || String(codeOf(error)).startsWith('ERR_')
  );
}
