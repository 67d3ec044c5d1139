import type { LoadBuiltin } from '../builtins/builtin.ts';
import { argTypeError, needString, nodeError, unavailable } from '../builtins/internal/errors.ts';
import { inspect } from '../builtins/internal/inspect.ts';
import { packError, unpackError, type PackedError } from '../builtins/test/wire.ts';
import { parseCli } from '../start/cli.ts';
import {
  inNodesWords,
  isMarkedAsUntransferable,
  markAsUncloneable,
  markAsUntransferable,
  needCloneable,
  needTransferable,
} from './cloneable.ts';
import { joined } from '../loader/files.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { EventLoop, LoopHandle } from '../loop/loop.ts';
import { listOf } from './port-methods.ts';
import type { PackedPorts, Ports, Transfer } from './port-types.ts';
import { VERSION } from '../start/versions.ts';

/** The first message to a thread, which must arrive before it runs. */
export interface ThreadBegin {
  readonly kind: 'begin';
  readonly threadId: number;
  readonly name: string;
  readonly workerData: unknown;
  readonly environmentData: ReadonlyMap<unknown, unknown>;
  /** The number of the process to which the thread belongs. */
  readonly pid: number;
  readonly ppid: number;
  /** A counter shared by all threads: the number of the newest one. */
  readonly counter: Int32Array;
  readonly limits: Limits;
  readonly isEval: boolean;
  /** The memory of the environment, if the thread shares it. */
  readonly env: SharedArrayBuffer | undefined;
  readonly port: MessagePort;
  /** `port` and the ports in `workerData`. */
  readonly packed: PackedPorts;
}

/** A report of a thread to its starter, apart from the program's own messages. */
export type FromThread =
  { readonly kind: 'online' } | { readonly kind: 'error'; readonly error: PackedError };

type Limits = Readonly<
  Record<'maxYoungGenerationSizeMb' | 'maxOldGenerationSizeMb' | 'codeRangeSizeMb' | 'stackSizeMb', number>
>;

interface WorkerOptions {
  readonly eval?: unknown;
  readonly workerData?: unknown;
  readonly transferList?: Transfer;
  readonly argv?: unknown;
  readonly env?: unknown;
  readonly execArgv?: unknown;
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly name?: unknown;
  readonly resourceLimits?: Partial<Limits>;
}

export interface ThreadParts {
  readonly link: KernelLink;
  readonly loop: EventLoop;
  readonly load: LoadBuiltin;
  readonly process: NodeJS.Process;
  /** The first message to this process, if it is a thread itself. */
  readonly thread: ThreadBegin | undefined;
  /** This process runs hooks of `module.register`. */
  readonly isInternal: boolean;
  readonly ports: Ports;
  readonly shareEnv: () => SharedArrayBuffer;
}

const SHARE_ENV = Symbol.for('nodejs.worker_threads.SHARE_ENV');
/** The limits that a thread reports by default. They have no effect, because the browser sets its own. */
const USUAL: Limits = {
  maxYoungGenerationSizeMb: 48,
  maxOldGenerationSizeMb: 2096,
  codeRangeSizeMb: 0,
  stackSizeMb: 4,
};

/** `node:worker_threads`: a thread is a process of its own, which shares memory with the one that started it. */
export function makeWorkerThreads({
  link,
  loop,
  load,
  process,
  thread,
  isInternal,
  ports,
  shareEnv,
}: ThreadParts) {
  const EventEmitter = load('events');
  const { Buffer } = load('buffer');
  const environmentData = new Map(thread?.environmentData);
  const counter = thread?.counter ?? new Int32Array(new SharedArrayBuffer(4));
  if (thread) ports.adopt(thread.packed);

  class Worker extends EventEmitter {
    threadId = Atomics.add(counter, 0, 1) + 1;
    readonly threadName: string;
    resourceLimits: Limits | object;
    readonly stdin: unknown = null;
    readonly stdout: unknown;
    readonly stderr: unknown;
    readonly performance = { eventLoopUtilization: () => ({ idle: 0, active: 0, utilization: 0 }) };
    readonly #child: ReturnType<KernelLink['startChild']>;
    readonly #handle: LoopHandle;
    readonly #port: MessagePort;
    #ended: number | undefined;
    #failed = false;

    constructor(file: unknown, options: WorkerOptions = {}) {
      super();
      const { workerData, argv = [], execArgv = [], env, name = '' } = options;
      if (!Array.isArray(argv)) throw argTypeError('options.argv', 'Array', argv);
      if (!Array.isArray(execArgv)) throw argTypeError('options.execArgv', 'Array', execArgv);
      if (env !== undefined && env !== null && env !== SHARE_ENV && typeof env !== 'object')
        throw argTypeError('options.env', ['object', 'undefined', 'null', 'worker_threads.SHARE_ENV'], env);
      needString(name, 'options.name');
      const own = execArgv.map(String);
      const { mode } = parseCli([...own, '-e', ''], undefined, VERSION);
      if (mode.kind === 'say')
        throw nodeError(
          'ERR_WORKER_INVALID_EXEC_ARGV',
          `Initiated Worker with invalid execArgv flags: ${own.join(', ')}`,
        );
      const isEval = Boolean(options.eval);
      const words = [...own, ...programOf(file, isEval), ...argv.map(String)];
      const variables =
        env === undefined || env === null || env === SHARE_ENV ? process.env : (env as object);
      const list = listOf(options.transferList);
      needTransferable(list);
      needCloneable(workerData);
      this.threadName = name;
      this.resourceLimits = {
        maxYoungGenerationSizeMb: -1,
        maxOldGenerationSizeMb: -1,
        codeRangeSizeMb: -1,
        stackSizeMb: 4,
        ...options.resourceLimits,
      };

      const { Readable, Writable } = load('stream');
      this.stdout = new Readable({ read() {} });
      this.stderr = new Readable({ read() {} });
      const show = (stream: 1 | 2, bytes: Uint8Array) => {
        const readable = (stream === 1 ? this.stdout : this.stderr) as { push(bytes: unknown): void };
        if (stream === 1 ? options.stdout : options.stderr) readable.push(Buffer.from(bytes));
        else link.print(stream, bytes);
      };
      let refused = false;
      const { port1, port2 } = new MessageChannel();
      this.#handle = loop.handle();
      const child = link.startChild(
        {
          program: { kind: 'node', args: words },
          cwd: process.cwd(),
          env: Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, String(value)])),
          channel: true,
          thread: true,
        },
        (message) =>
          loop.add(() => {
            // The first message could not be sent to the thread, so it has nothing to run.
            if (refused) return;
            switch (message.kind) {
              case 'childMessage':
                return this.#hear(message.data as FromThread);
              case 'childOutput':
                show(message.stream, message.bytes);
                return child.used(message.bytes.byteLength);
              case 'childExited':
                return this.#endAfter(message.signal === undefined ? message.exitCode : 1);
              case 'childFailed':
                this.emit(
                  'error',
                  nodeError('ERR_WORKER_INIT_FAILED', `Worker initialization failure: ${message.code}`),
                );
                return this.#endAfter(1);
              case 'childStarted':
              case 'childWantsInput':
              case 'childKeyboard':
              case 'childDisconnected':
            }
          }),
      );
      const transfer = [port2, ...list];
      try {
        const begin: ThreadBegin = {
          kind: 'begin',
          threadId: this.threadId,
          name,
          workerData,
          environmentData,
          pid: process.pid,
          ppid: process.ppid,
          counter,
          limits: { ...USUAL, ...options.resourceLimits },
          isEval,
          env: env === SHARE_ENV ? shareEnv() : undefined,
          port: port2,
          packed: ports.pack(transfer),
        };
        child.send(begin, transfer);
      } catch (error) {
        refused = true;
        child.signal('SIGKILL');
        this.#ended = 1;
        this.#handle.release();
        throw inNodesWords(error);
      }
      if (options.stdin)
        this.stdin = new Writable({
          write(chunk: Uint8Array, _encoding, done) {
            child.input(Uint8Array.from(chunk));
            done();
          },
          final(done) {
            child.endInput();
            done();
          },
        });
      else child.endInput();
      this.#child = child;
      this.#port = port1;
      ports.listen(port1, (value) => this.emit('message', value));
    }

    #hear(message: FromThread): void {
      if (message.kind === 'online') return void this.emit('online');
      this.#failed = true;
      const error = unpackError(message.error);
      ports.afterSent(this.#port, () => this.emit('error', error));
    }

    #endAfter(code: number): void {
      ports.afterSent(this.#port, () => this.#end(code));
    }

    #end(code: number): void {
      if (this.#ended !== undefined) return;
      this.#ended = this.#failed ? 1 : code;
      this.threadId = -1;
      this.resourceLimits = {};
      for (const stream of [this.stdout, this.stderr] as { push(end: null): void }[]) stream.push(null);
      this.#handle.release();
      ports.lost(this.#port);
      this.emit('exit', this.#ended);
    }

    postMessage(...args: [value?: unknown, transfer?: Transfer]): void {
      if (this.#ended === undefined) Reflect.apply(this.#port.postMessage.bind(this.#port), undefined, args);
    }

    terminate(): Promise<number | undefined> {
      if (this.#ended !== undefined) return Promise.resolve(undefined);
      const ended = new Promise<number>((resolve) => this.once('exit', resolve));
      this.#handle.ref();
      this.#child.signal('SIGKILL');
      return ended;
    }

    ref(): this {
      this.#handle.ref();
      return this;
    }

    unref(): this {
      this.#handle.unref();
      return this;
    }

    getHeapSnapshot(): never {
      throw unavailable('worker.getHeapSnapshot', 'the browser keeps its heap to itself');
    }
  }

  function programOf(file: unknown, isText: boolean): string[] {
    if (isText) {
      if (typeof file !== 'string')
        throw nodeError(
          'ERR_INVALID_ARG_VALUE',
          `The property 'options.eval' must be false when 'filename' is not a string. Received true`,
          TypeError,
        );
      return ['-e', file];
    }
    if (file instanceof URL) {
      if (file.protocol === 'file:') return [decodeURIComponent(file.pathname)];
      if (file.protocol === 'data:')
        return ['--input-type=module', '-e', `import ${JSON.stringify(file.href)}`];
      throw nodeError('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file', TypeError);
    }
    if (typeof file !== 'string') throw argTypeError('filename', ['string', 'URL'], file);
    if (!file.startsWith('/') && !/^\.{1,2}\//.test(file)) {
      const hint = /^file:/.test(file) ? ' Wrap file:// URLs with `new URL`.' : '';
      const data = /^data:text\/javascript/.test(file) ? ' Wrap data: URLs with `new URL`.' : '';
      throw nodeError(
        'ERR_WORKER_PATH',
        `The worker script or module filename must be an absolute path or a relative path starting with './' or '../'.${hint}${data} Received "${file}"`,
        TypeError,
      );
    }
    return [joined(process.cwd(), file)];
  }

  return {
    module: {
      isMainThread: thread === undefined && !isInternal,
      isInternalThread: isInternal,
      threadId: thread?.threadId ?? (isInternal ? -1 : 0),
      threadName: thread?.name ?? '',
      parentPort: thread?.port ?? null,
      workerData: thread === undefined ? null : thread.workerData,
      resourceLimits: thread?.limits ?? {},
      SHARE_ENV,
      Worker,
      MessageChannel: globalThis.MessageChannel,
      MessagePort: globalThis.MessagePort,
      BroadcastChannel: globalThis.BroadcastChannel,
      setEnvironmentData: (key: unknown, value: unknown) =>
        value === undefined ? environmentData.delete(key) : environmentData.set(key, value),
      getEnvironmentData: (key: unknown) => environmentData.get(key),
      markAsUntransferable,
      isMarkedAsUntransferable,
      markAsUncloneable,
      moveMessagePortToContext: (port: unknown) => port,
      receiveMessageOnPort(port: unknown) {
        if (!(port instanceof MessagePort))
          throw nodeError(
            'ERR_INVALID_ARG_TYPE',
            'The "port" argument must be a MessagePort instance',
            TypeError,
          );
        const received = ports.receive(port);
        if (received !== 'elsewhere') return received;
        throw unavailable(
          'worker_threads.receiveMessageOnPort',
          'what another thread sends with a transfer list, with shared memory in it or of more than a megabyte can only be listened to',
        );
      },
      postMessageToThread() {
        throw unavailable(
          'worker_threads.postMessageToThread',
          'threads only know the one that started them',
        );
      },
    },
    /** Tells the thread that started this one what nobody caught here. */
    failed(error: unknown) {
      const told = typeof error === 'function' || typeof error === 'symbol' ? inspect(error) : error;
      link.say({
        kind: 'message',
        data: { kind: 'error', error: packError(told) } satisfies FromThread,
      });
    },
  };
}

export type WorkerThreads = ReturnType<typeof makeWorkerThreads>;

/** Removes calls on `process` that a thread must not make, and sets the number of its process. */
export function restrictProcess(process: NodeJS.Process, begin: ThreadBegin): void {
  const refuse = (what: string) => () => {
    throw nodeError('ERR_WORKER_UNSUPPORTED_OPERATION', `${what} is not supported in workers`);
  };
  const names = ['abort', 'chdir', 'initgroups', 'setegid', 'seteuid', 'setgid', 'setgroups', 'setuid'];
  for (const name of names) Reflect.set(process, name, refuse(`process.${name}()`));
  const { umask } = process;
  process.umask = (mask?: string | number) =>
    mask === undefined ? umask() : refuse('Setting process.umask()')();
  for (const [name, value] of Object.entries({ pid: begin.pid, ppid: begin.ppid }))
    Object.defineProperty(process, name, { value, enumerable: true, configurable: true, writable: true });
}
