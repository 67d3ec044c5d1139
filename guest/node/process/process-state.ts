import { argTypeError, nodeError, outOfRange } from '../builtins/internal/errors.ts';
import { isFunction } from '../builtins/internal/guards.ts';
import type { ProcessSignal } from '../../shared/protocol.ts';
import type { LoadBuiltin } from '../builtins/builtin.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { NodeStart } from '../../shared/wire.ts';
import type { EventLoop } from '../loop/loop.ts';
import type { StandardStreams } from './process-streams.ts';
import { SharedEnv } from './shared-env.ts';
import type { Warnings } from './warnings.ts';

export interface ProcessParts {
  readonly start: NodeStart;
  readonly link: KernelLink;
  readonly loop: EventLoop;
  readonly load: LoadBuiltin;
  readonly builtin: (name: string) => unknown;
  readonly builtinNames: () => readonly string[];
  /** Throws as node's `chdir` does if the path is not a directory. */
  readonly checkFolder: (path: string, given: string) => string;
  /** Ends the process, after all listeners have been called. */
  readonly end: (code: number, signal?: ProcessSignal) => never;
  /** Returns the kind of each thing that keeps the process alive. */
  readonly kept: () => string[];
  /** Signals another process of the workspace by its number. False if this process did not start it. */
  readonly signalOther: (pid: number, signal: string | number) => boolean;
}

/** The object of the program, with the members that programs replace and that this code therefore looks up. */
export type ProcessObject = Omit<NodeJS.Process, 'exitCode'> & {
  _exiting: boolean;
  exitCode: unknown;
  reallyExit(code: number): never;
  _kill(pid: number, signal: number): number;
};

/** A process while its object is made, and for the members of that object. */
export interface ProcessContext extends ProcessParts {
  readonly it: ProcessObject;
  readonly events: NodeJS.EventEmitter;
  readonly streams: StandardStreams;
  readonly warnings: Warnings;
  readonly state: ProcessState;
}

type Capture = (error: unknown) => void;

/** The state of a process that is no member of its `process` object. */
export class ProcessState {
  cwd: string;
  mask = 0o022;
  exiting = false;
  sharedEnv: SharedEnv | undefined;
  #exitCode: number | string | null | undefined;
  #capture: Capture | null = null;

  constructor(cwd: string) {
    this.cwd = cwd;
  }

  get exitCode(): number | string | null | undefined {
    return this.#exitCode;
  }

  /** Throws if a program sets an exit code that is no whole number. */
  setExitCode(value: unknown): void {
    if (!isExitCode(value)) {
      if (typeof value === 'number') throw outOfRange('code', 'an integer', value);
      throw argTypeError('code', 'number', value);
    }
    this.#exitCode = value;
  }

  /** The exit code as it is now. */
  get code(): number {
    return Number(this.#exitCode ?? 0);
  }

  /** The function that gets uncaught errors in place of the listeners, if the program has set one. */
  get capture(): Capture | null {
    return this.#capture;
  }

  setCapture(callback: unknown): void {
    if (callback !== null && !isFunction(callback)) throw argTypeError('fn', ['Function', 'null'], callback);
    if (callback !== null && this.#capture !== null)
      throw nodeError(
        'ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET',
        '`process.setupUncaughtExceptionCapture()` was called while a capture callback was already active',
      );
    this.#capture = callback;
  }

  /**
   * Shares the environment with other threads from now on. `given`: the memory, if this thread was started with one.
   */
  shareEnv(env: NodeJS.ProcessEnv, given?: SharedArrayBuffer): SharedArrayBuffer {
    if (!this.sharedEnv) {
      const now = { ...env };
      this.sharedEnv = new SharedEnv(given);
      // The present variables become the shared ones.
      if (!given) this.sharedEnv.write(now, () => {});
    }
    return this.sharedEnv.shared;
  }
}

function isExitCode(value: unknown): value is number | string | null | undefined {
  return (
    value === undefined ||
    value === null ||
    (typeof value === 'number' && Number.isInteger(value)) ||
    (typeof value === 'string' && value !== '' && Number.isInteger(Number(value)))
  );
}
