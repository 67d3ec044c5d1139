import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { copyOf } from '../builtins/internal/bytes.ts';
import { abortError } from '../builtins/internal/errors.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { LoopHandle } from '../loop/loop.ts';
import type { FromChild } from '../../shared/protocol.ts';
import { signalOf } from './child-arguments.ts';
import { childChannel } from './child-channel.ts';
import {
  isStream,
  spawnError,
  startOf,
  streamsOf,
  writeTo,
  type ChildContext,
  type ChildRequest,
  type SpawnOptions,
  type Stdio,
} from './child-request.ts';
import { ownTimers } from '../loop/own-timers.ts';

/** The properties of a program's ChildProcess that its run sets and reads. */
export interface ChildObject extends EventEmitter {
  pid: number | undefined;
  exitCode: number | null;
  signalCode: string | null;
  killed: boolean;
  spawnfile: string | null;
  spawnargs: string[];
  stdin: Writable | null;
  stdout: Readable | null;
  stderr: Readable | null;
  stdio: unknown[];
  kill(signal?: string | number): boolean;
}

export interface RunContext extends ChildContext {
  /** The children that run, keyed by their process numbers. */
  readonly running: Map<number, Pick<ChildObject, 'kill'>>;
}

type KernelChild = ReturnType<KernelLink['startChild']>;
/** The calls that write to a child's standard input. */
type Input = Pick<KernelChild, 'input' | 'endInput'>;

const NO_CHILD: Input = { input() {}, endInput() {} };
/** The number of unread bytes that a pipe holds. */
const PIPE_BYTES = 64 * 1024;
/** The stack that real node gives the error of a program that cannot start. It does not name the caller. */
const STARTING = `    at ChildProcess._handle.onexit (node:internal/child_process:285:19)
    at onErrorNT (node:internal/child_process:483:16)
    at process.processTicksAndRejections (node:internal/process/task_queues:89:21)`;

/** One run of a child, from its start to its `close` event. Keeps the program's ChildProcess up to date. */
export class ChildRun {
  readonly #context: RunContext;
  readonly #owner: ChildObject;
  #child: KernelChild | undefined;
  #channel: ReturnType<typeof childChannel> | undefined;
  #handle: LoopHandle | undefined;
  /** Counts the process itself and each of its outputs that the program can read. */
  #open = 1;
  /** Maps the child's outputs to the descriptors of this process that they go to. */
  readonly #inherits: Partial<Record<1 | 2, number>> = {};
  #passesInput = false;
  /** Bytes of output that wait unread in our streams. They are acknowledged to the child only when read. */
  readonly #waiting = { 1: 0, 2: 0 };
  /** Bytes sent to the child since it last asked for input. */
  #unread = 0;
  /** The callback of a write that waits until the child asks for input again. */
  #written: (() => void) | undefined;
  /** True while the child has the keyboard in raw mode. */
  #hasKeyboard = false;

  constructor(context: RunContext, owner: ChildObject) {
    this.#context = context;
    this.#owner = owner;
  }

  start(request: ChildRequest): void {
    const { loop, link, load } = this.#context;
    this.#handle = loop.handle();
    const { file, args, options } = request;
    this.#owner.spawnfile = file;
    this.#owner.spawnargs = [options.argv0 ?? file, ...args];
    const start = startOf(this.#context, request);
    const stdio = streamsOf(options.stdio);
    if ('failed' in start) {
      this.#connect(stdio, NO_CHILD);
      this.#fail(start.failed, args);
      return;
    }
    const hasChannel = stdio.includes('ipc');
    const env =
      options.serialization === 'advanced'
        ? { ...start.env, NODE_CHANNEL_SERIALIZATION_MODE: 'advanced' }
        : start.env;
    const child = link.startChild({ ...start, env, ...(hasChannel && { channel: true }) }, (message) => {
      loop.add(() => this.#receive(message, child, args));
    });
    this.#child = child;
    if (start.terminal) this.#followSize(start.terminal.streams, child);
    this.#owner.pid = child.pid;
    if (hasChannel)
      this.#channel = childChannel(
        this.#owner,
        loop,
        load,
        { send: child.send, disconnect: child.disconnect },
        options.serialization,
      );
    this.#connect(stdio, child);
    this.#pipeOthers(options.stdio);
    if (options.input !== undefined) {
      child.input(load('buffer').Buffer.from(options.input as string));
      child.endInput();
    }
    this.#limit(options);
  }

  /** Ends the child when the program's signal aborts and when its time is over. */
  #limit({ signal, timeout, killSignal }: SpawnOptions): void {
    const abort = () => {
      if (this.#owner.kill(killSignal)) this.#owner.emit('error', abortError(signal?.reason));
    };
    if (signal?.aborted) this.#context.loop.nextTick(abort, []);
    else if (signal) {
      signal.addEventListener('abort', abort, { once: true });
      this.#owner.once('exit', () => signal.removeEventListener('abort', abort));
    }
    if (timeout !== undefined && timeout > 0) {
      const timer = ownTimers().setTimeout(() => this.#owner.kill(killSignal), timeout);
      this.#owner.once('exit', () => ownTimers().clearTimeout(timer));
    }
  }

  #receive(message: FromChild, child: KernelChild, args: readonly string[]): void {
    const { loop, running, input } = this.#context;
    switch (message.kind) {
      case 'childStarted':
        this.#owner.pid = message.pid;
        running.set(message.pid, this.#owner);
        return void this.#owner.emit('spawn');
      case 'childOutput':
        return this.#output(message.stream, message.bytes);
      case 'childExited':
        // The channel's `disconnect` event comes before `exit`.
        this.#channel?.closed();
        return loop.nextTick(() => this.#exited(message.exitCode, message.signal), []);
      case 'childFailed':
        return this.#fail(message.code, args);
      case 'childMessage':
        return void this.#channel?.received(message.data);
      case 'childDisconnected':
        return void this.#channel?.closed();
      case 'childWantsInput':
        return this.#wantsInput(child);
      case 'childKeyboard':
        if (this.#passesInput) {
          this.#hasKeyboard = message.raw;
          input.lendKeyboard(message.raw);
        }
    }
  }

  #followSize(inherited: readonly number[], child: KernelChild): void {
    const { process } = this.#context;
    const stream = inherited.includes(2) && !inherited.includes(1) ? process.stderr : process.stdout;
    const resize = () => child.resize(stream.columns, stream.rows);
    stream.on('resize', resize);
    this.#owner.once('exit', () => stream.removeListener('resize', resize));
  }

  #connect(stdio: readonly Stdio[], child: Input): void {
    if (stdio[0] === 'pipe') this.#owner.stdin = this.#inputTo(child);
    else if (stdio[0] === 'inherit') this.#passesInput = true;
    else child.endInput();
    for (const fd of [1, 2] as const) {
      const how = stdio[fd];
      if (how === 'inherit') this.#inherits[fd] = fd;
      else if (typeof how === 'number') this.#inherits[fd] = how;
      else if (how !== 'ignore' && how !== 'ipc')
        this.#owner[fd === 1 ? 'stdout' : 'stderr'] = this.#outputOf(fd);
    }
    const { stdin, stdout, stderr } = this.#owner;
    this.#owner.stdio = [stdin, stdout, stderr, ...stdio.slice(3).map(() => null)];
  }

  #inputTo(child: Input): Writable {
    const { Writable } = this.#context.load('stream');
    return new Writable({
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
  }

  #outputOf(fd: 1 | 2): Readable {
    const { Readable } = this.#context.load('stream');
    this.#open++;
    const stream = new Readable({ read: () => this.#acknowledge(fd) });
    stream.once('close', () => {
      this.#acknowledge(fd);
      this.#closed();
    });
    return stream;
  }

  /** Pipes to and from streams that the program passed in `stdio`, usually those of other children. */
  #pipeOthers(stdio: SpawnOptions['stdio']): void {
    if (!Array.isArray(stdio)) return;
    const { stdin, stdout, stderr } = this.#owner;
    const [input, ...outputs] = stdio.map((each: unknown) => (isStream(each) ? each : undefined));
    if (input && stdin) input.pipe(stdin);
    for (const [at, output] of [stdout, stderr].entries())
      if (outputs[at] && output) output.pipe(outputs[at], { end: false });
  }

  /** Passes on this process's input, one piece whenever the child asks for one. */
  #wantsInput(child: KernelChild): void {
    this.#unread = 0;
    const written = this.#written;
    this.#written = undefined;
    written?.();
    if (!this.#passesInput) return;
    const { input, load } = this.#context;
    input.pass((bytes) => {
      if (this.#owner.exitCode !== null || this.#owner.signalCode !== null) return false;
      if (bytes) child.input(load('buffer').Buffer.from(bytes));
      else child.endInput();
      return true;
    });
  }

  #output(fd: 1 | 2, bytes: Uint8Array): void {
    const to = this.#inherits[fd];
    if (typeof to === 'number') writeTo(this.#context, to, bytes);
    const stream = fd === 1 ? this.#owner.stdout : this.#owner.stderr;
    this.#waiting[fd] += bytes.byteLength;
    const { Buffer } = this.#context.load('buffer');
    const isFull =
      stream !== null &&
      !stream.destroyed &&
      !stream.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (!isFull) this.#acknowledge(fd);
  }

  #acknowledge(fd: 1 | 2): void {
    const bytes = this.#waiting[fd];
    this.#waiting[fd] = 0;
    if (bytes > 0) this.#child?.used(bytes);
  }

  #exited(code: number, signal: string | undefined): void {
    const owner = this.#owner;
    if (owner.pid !== undefined) this.#context.running.delete(owner.pid);
    owner.exitCode = signal === undefined ? code : null;
    owner.signalCode = signal ?? null;
    if (this.#hasKeyboard) this.#context.input.lendKeyboard(false);
    this.#endStreams();
    owner.emit('exit', owner.exitCode, owner.signalCode);
    this.#closed();
  }

  #endStreams(): void {
    const { stdin, stdout, stderr } = this.#owner;
    for (const stream of [stdout, stderr]) {
      stream?.push(null);
      // A stream that nobody reads must not hold back the `close` event.
      if (stream?.readableFlowing === null && stream.listenerCount('readable') === 0) stream.resume();
    }
    stdin?.destroy();
  }

  #closed(): void {
    if (--this.#open > 0) return;
    this.#handle?.release();
    const owner = this.#owner;
    this.#context.loop.add(() => owner.emit('close', owner.exitCode, owner.signalCode));
  }

  #fail(code: string, args: readonly string[]): void {
    const error = spawnError('spawn', code, this.#owner.spawnfile ?? '', args);
    error.stack = `Error: ${error.message}\n${STARTING}`;
    this.#owner.exitCode = error.errno ?? -2;
    this.#context.loop.addOnce(() => {
      this.#endStreams();
      this.#owner.emit('error', error);
      this.#closed();
    });
  }

  kill(signal: string | number = 'SIGTERM'): boolean {
    const owner = this.#owner;
    if (owner.exitCode !== null || owner.signalCode !== null || !this.#child) return false;
    if (signal === 0) return true;
    this.#child.signal(signalOf(signal));
    owner.killed = true;
    return true;
  }

  ref(): void {
    this.#handle?.ref();
  }

  unref(): void {
    this.#handle?.unref();
  }
}
