import type { LoadBuiltin } from '../builtins/builtin.ts';
import { argTypeError, needFunction, nodeError, outOfRange } from '../builtins/internal/errors.ts';
import type { ProcessSignal } from '../../shared/protocol.ts';
import { SIGNAL_NUMBERS, codeOf, endsProcess, isSignal, signalNumbered } from '../../shared/signals.ts';
import { joined } from '../loader/files.ts';
import { makeFinalization, makeUsers, maskOf, needUsage, referrer } from './process-checks.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { NodeStart } from '../../shared/wire.ts';
import type { EventLoop } from '../loop/loop.ts';
import { SharedEnv } from './shared-env.ts';
import { makeStandardStreams } from './process-streams.ts';
import { EXEC_PATH, VERSION, versions } from '../start/versions.ts';

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

// This is the browser's. The program's own is made when it first reads it.
const clock = performance;

/** The `process` object. */
export function makeProcess(parts: ProcessParts) {
  const { start, link, loop, load } = parts;
  const EventEmitter = load('events');
  const began = clock.now();
  const streams = makeStandardStreams(load, link, loop, start.terminal);
  let cwd = start.cwd;
  let exitCode: number | string | null | undefined;
  let mask = 0o022;
  let exiting = false;
  let capture: ((error: unknown) => void) | null = null;
  let traceHintShown = false;
  let sharedEnv: SharedEnv | undefined;
  let assertTold = false;

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

  const caught = new Set<ProcessSignal>();
  /**
   * Reports the signals that the program handles. At once, because one may come right after the program
   * says it is ready.
   */
  const tellCaught = (added?: string | symbol) => {
    const listened = new Set([...it.eventNames(), ...(added === undefined ? [] : [added])]);
    // In raw mode, Ctrl-C is a key like any other.
    if (streams.isRaw) listened.add('SIGINT');
    const names = [...listened].filter(isSignal);
    if (names.length === caught.size && names.every((name) => caught.has(name))) return;
    caught.clear();
    for (const name of names) caught.add(name);
    link.say({ kind: 'catches', signals: names });
  };
  it.on('newListener', (name) => {
    if (name === 'SIGKILL' || name === 'SIGSTOP') throw refused('EINVAL', 'uv_signal_start');
    if (isSignal(name)) tellCaught(name);
  });
  it.on('removeListener', () => tellCaught());
  streams.onRaw(() => tellCaught());

  function exitWith(code?: number | string | null): never {
    if (code !== undefined) it.exitCode = code;
    if (!exiting) {
      exiting = true;
      it._exiting = true;
      events.emit('exit', Number(exitCode ?? 0));
    }
    return it.reallyExit(Number(exitCode ?? 0));
  }

  function hrtime(before?: [number, number]): [number, number] {
    const now = clock.timeOrigin + clock.now() - STARTED;
    const seconds = Math.floor(now / 1000);
    const nanos = Math.round((now % 1000) * 1e6);
    if (before === undefined) return [seconds, nanos];
    if (!Array.isArray(before)) throw argTypeError('time', 'Array', before);
    if (before.length !== 2) throw outOfRange('time', '2', before.length);
    const [s, n] = [seconds - before[0], nanos - before[1]];
    return n < 0 ? [s - 1, n + 1e9] : [s, n];
  }
  const STARTED = clock.timeOrigin - 1000;
  hrtime.bigint = () => BigInt(Math.round((clock.now() + 1000) * 1e6));

  function cpuUsage(before?: unknown) {
    const user = Math.round((clock.now() - began) * 1000);
    if (!before) return { user, system: 0 };
    needUsage(before);
    return { user: user - before.user, system: Math.max(0, -before.system) };
  }

  const toldOf = new Set<string>();
  function experimental(name: string): void {
    if (toldOf.has(name)) return;
    toldOf.add(name);
    emitWarning(`${name} is an experimental feature and might change at any time`, 'ExperimentalWarning');
  }

  function memoryUsage() {
    const heapUsed = 24 * 1024 * 1024;
    return {
      rss: 64 * 1024 * 1024,
      heapTotal: 32 * 1024 * 1024,
      heapUsed,
      external: 2 * 1024 * 1024,
      arrayBuffers: 16 * 1024,
    };
  }
  memoryUsage.rss = () => memoryUsage().rss;

  function emitWarning(warning: string | Error, typeOrOptions?: unknown, codeOrConstructor?: unknown): void {
    let type: unknown = typeOrOptions;
    let code: unknown = codeOrConstructor;
    let detail: unknown;
    if (typeof typeOrOptions === 'object' && typeOrOptions !== null)
      ({ type, code, detail } = typeOrOptions as Record<string, unknown>);
    else if (typeof typeOrOptions === 'function') type = undefined;
    if (Array.isArray(typeOrOptions)) type = typeOrOptions;
    if (typeof code === 'function') code = undefined;
    if (type !== undefined && typeof type !== 'string') throw argTypeError('type', 'string', type);
    if (code !== undefined && typeof code !== 'string') throw argTypeError('code', 'string', code);
    let error: Error & { code?: string; detail?: string };
    if (typeof warning === 'string') {
      error = new Error(warning);
      error.name = type ?? 'Warning';
      if (code !== undefined) error.code = code;
      if (typeof detail === 'string') error.detail = detail;
    } else if (warning instanceof Error) error = warning;
    else throw argTypeError('warning', ['Error', 'string'], warning);
    if (error.name === 'DeprecationWarning') {
      if (it.noDeprecation) return;
      if (it.throwDeprecation)
        return loop.nextTick(() => {
          throw error;
        }, []);
    }
    loop.nextTick(() => events.emit('warning', error), []);
  }

  it.on('warning', (warning: Error & { code?: string; detail?: string }) => {
    if (!(warning instanceof Error)) return;
    const { name, code, detail } = warning;
    if (name === 'DeprecationWarning' && it.noDeprecation) return;
    if (start.env.NODE_NO_WARNINGS === '1' || flags.noWarnings) return;
    if (flags.disabled.some((each) => each === name || each === code)) return;
    const text = flags.traceWarnings && warning.stack ? warning.stack : textOf(warning);
    const prefix = `(node:${start.pid}) ${code === undefined ? '' : `[${code}] `}`;
    let shown = `${prefix}${text}${detail === undefined ? '' : `\n${detail}`}`;
    if (!traceHintShown && !flags.traceWarnings) {
      traceHintShown = true;
      const flag = name === 'DeprecationWarning' ? '--trace-deprecation' : '--trace-warnings';
      shown += `\n(Use \`node ${flag} ...\` to show where the warning was created)`;
    }
    if (flags.writtenTo === undefined) streams.stderr.write(`${shown}\n`);
    else load('fs').appendFileSync(flags.writtenTo, `${shown}\n`);
  });
  const flags: WarningFlags = { noWarnings: false, traceWarnings: false, disabled: [], writtenTo: undefined };

  const members = {
    title: 'node',
    version: VERSION,
    versions: Object.freeze({ ...versions }),
    arch: 'x64',
    platform: 'linux',
    release: { name: 'node', lts: 'Jod' },
    pid: start.pid,
    ppid: start.ppid,
    execPath: EXEC_PATH,
    execArgv: [] as string[],
    argv: [EXEC_PATH],
    argv0: 'node',
    debugPort: 9229,
    exiting: false,
    _exiting: false,
    domain: null,
    env: environment(start.env, () => sharedEnv),
    config: { target_defaults: {}, variables: { napi_build_version: '10', node_module_version: 127 } },
    features: {
      inspector: false,
      debug: false,
      uv: true,
      ipv6: true,
      tls_alpn: true,
      tls_sni: true,
      tls_ocsp: true,
      tls: true,
      cached_builtins: true,
      require_module: true,
      typescript: 'strip',
    },
    allowedNodeEnvironmentFlags: new Set<string>(),
    moduleLoadList: [],
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
    hrtime,
    uptime: () => (clock.now() - began) / 1000 + 0.02,
    memoryUsage: Object.assign(memoryUsage, { rss: memoryUsage.rss }),
    cpuUsage,
    threadCpuUsage: cpuUsage,
    resourceUsage: () => ({
      userCPUTime: Math.round((clock.now() - began) * 1000),
      systemCPUTime: 0,
      maxRSS: memoryUsage().rss / 1024,
      sharedMemorySize: 0,
      unsharedDataSize: 0,
      unsharedStackSize: 0,
      minorPageFault: 0,
      majorPageFault: 0,
      swappedOut: 0,
      fsRead: 0,
      fsWrite: 0,
      ipcSent: 0,
      ipcReceived: 0,
      signalsCount: 0,
      voluntaryContextSwitches: 0,
      involuntaryContextSwitches: 0,
    }),
    constrainedMemory: () => 0,
    availableMemory: () => 1024 ** 3,
    ...makeUsers(1000, 1000),
    emitWarning,
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
    finalization: makeFinalization(events, (name) => experimental(name)),
    ref: referrer('ref'),
    unref: referrer('unref'),
    _rawDebug: (...args: [unknown]) =>
      link.print(2, new TextEncoder().encode(`${load('util').format(...args)}\n`)),
    assert(value: unknown, message?: string) {
      if (!assertTold)
        emitWarning(
          'process.assert() is deprecated. Please use the `assert` module instead.',
          'DeprecationWarning',
          'DEP0100',
        );
      assertTold = true;
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
    flags,
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

/** The flags that say how warnings are reported. */
export interface WarningFlags {
  noWarnings: boolean;
  traceWarnings: boolean;
  /** Names and codes that `--disable-warning` turns off. */
  disabled: readonly string[];
  /** The file that `--redirect-warnings` names. */
  writtenTo: string | undefined;
}

export type MadeProcess = ReturnType<typeof makeProcess>;

/** Describes an error even if the program has broken its `toString`. */
function textOf(error: Error): string {
  try {
    return String(error);
  } catch {
    return Error.prototype.toString.call(error);
  }
}

/** Makes the error of a refused system call that has no path. */
function refused(code: 'EINVAL' | 'ESRCH', syscall: string) {
  const errno = code === 'EINVAL' ? -22 : -3;
  return Object.assign(new Error(`${syscall} ${code}`), { errno, code, syscall });
}

function signalName(given: string | number | null): ProcessSignal | 0 {
  if (given === 0) return 0;
  const signal = given ?? 'SIGTERM';
  const name = typeof signal === 'number' ? signalNumbered(signal) : signal;
  if (isSignal(name)) return name;
  if (typeof signal === 'number') throw refused('EINVAL', 'kill');
  throw nodeError('ERR_UNKNOWN_SIGNAL', `Unknown signal: ${signal}`, TypeError);
}

/**
 * Makes `process.env`, whose values are always text. `shared`: returns the variables shared with other
 * threads, if any.
 */
function environment(
  given: Readonly<Record<string, string>>,
  shared: () => SharedEnv | undefined,
): NodeJS.ProcessEnv {
  const target: Record<string, string> = Object.assign(Object.create({}) as Record<string, string>, given);
  const change = (run: () => void) => {
    const all = shared();
    if (all) all.write(target, run);
    else run();
    return true;
  };
  return new Proxy(target, {
    get(env, name, receiver) {
      shared()?.read(env);
      return Reflect.get(env, name, receiver) as unknown;
    },
    has(env, name) {
      shared()?.read(env);
      return Reflect.has(env, name);
    },
    ownKeys(env) {
      shared()?.read(env);
      return Reflect.ownKeys(env);
    },
    getOwnPropertyDescriptor(env, name) {
      shared()?.read(env);
      return Reflect.getOwnPropertyDescriptor(env, name);
    },
    deleteProperty: (env, name) => change(() => Reflect.deleteProperty(env, name)),
    set(env, name, value) {
      if (typeof name === 'symbol' || typeof value === 'symbol')
        throw new TypeError('Cannot convert a Symbol value to a string');
      if (name === '') return true;
      return change(() => (env[name] = String(value)));
    },
    defineProperty(env, name, descriptor) {
      if (descriptor.get || descriptor.set)
        throw nodeError(
          'ERR_INVALID_OBJECT_DEFINE_PROPERTY',
          "'process.env' does not accept an accessor(getter/setter) descriptor",
          TypeError,
        );
      if (
        !('value' in descriptor) ||
        !descriptor.configurable ||
        !descriptor.writable ||
        !descriptor.enumerable
      )
        throw nodeError(
          'ERR_INVALID_OBJECT_DEFINE_PROPERTY',
          "'process.env' only accepts a configurable, writable, and enumerable data descriptor",
          TypeError,
        );
      return change(() =>
        Reflect.defineProperty(env, name, { ...descriptor, value: String(descriptor.value) }),
      );
    },
  });
}
