import type { LoadBuiltin } from './builtins/builtin.ts';
import { argTypeError, nodeError, unavailable } from './builtins/internal/errors.ts';
import { joined } from './loader/files.ts';
import type { KernelLink } from './link.ts';
import type { EventLoop } from './loop.ts';
import { listOf, type Ports, type Transfer } from './ports.ts';

/** What a thread is given when it starts. */
export interface ThreadStart {
  readonly threadId: number;
  readonly workerData: unknown;
  readonly environmentData: ReadonlyMap<unknown, unknown>;
  /** Of one that runs hooks of `module.register`: where its answers go. */
  readonly hooks?: SharedArrayBuffer;
}

/** What a thread tells the one that started it. */
export type FromThread =
  | { readonly kind: 'online' }
  | { readonly kind: 'message'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: unknown };

interface WorkerOptions {
  readonly eval?: boolean;
  readonly workerData?: unknown;
  readonly argv?: readonly unknown[];
  readonly env?: unknown;
  readonly execArgv?: readonly string[];
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly name?: string;
}

export interface ThreadParts {
  readonly link: KernelLink;
  readonly loop: EventLoop;
  readonly load: LoadBuiltin;
  readonly process: NodeJS.Process;
  /** Of this process, where it is a thread itself. */
  readonly thread: ThreadStart | undefined;
  readonly ports: Ports;
}

type Listener = (...args: unknown[]) => void;

const SHARE_ENV = Symbol.for('nodejs.worker_threads.SHARE_ENV');
let nextThread = 1;

/** `node:worker_threads`: a thread is a process of its own, which shares memory with the one that started it. */
export function makeWorkerThreads({ link, loop, load, process, thread, ports }: ThreadParts) {
  const EventEmitter = load('events');
  const { Buffer } = load('buffer');
  const environmentData = new Map(thread?.environmentData);

  class Worker extends EventEmitter {
    threadId = nextThread++;
    readonly resourceLimits = {};
    readonly stdin: unknown = null;
    readonly stdout: unknown;
    readonly stderr: unknown;
    readonly #child: ReturnType<KernelLink['startChild']>;
    readonly #handle = loop.handle();
    #ended: number | undefined;
    #failed = false;

    constructor(file: unknown, options: WorkerOptions = {}) {
      super();
      const { workerData, argv = [], execArgv = [] } = options;
      const env =
        options.env === SHARE_ENV || options.env === undefined ? process.env : (options.env as object);
      const data: ThreadStart = { threadId: this.threadId, workerData, environmentData };
      const words = [...execArgv, ...programOf(file, options.eval ?? false), ...argv.map(String)];
      const { Readable } = load('stream');
      this.stdout = new Readable({ read() {} });
      this.stderr = new Readable({ read() {} });
      const show = (stream: 1 | 2, bytes: Uint8Array) => {
        const readable = (stream === 1 ? this.stdout : this.stderr) as { push(bytes: unknown): void };
        if (stream === 1 ? options.stdout : options.stderr) readable.push(Buffer.from(bytes));
        else link.print(stream, bytes);
      };
      this.#child = link.startChild(
        {
          program: { kind: 'node', args: words },
          cwd: process.cwd(),
          env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])),
          channel: true,
          thread: data,
        },
        (message) =>
          loop.add(() => {
            switch (message.kind) {
              case 'childMessage':
                return this.#hear(message.data as FromThread);
              case 'childOutput':
                show(message.stream, message.bytes);
                return this.#child.used(message.bytes.byteLength);
              case 'childExited':
                return this.#end(message.signal === undefined ? message.exitCode : 1);
              case 'childFailed':
                this.emit(
                  'error',
                  nodeError('ERR_WORKER_INIT_FAILED', `Worker initialization failure: ${message.code}`),
                );
                return this.#end(1);
              case 'childStarted':
              case 'childWantsInput':
              case 'childKeyboard':
              case 'childDisconnected':
            }
          }),
      );
    }

    #hear(message: FromThread): void {
      if (message.kind === 'online') this.emit('online');
      else if (message.kind === 'message') this.emit('message', message.value);
      else {
        this.#failed = true;
        this.emit('error', message.error);
      }
    }

    #end(code: number): void {
      if (this.#ended !== undefined) return;
      this.#ended = this.#failed ? 1 : code;
      this.threadId = -1;
      for (const stream of [this.stdout, this.stderr] as { push(end: null): void }[]) stream.push(null);
      this.#handle.release();
      this.emit('exit', this.#ended);
    }

    postMessage(value: unknown, transfer?: Transfer): void {
      if (this.#ended !== undefined) return;
      this.#child.send({ kind: 'message', value }, listOf(transfer));
    }

    terminate(): Promise<number> {
      if (this.#ended !== undefined) return Promise.resolve(this.#ended);
      const ended = new Promise<number>((resolve) => this.once('exit', resolve));
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
    if (isText) return ['-e', String(file)];
    if (file instanceof URL || (typeof file === 'string' && /^(?:file|data):/.test(file))) {
      const url = new URL(file);
      if (url.protocol === 'file:') return [decodeURIComponent(url.pathname)];
      return ['--input-type=module', '-e', `import ${JSON.stringify(url.href)}`];
    }
    if (typeof file !== 'string') throw argTypeError('filename', ['string', 'URL'], file);
    if (!file.startsWith('/') && !/^\.{1,2}\//.test(file))
      throw nodeError(
        'ERR_WORKER_PATH',
        `The worker script or module filename must be an absolute path or a relative path starting with './' or '../'. Received "${file}"`,
        TypeError,
      );
    return [joined(process.cwd(), file)];
  }

  const parentPort = thread ? makeParentPort() : null;

  /** This end of the channel to the thread that started this one. */
  function makeParentPort() {
    const handle = loop.handle();
    handle.unref();
    const early: unknown[] = [];
    const port = Object.assign(new EventEmitter(), {
      onmessage: null as ((event: object) => void) | null,
      postMessage(value: unknown, transfer?: Transfer) {
        const list = listOf(transfer);
        const data: FromThread = { kind: 'message', value };
        link.say({ kind: 'message', data, transfer: list }, list);
      },
      addEventListener(name: string, listener: Listener) {
        port.on(name, (data: unknown) => listener({ type: name, data, target: port }));
      },
      removeEventListener() {},
      start() {},
      close() {
        handle.release();
        loop.nextTick(() => port.emit('close'), []);
      },
      ref: () => handle.ref(),
      unref: () => handle.unref(),
      hasRef: () => true,
      received(value: unknown) {
        if (typeof port.onmessage === 'function')
          port.onmessage({ type: 'message', data: value, target: port });
        else if (port.listenerCount('message') > 0) port.emit('message', value);
        else early.push(value);
      },
    });
    port.on('newListener', (name) => {
      if (name !== 'message') return;
      handle.ref();
      loop.add(() => {
        for (const value of early.splice(0)) port.received(value);
      });
    });
    port.on('removeListener', (name) => {
      if (name === 'message' && port.listenerCount('message') === 0) handle.unref();
    });
    return port;
  }

  return {
    module: {
      isMainThread: thread === undefined,
      isInternalThread: thread?.hooks !== undefined,
      threadId: thread?.threadId ?? 0,
      parentPort,
      workerData: thread === undefined ? null : thread.workerData,
      resourceLimits: {},
      SHARE_ENV,
      Worker,
      MessageChannel: globalThis.MessageChannel,
      MessagePort: globalThis.MessagePort,
      BroadcastChannel: globalThis.BroadcastChannel,
      setEnvironmentData: (key: unknown, value: unknown) =>
        value === undefined ? environmentData.delete(key) : environmentData.set(key, value),
      getEnvironmentData: (key: unknown) => environmentData.get(key),
      markAsUntransferable() {},
      isMarkedAsUntransferable: () => false,
      markAsUncloneable() {},
      moveMessagePortToContext: (port: unknown) => port,
      receiveMessageOnPort(port: unknown) {
        if (!(port instanceof MessagePort)) throw argTypeError('port', 'MessagePort', port);
        const received = ports.receive(port);
        if (received !== 'elsewhere') return received;
        throw unavailable(
          'worker_threads.receiveMessageOnPort',
          'what another thread sends cannot be read at once, only listened to',
        );
      },
      postMessageToThread() {
        throw unavailable(
          'worker_threads.postMessageToThread',
          'threads only know the one that started them',
        );
      },
    },
    /** A message of the thread that started this one. */
    received: (data: unknown) => parentPort?.received((data as FromThread & { value: unknown }).value),
    /** Tells it what nobody caught here. */
    failed(error: unknown) {
      let told: unknown = error;
      try {
        structuredClone(error);
      } catch {
        told = new Error(String(error));
      }
      link.say({ kind: 'message', data: { kind: 'error', error: told } satisfies FromThread });
    },
  };
}

export type WorkerThreads = ReturnType<typeof makeWorkerThreads>;
