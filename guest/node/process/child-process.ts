import type { Duplex, Readable } from 'node:stream';
import type { LoadBuiltin } from '../builtins/builtin.ts';
import { copyOf } from '../builtins/internal/bytes.ts';
import { abortError, argTypeError, needString, nodeError } from '../builtins/internal/errors.ts';
import { systemError } from '../fs/errors.ts';
import { joined } from '../loader/files.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { EventLoop, LoopHandle } from '../loop/loop.ts';
import type { ChildStart } from '../../shared/protocol.ts';
import {
  checkedCommand,
  checkedExecFile,
  checkedFork,
  checkedStart,
  checkLimits,
  signalOf,
} from './child-arguments.ts';
import { childChannel, type Serialization } from './child-channel.ts';
import type { StandardStreams } from './process-streams.ts';

type Stdio =
  'pipe' | 'ignore' | 'inherit' | 'ipc' | 'overlapped' | number | null | undefined | { readonly fd?: number };

interface SpawnOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly argv0?: string;
  readonly stdio?: Stdio | readonly Stdio[];
  readonly shell?: boolean | string;
  readonly detached?: boolean;
  readonly timeout?: number;
  readonly killSignal?: string | number;
  readonly maxBuffer?: number;
  readonly encoding?: BufferEncoding | 'buffer' | null;
  readonly input?: string | Uint8Array;
  readonly signal?: AbortSignal;
  readonly execPath?: string;
  readonly execArgv?: readonly string[];
  readonly silent?: boolean;
  readonly serialization?: Serialization;
}

export interface ChildProcessParts {
  readonly link: KernelLink;
  readonly loop: EventLoop;
  readonly load: LoadBuiltin;
  readonly process: NodeJS.Process;
  readonly streams: Pick<StandardStreams, 'pass' | 'lendKeyboard'>;
  /** Finds a program along PATH. The result is of kind `shell` for a command of the shell. */
  readonly findProgram: (name: string, cwd: string, path: string) => Program;
}

export type Program =
  | { readonly kind: 'node' }
  | { readonly kind: 'shell' }
  | { readonly kind: 'missing'; readonly code: 'ENOENT' | 'EACCES' };

type Words = readonly string[];
type Done = (error: Error | null, stdout: unknown, stderr: unknown) => void;

const quote = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
/** The calls that write to a child's standard input. */
type Fed = Pick<ReturnType<KernelLink['startChild']>, 'input' | 'endInput'>;

const isStream = (value: unknown): value is Duplex =>
  typeof value === 'object' &&
  value !== null &&
  'pipe' in value &&
  typeof Reflect.get(value, 'fd') !== 'number';

const NO_CHILD: Fed = { input() {}, endInput() {} };

/** The stack that real node gives the error of a program that cannot start. It does not name the caller. */
const STARTING = `    at ChildProcess._handle.onexit (node:internal/child_process:285:19)
    at onErrorNT (node:internal/child_process:483:16)
    at process.processTicksAndRejections (node:internal/process/task_queues:89:21)`;
const DEFAULT_MAX = 1024 * 1024;
const KILLED = 'SIGTERM';
/** The number of unread bytes that a pipe holds. */
const PIPE_BYTES = 64 * 1024;
const STREAMS = ['stdin', 'stdout', 'stderr'] as const;

function spawnError(syscall: string, code: string, file: string, args: Words) {
  const error = Object.assign(systemError(code, `${syscall} ${file}`), { path: file, spawnargs: [...args] });
  error.message = `${syscall} ${file} ${code}`;
  return error;
}

/** `node:child_process`: every child is a process of the workspace, `node` or the shell. */
export function makeChildProcess({ link, loop, load, process, streams, findProgram }: ChildProcessParts) {
  const EventEmitter = load('events');
  const { Buffer } = load('buffer');
  const running = new Map<number, ChildProcess>();

  interface Asked {
    readonly file: string;
    readonly args: Words;
    readonly options: SpawnOptions;
  }

  function asked(file: unknown, given?: unknown, more?: unknown): Asked {
    const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    return checkedStart(load, file, given, more, user);
  }

  function cwdOf({ cwd }: SpawnOptions): string {
    return cwd ? joined(process.cwd(), cwd) : process.cwd();
  }

  function environmentOf(options: SpawnOptions): Record<string, string> {
    const env = options.env ?? process.env;
    const pairs: [string, string][] = [];
    for (const name in env) if (env[name] !== undefined) pairs.push([name, String(env[name])]);
    return Object.fromEntries(pairs);
  }

  /** Returns the request to the kernel, or the code of the error if the program cannot start. */
  function startOf({
    file,
    args,
    options,
  }: Asked): Omit<ChildStart, 'id'> | { readonly failed: string; readonly words: Words } {
    const cwd = cwdOf(options);
    const env = environmentOf(options);
    const stdio = streamsOf(options.stdio);
    const inherited = STREAMS.flatMap((name, fd) =>
      stdio[fd] === 'inherit' && process[name].isTTY ? [fd] : [],
    );
    const rest = {
      cwd,
      env,
      ...(inherited.length > 0 && { terminal: terminalOf(inherited) }),
      ...(options.detached && { detached: true }),
    };
    if (link.look(cwd) !== 'directory') return { failed: 'ENOENT', words: args };
    const program = findProgram(file, cwd, env.PATH ?? '/usr/bin:/bin');
    if (program.kind === 'missing') return { failed: program.code, words: args };
    if (program.kind === 'node') return { program: { kind: 'node', args: [...args] }, ...rest };
    const isShell = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da)?sh$/.test(file);
    if (isShell && args[0] === '-c' && args[1] !== undefined)
      return {
        program: { kind: 'shell', script: args[1], args: args.slice(3), name: args[2] ?? file },
        ...rest,
      };
    const path = file.includes('/') ? joined(cwd, file) : file;
    return { program: { kind: 'shell', script: [path, ...args].map(quote).join(' '), args: [] }, ...rest };
  }

  function terminalOf(streams: readonly number[]) {
    const { columns = 80, rows = 24 } = process.stdout;
    return { streams, columns, rows };
  }

  function streamsOf(stdio: SpawnOptions['stdio']): readonly Stdio[] {
    const list: readonly Stdio[] = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio];
    return Array.from({ length: Math.max(3, list.length) }, (_, fd) => {
      const each = list[fd];
      if (each === undefined || each === null) return fd < 3 ? 'pipe' : 'ignore';
      if (each === 'overlapped') return 'pipe';
      if (typeof each === 'number') return each === fd ? 'inherit' : each;
      if (typeof each === 'object') return each.fd === fd ? 'inherit' : (each.fd ?? 'pipe');
      return each;
    });
  }

  function writeTo(fd: number, bytes: Uint8Array): void {
    if (fd === 1 || fd === 2) link.print(fd, bytes);
    else load('fs').writeSync(fd, bytes);
  }

  let start: (request: Asked) => ChildProcess;
  class ChildProcess extends EventEmitter {
    pid: number | undefined;
    connected = false;
    exitCode: number | null = null;
    signalCode: string | null = null;
    killed = false;
    spawnfile: string | null = null;
    spawnargs: string[] = [];
    stdin: unknown = null;
    stdout: unknown = null;
    stderr: unknown = null;
    stdio: unknown[] = [];
    #child: ReturnType<KernelLink['startChild']> | undefined;
    #handle: LoopHandle | undefined;
    #open = 1;

    /** Takes the options that the module's `spawn` has prepared. The program's name is the first argument. */
    spawn(options: unknown): void {
      if (typeof options !== 'object' || options === null) throw argTypeError('options', 'object', options);
      const { file, args, envPairs, ...rest } = options as Record<string, unknown>;
      if (envPairs !== undefined && !Array.isArray(envPairs))
        throw argTypeError('options.envPairs', 'Array', envPairs);
      needString(file, 'options.file');
      if (args !== undefined && !Array.isArray(args)) throw argTypeError('options.args', 'Array', args);
      const pairs = ((envPairs ?? []) as unknown[]).map((pair) => {
        const [, name = '', value = ''] = /^([^=]*)=?([^]*)$/.exec(String(pair)) ?? [];
        return [name, value];
      });
      const env = envPairs === undefined ? {} : { env: Object.fromEntries(pairs) };
      this.#begin(asked(file, (args ?? []).slice(1), { ...rest, ...env }));
    }

    #begin(request: Asked) {
      this.#handle = loop.handle();
      const { file, args, options } = request;
      this.spawnfile = file;
      this.spawnargs = [options.argv0 ?? file, ...args];
      const start = startOf(request);
      const stdio = streamsOf(options.stdio);
      if ('failed' in start) {
        this.#connect(stdio, NO_CHILD);
        this.#fail(start.failed, start.words);
        return;
      }
      const hasChannel = stdio.includes('ipc');
      const env =
        options.serialization === 'advanced'
          ? { ...start.env, NODE_CHANNEL_SERIALIZATION_MODE: 'advanced' }
          : start.env;
      const child = link.startChild({ ...start, env, ...(hasChannel && { channel: true }) }, (message) => {
        loop.add(() => {
          switch (message.kind) {
            case 'childStarted':
              this.pid = message.pid;
              running.set(message.pid, this);
              return void this.emit('spawn');
            case 'childOutput':
              return this.#output(message.stream, message.bytes);
            case 'childExited':
              // The channel's `disconnect` event comes before `exit`.
              channel?.closed();
              return loop.nextTick(() => this.#exited(message.exitCode, message.signal), []);
            case 'childFailed':
              return this.#fail(message.code, args);
            case 'childMessage':
              return void channel?.received(message.data);
            case 'childDisconnected':
              return void channel?.closed();
            case 'childWantsInput':
              return this.#wantsInput(child);
            case 'childKeyboard':
              if (this.#passesInput) {
                this.#lent = message.raw;
                streams.lendKeyboard(message.raw);
              }
          }
        });
      });
      this.#child = child;
      if (start.terminal) this.#followSize(start.terminal.streams, child);
      this.pid = child.pid;
      const channel = hasChannel
        ? childChannel(
            this,
            loop,
            load,
            { send: child.send, disconnect: child.disconnect },
            options.serialization,
          )
        : undefined;
      this.#connect(stdio, child);
      this.#pipeOthers(options.stdio);
      if (options.input !== undefined) {
        child.input(Buffer.from(options.input as string));
        child.endInput();
      }
      const { signal } = options;
      const abort = () => {
        if (this.kill(options.killSignal)) this.emit('error', abortError(signal?.reason));
      };
      if (signal?.aborted) loop.nextTick(abort, []);
      else if (signal) {
        signal.addEventListener('abort', abort, { once: true });
        this.once('exit', () => signal.removeEventListener('abort', abort));
      }
      if (options.timeout !== undefined && options.timeout > 0) {
        const timer = setTimeout(() => this.kill(options.killSignal), options.timeout);
        this.once('exit', () => clearTimeout(timer));
      }
    }

    /** Maps the child's outputs to the descriptors of this process that they go to. */
    #inherits: Partial<Record<1 | 2, number>> = {};
    #passesInput = false;
    /** Bytes of output that wait unread in our streams. They are acknowledged to the child only when read. */
    readonly #kept = { 1: 0, 2: 0 };
    /** Bytes sent to the child since it last asked for input. */
    #unread = 0;
    /** The callback of a write that waits until the child asks for input again. */
    #written: (() => void) | undefined;
    /** True while the child has the keyboard in raw mode. */
    #lent = false;

    #followSize(inherited: readonly number[], child: ReturnType<KernelLink['startChild']>) {
      const stream = inherited.includes(2) && !inherited.includes(1) ? process.stderr : process.stdout;
      const tell = () => child.resize(stream.columns, stream.rows);
      stream.on('resize', tell);
      this.once('exit', () => stream.removeListener('resize', tell));
    }

    #connect(stdio: readonly Stdio[], child: Fed) {
      const { Readable, Writable } = load('stream');
      if (stdio[0] === 'pipe') {
        this.stdin = new Writable({
          decodeStrings: true,
          write: (chunk: Uint8Array, _encoding, done) => {
            child.input(copyOf(chunk));
            this.#unread += chunk.byteLength;
            if (this.#unread <= PIPE_BYTES) done();
            else this.#written = done;
          },
          final: (done) => {
            child.endInput();
            done();
          },
          destroy: (error, done) => {
            child.endInput();
            done(error);
          },
        });
      } else if (stdio[0] === 'inherit') this.#passesInput = true;
      else child.endInput();
      for (const fd of [1, 2] as const) {
        const how = stdio[fd];
        if (how === 'inherit') this.#inherits[fd] = fd;
        else if (typeof how === 'number') this.#inherits[fd] = how;
        else if (how !== 'ignore' && how !== 'ipc') {
          this.#open++;
          const stream = new Readable({ read: () => this.#take(fd) });
          stream.once('close', () => {
            this.#take(fd);
            this.#closed();
          });
          this[fd === 1 ? 'stdout' : 'stderr'] = stream;
        }
      }
      this.stdio = [this.stdin, this.stdout, this.stderr, ...stdio.slice(3).map(() => null)];
    }

    /** Pipes to and from streams that the program passed in `stdio`, usually those of other children. */
    #pipeOthers(stdio: SpawnOptions['stdio']) {
      if (!Array.isArray(stdio)) return;
      const [input, ...outputs] = stdio.map((each: unknown) => (isStream(each) ? each : undefined));
      if (input && this.stdin) input.pipe(this.stdin as Duplex);
      for (const [at, mine] of [this.stdout, this.stderr].entries())
        if (outputs[at] && mine) (mine as Duplex).pipe(outputs[at], { end: false });
    }

    /** Passes on this process's input, one piece whenever the child asks for one. */
    #wantsInput(child: ReturnType<KernelLink['startChild']>) {
      this.#unread = 0;
      const written = this.#written;
      this.#written = undefined;
      written?.();
      if (!this.#passesInput) return;
      streams.pass((bytes) => {
        if (this.exitCode !== null || this.signalCode !== null) return false;
        if (bytes) child.input(Buffer.from(bytes));
        else child.endInput();
        return true;
      });
    }

    #output(fd: 1 | 2, bytes: Uint8Array) {
      const to = this.#inherits[fd];
      if (typeof to === 'number') writeTo(to, bytes);
      const stream = (fd === 1 ? this.stdout : this.stderr) as {
        push(chunk: unknown): boolean;
        destroyed: boolean;
      } | null;
      this.#kept[fd] += bytes.byteLength;
      const isFull =
        stream !== null &&
        !stream.destroyed &&
        !stream.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      if (!isFull) this.#take(fd);
    }

    #take(fd: 1 | 2) {
      const bytes = this.#kept[fd];
      this.#kept[fd] = 0;
      if (bytes > 0) this.#child?.used(bytes);
    }

    #exited(code: number, signal: string | undefined) {
      if (this.pid !== undefined) running.delete(this.pid);
      this.exitCode = signal === undefined ? code : null;
      this.signalCode = signal ?? null;
      if (this.#lent) streams.lendKeyboard(false);
      this.#endStreams();
      this.emit('exit', this.exitCode, this.signalCode);
      this.#closed();
    }

    #endStreams() {
      for (const stream of [this.stdout, this.stderr]) {
        const readable = stream as {
          push(chunk: null): void;
          readableFlowing: boolean | null;
          resume(): void;
          listenerCount(name: string): number;
        } | null;
        readable?.push(null);
        // A stream that nobody reads must not hold back the `close` event.
        if (readable?.readableFlowing === null && readable.listenerCount('readable') === 0) readable.resume();
      }
      (this.stdin as { destroy(): void } | null)?.destroy();
    }

    #closed() {
      if (--this.#open > 0) return;
      this.#handle?.release();
      loop.add(() => this.emit('close', this.exitCode, this.signalCode));
    }

    #fail(code: string, args: Words) {
      const error = spawnError('spawn', code, this.spawnfile ?? '', args);
      error.stack = `Error: ${error.message}\n${STARTING}`;
      this.exitCode = error.errno ?? -2;
      loop.addOnce(() => {
        this.#endStreams();
        this.emit('error', error);
        this.#closed();
      });
    }

    kill(signal: string | number = 'SIGTERM'): boolean {
      if (this.exitCode !== null || this.signalCode !== null || !this.#child) return false;
      if (signal === 0) return true;
      this.#child.signal(signalOf(signal));
      this.killed = true;
      return true;
    }

    ref() {
      this.#handle?.ref();
    }

    unref() {
      this.#handle?.unref();
    }

    static {
      start = (request) => {
        const child = new ChildProcess();
        child.#begin(request);
        return child;
      };
      const symbol: unknown = Reflect.get(Symbol, 'dispose');
      if (typeof symbol === 'symbol')
        Object.defineProperty(this.prototype, symbol, {
          value(this: ChildProcess) {
            if (!this.killed) this.kill();
          },
        });
    }
  }

  function spawn(file: unknown, args?: unknown, options?: unknown) {
    const request = asked(file, args, options);
    checkLimits({ ...request.options }, false);
    return start(request);
  }

  function execFile(file: unknown, ...rest: unknown[]) {
    const { args, options, done } = checkedExecFile(file, rest);
    const request = asked(file, args, options);
    return gather(request, done, String(file), Array.isArray(args) ? args.map(String) : []);
  }

  function exec(command: unknown, ...rest: unknown[]) {
    const whole = checkedCommand(command, rest[0]);
    return execFile(whole.command, whole.options, typeof rest[0] === 'function' ? rest[0] : rest[1]);
  }

  function gather(request: Asked, done: Done | undefined, file: string, args: Words) {
    const { encoding, maxBuffer = DEFAULT_MAX, killSignal = KILLED, timeout } = request.options;
    const { timeout: _ours, ...options } = request.options;
    const child = start({ ...request, options: { ...options, stdio: 'pipe' } });
    const cmd = [file, ...args].join(' ');
    const names = ['stdout', 'stderr'] as const;
    const streams = names.map((name) => child[name] as Readable | null);
    const pieces: (Uint8Array | string)[][] = [[], []];
    let failed: Error | undefined;
    let killed = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const kill = () => {
      for (const stream of streams) stream?.destroy();
      killed = true;
      child.kill(killSignal);
    };
    if (timeout) timer = setTimeout(kill, timeout);
    streams.forEach((stream, at) => {
      let size = 0;
      if (Buffer.isEncoding(encoding as string)) stream?.setEncoding(encoding as BufferEncoding);
      stream?.on('data', (piece: Uint8Array | string) => {
        const room = maxBuffer - size;
        size +=
          typeof piece === 'string'
            ? Buffer.byteLength(piece, stream.readableEncoding ?? 'utf8')
            : piece.length;
        const isOver = size > maxBuffer;
        // For text, node keeps as many characters as there was room for bytes.
        pieces[at]?.push(isOver ? piece.slice(0, Math.max(0, room)) : piece);
        if (!isOver || failed) return;
        const text = `${names[at]} maxBuffer length exceeded`;
        failed = nodeError('ERR_CHILD_PROCESS_STDIO_MAXBUFFER', text, RangeError);
        kill();
      });
    });
    let over = false;
    const end = (code: number | null, signal: string | null) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      if (!done) return;
      const [stdout, stderr] = streams.map((stream, at) =>
        stream?.readableEncoding
          ? pieces[at]?.join('')
          : Buffer.concat((pieces[at] ?? []).map((piece) => Buffer.from(piece as string))),
      );
      if (!failed && code === 0 && signal === null) return done(null, stdout, stderr);
      if (!failed) {
        const shown = code !== null && code < 0 ? load('util').getSystemErrorName(code) : code;
        failed = new Error(`Command failed: ${cmd}\n${String(stderr)}`);
        Object.assign(failed, { code: shown, killed: child.killed || killed, signal });
      }
      done(Object.assign(failed, { cmd }), stdout, stderr);
    };
    child.on('error', (error: Error) => {
      failed = error;
      for (const stream of streams) stream?.destroy();
      end(null, null);
    });
    child.on('close', end);
    return child;
  }

  interface SyncResult {
    pid: number;
    output: unknown[];
    stdout: unknown;
    stderr: unknown;
    status: number | null;
    signal: string | null;
    error?: Error;
  }

  function runSync(request: Asked): SyncResult {
    const { options } = request;
    checkLimits({ ...options }, true);
    const { encoding = 'buffer', maxBuffer = DEFAULT_MAX, timeout, killSignal, input } = options;
    if (Array.isArray(options.stdio) && options.stdio.includes('ipc'))
      throw nodeError('ERR_IPC_SYNC_FORK', 'IPC cannot be used with synchronous forks');
    if (input && typeof input !== 'string' && !ArrayBuffer.isView(input))
      throw argTypeError('options.stdio[0]', ['Buffer', 'TypedArray', 'DataView', 'string'], input);
    const shown = (bytes: Uint8Array) =>
      encoding === 'buffer' || encoding === null ? Buffer.from(bytes) : Buffer.from(bytes).toString(encoding);
    const failure = (code: string) => spawnError('spawnSync', code, request.file, request.args);
    const start = startOf(request);
    if ('failed' in start)
      return {
        error: failure(start.failed),
        status: null,
        signal: null,
        output: null as never,
        pid: 0,
        stdout: null,
        stderr: null,
      };
    const stdio = streamsOf(options.stdio ?? 'pipe');
    const given =
      typeof input === 'string'
        ? Buffer.from(input)
        : input
          ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
          : new Uint8Array(0);
    const inherits = [0, 1, 2].filter((fd) => stdio[fd] === 'inherit' && (fd > 0 || input === undefined));
    const ran = link.runChild(start, copyOf(given), {
      inherits,
      maxBytes: maxBuffer,
      ...(timeout !== undefined && timeout > 0 && { timeoutMs: timeout }),
      ...(killSignal !== undefined && { killSignal: signalOf(killSignal) }),
    });
    if (ran.failed)
      return {
        error: failure(ran.failed.code),
        status: null,
        signal: null,
        output: null as never,
        pid: 0,
        stdout: null,
        stderr: null,
      };
    const outputs = ([1, 2] as const).map((fd) => {
      const bytes = fd === 1 ? ran.stdout : ran.stderr;
      const how = stdio[fd];
      if (typeof how === 'number') writeTo(how, bytes);
      return how === 'pipe' ? shown(bytes) : null;
    });
    const [stdout, stderr] = outputs;
    const result: SyncResult = {
      pid: ran.pid,
      output: [null, ...outputs],
      stdout,
      stderr,
      status: ran.signal === undefined ? ran.exitCode : null,
      signal: ran.signal ?? null,
    };
    if (ran.timedOut) result.error = failure('ETIMEDOUT');
    else if (ran.overflowed) result.error = failure('ENOBUFS');
    return result;
  }

  function spawnSync(file: unknown, args?: unknown, options?: unknown): SyncResult {
    return runSync(asked(file, args, options));
  }

  function checked(result: SyncResult, cmd: string, options: SpawnOptions) {
    if (options.stdio === undefined && result.stderr && (result.stderr as { length: number }).length > 0)
      link.print(2, Buffer.from(result.stderr as string));
    if (result.error) throw Object.assign(result.error, result);
    if (result.status !== 0) {
      const text = result.stderr ? String(result.stderr as string) : '';
      const error = new Error(`Command failed: ${cmd}${text ? `\n${text}` : ''}`);
      throw Object.assign(error, result);
    }
    return result.stdout;
  }

  function execFileSync(file: unknown, given?: unknown, more?: unknown) {
    const request = asked(file, given, more);
    return checked(
      runSync(request),
      [file, ...(request.options.shell ? [] : request.args)].join(' '),
      request.options,
    );
  }

  function execSync(command: unknown, options?: unknown) {
    const whole = checkedCommand(command, options);
    const request = asked(whole.command, [], whole.options);
    return checked(runSync(request), whole.command, request.options);
  }

  function fork(path: unknown, list?: unknown, more?: unknown) {
    const { file, args, options } = checkedFork(load, path, list, more, process);
    return start(asked(file, args, options));
  }

  for (const operation of [exec, execFile])
    Object.defineProperty(operation, Symbol.for('nodejs.util.promisify.custom'), {
      value: (...args: unknown[]) => {
        let resolve: (both: object) => void = () => {};
        let reject: (error: Error) => void = () => {};
        const promise = new Promise<object>((fulfil, refuse) => ([resolve, reject] = [fulfil, refuse]));
        // Errors in the arguments are thrown and do not reject the promise.
        const child: unknown = Reflect.apply(operation, undefined, [
          ...args,
          (error: Error | null, stdout: unknown, stderr: unknown) => {
            if (error) reject(Object.assign(error, { stdout, stderr }));
            else resolve({ stdout, stderr });
          },
        ]);
        return Object.assign(promise, { child });
      },
    });

  return {
    module: { ChildProcess, spawn, exec, execFile, fork, spawnSync, execSync, execFileSync, _forkChild() {} },
    /** Signals a child by its process number. False if this process has no such child. */
    signal(pid: number, signal: string | number): boolean {
      const child = running.get(pid);
      return child !== undefined && child.kill(signal);
    },
  };
}
