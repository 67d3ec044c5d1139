import type { LoadBuiltin } from '../builtins/builtin.ts';
import { argTypeError, needFunction, nodeError, outOfRange } from '../builtins/internal/errors.ts';
import type { ProcessSignal } from '../../shared/protocol.ts';
import { SIGNAL_NUMBERS, codeOf, endsProcess } from '../../shared/signals.ts';
import { joined } from '../loader/files.ts';
import { identityOf } from './identity.ts';
import { makeFinalization, makeUsers, maskOf, referrer } from './process-checks.ts';
import { refused, signalName, watchHandledSignals } from './process-signals.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { NodeStart } from '../../shared/wire.ts';
import type { EventLoop } from '../loop/loop.ts';
import { SharedEnv } from './shared-env.ts';
import { makeStandardStreams } from './process-streams.ts';
import { makeUsage } from './usage.ts';
import { Warnings } from './warnings.ts';

export interface ProcessParts {
  readonly start: NodeStart;
  readonly link: KernelLink;
  readonly loop: EventLoop;
  readonly load: LoadBuiltin;
  readonly builtin: (name: string) => unknown;
  /** Throws as node's `chdir` does if the path is not a directory. */
  readonly checkFolder: (path: string, given: string) => string;
  /** Ends the process, after all listeners have been called. */
  readonly end: (code: number, signal?: ProcessSignal) => never;
  /** Returns the kind of each thing that keeps the process alive. */
  readonly kept: () => string[];
  /** Signals another process of the workspace by its number. False if this process did not start it. */
  readonly signalOther: (pid: number, signal: string | number) => boolean;
}

/** The `process` object. */
export function makeProcess(parts: ProcessParts) {
  const { start, link, loop, load } = parts;
  const EventEmitter = load('events');
  const streams = makeStandardStreams(load, link, loop, start.terminal);
  let cwd = start.cwd;
  let exitCode: number | string | null | undefined;
  let mask = 0o022;
  let exiting = false;
  let capture: ((error: unknown) => void) | null = null;
  let sharedEnv: SharedEnv | undefined;

  class process {}
  Object.setPrototypeOf(process.prototype, EventEmitter.prototype);
  const it = new process() as Omit<NodeJS.Process, 'exitCode'> & {
    _exiting: boolean;
    exitCode: unknown;
    reallyExit(code: number): never;
    _kill(pid: number, signal: number): number;
  };
  const events: NodeJS.EventEmitter = it;
  Reflect.apply(EventEmitter, it, []);
  Object.defineProperty(it, Symbol.toStringTag, { value: 'process', writable: true });

  watchHandledSignals(it, streams, link);

  function exitWith(code?: number | string | null): never {
    if (code !== undefined) it.exitCode = code;
    if (!exiting) {
      exiting = true;
      it._exiting = true;
      events.emit('exit', Number(exitCode ?? 0));
    }
    return it.reallyExit(Number(exitCode ?? 0));
  }

  const warnings = new Warnings({ process: it, events, loop, load, streams, start });

  const members = {
    ...identityOf(start, () => sharedEnv),
    cwd: () => cwd,
    chdir(path: unknown) {
      if (typeof path !== 'string') throw argTypeError('directory', 'string', path);
      cwd = parts.checkFolder(joined(cwd, path), path);
    },
    umask(value?: unknown) {
      const before = mask;
      if (value !== undefined) mask = maskOf(value);
      return before;
    },
    exit: exitWith,
    reallyExit: (code: number) => parts.end(code & 255),
    abort: () => parts.end(codeOf('SIGABRT'), 'SIGABRT'),
    kill(pid: unknown, signal: string | number = 'SIGTERM') {
      const number = Number(pid);
      if ((typeof pid !== 'number' && typeof pid !== 'string') || number !== (number | 0) || pid === '')
        throw argTypeError('pid', 'number', pid);
      const name = signalName(signal);
      const failed = it._kill(number, name === 0 ? 0 : SIGNAL_NUMBERS[name]);
      if (failed) throw refused('ESRCH', 'kill');
      return true;
    },
    _kill(pid: number, signal: number): number {
      const name = signalName(signal);
      if (pid === start.pid || pid === 0 || pid === -start.pid) {
        if (name === 0) return 0;
        if (it.listenerCount(name) > 0) loop.add(() => events.emit(name, name, SIGNAL_NUMBERS[name]));
        else if (endsProcess(name)) parts.end(codeOf(name), name);
        return 0;
      }
      if (parts.signalOther(pid, name)) return 0;
      const found = link.ask({ kind: 'kill', pid, ...(name !== 0 && { signal: name }) });
      return found === true ? 0 : -3;
    },
    nextTick(callback: unknown, ...args: unknown[]) {
      needFunction(callback, 'callback');
      if (!exiting) loop.nextTick(callback, args);
    },
    ...makeUsage(),
    constrainedMemory: () => 0,
    availableMemory: () => 1024 ** 3,
    ...makeUsers(1000, 1000),
    emitWarning: warnings.emitWarning,
    getBuiltinModule: (name: string) => parts.builtin(name),
    getActiveResourcesInfo: () => parts.kept(),
    setUncaughtExceptionCaptureCallback(callback: unknown) {
      if (callback !== null && typeof callback !== 'function')
        throw argTypeError('fn', ['Function', 'null'], callback);
      if (callback !== null && capture !== null)
        throw nodeError(
          'ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET',
          '`process.setupUncaughtExceptionCapture()` was called while a capture callback was already active',
        );
      capture = callback as typeof capture;
    },
    hasUncaughtExceptionCaptureCallback: () => capture !== null,
    setSourceMapsEnabled(enabled: unknown) {
      if (typeof enabled !== 'boolean') throw argTypeError('enabled', 'boolean', enabled);
    },
    sourceMapsEnabled: false,
    loadEnvFile(path: unknown = '.env') {
      const fs = load('fs');
      const util = load('util') as { parseEnv(text: string): Record<string, string> };
      const given = util.parseEnv(String(fs.readFileSync(String(path), 'utf8')));
      for (const [name, value] of Object.entries(given)) it.env[name] ??= value;
    },
    binding(name: string) {
      throw nodeError('ERR_INVALID_MODULE', `No such binding: ${name}`);
    },
    dlopen() {
      throw nodeError(
        'ERR_DLOPEN_FAILED',
        'Native addons cannot be loaded in this workspace: it has no machine code',
      );
    },
    openStdin() {
      streams.stdin.resume();
      return streams.stdin;
    },
    report: { writeReport: () => '', getReport: () => ({}) },
    finalization: makeFinalization(events, (name) => warnings.experimental(name)),
    ref: referrer('ref'),
    unref: referrer('unref'),
    _rawDebug: (...args: [unknown]) =>
      link.print(2, new TextEncoder().encode(`${load('util').format(...args)}\n`)),
    assert(value: unknown, message?: string) {
      warnings.deprecated(
        'process.assert() is deprecated. Please use the `assert` module instead.',
        'DEP0100',
      );
      if (!value) throw nodeError('ERR_ASSERTION', message ?? 'assertion error');
    },
  };
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(it, name, { value, writable: true, configurable: true, enumerable: true });
  for (const name of ['stdin', 'stdout', 'stderr'] as const)
    Object.defineProperty(it, name, { get: () => streams[name], configurable: true, enumerable: true });
  Object.defineProperty(it, 'exitCode', {
    get: () => exitCode,
    set(value: unknown) {
      const isCode =
        value === undefined ||
        value === null ||
        (typeof value === 'number' && Number.isInteger(value)) ||
        (typeof value === 'string' && value !== '' && Number.isInteger(Number(value)));
      if (!isCode) {
        if (typeof value === 'number') throw outOfRange('code', 'an integer', value);
        throw argTypeError('code', 'number', value);
      }
      exitCode = value as typeof exitCode;
    },
    configurable: true,
    enumerable: true,
  });

  return {
    process: it as NodeJS.Process,
    events,
    streams,
    /** Emits a warning at once, so that it is shown before the effects of its cause. */
    warnNow: (text: string) =>
      void events.emit('warning', Object.assign(new Error(text), { name: 'Warning' })),
    flags: warnings.flags,
    /**
     * Shares the environment with other threads from now on. `given`: the memory, if this thread was
     * started with one.
     */
    shareEnv(given?: SharedArrayBuffer): SharedArrayBuffer {
      if (!sharedEnv) {
        const now = { ...it.env } as Record<string, string>;
        sharedEnv = new SharedEnv(given);
        // The present variables become the shared ones.
        if (!given) sharedEnv.write(now, () => {});
      }
      return sharedEnv.shared;
    },
    get capture() {
      return capture;
    },
    get exiting() {
      return exiting;
    },
    /** Returns the exit code as it is now. */
    code: () => Number(exitCode ?? 0),
    signal(signal: ProcessSignal) {
      if (signal === 'SIGINT' && streams.isRaw) return streams.press('\x03');
      loop.add(() => events.emit(signal, signal, SIGNAL_NUMBERS[signal]));
    },
    resized(columns: number, rows: number) {
      loop.add(() => {
        streams.resized(columns, rows);
        events.emit('SIGWINCH', 'SIGWINCH', SIGNAL_NUMBERS.SIGWINCH);
      });
    },
  };
}

export type MadeProcess = ReturnType<typeof makeProcess>;
