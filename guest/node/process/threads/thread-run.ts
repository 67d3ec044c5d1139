import type { Readable, Writable } from 'node:stream';
import type { LoadBuiltin } from '../../builtins/builtin.ts';
import { nodeError } from '../../builtins/internal/errors.ts';
import { unpackError } from '../../builtins/test/wire.ts';
import type { FromChild } from '../../../shared/protocol.ts';
import type { KernelLink } from '../../kernel/link.ts';
import type { EventLoop, LoopHandle } from '../../loop/loop.ts';
import { inNodesWords } from '../cloneable.ts';
import type { Ports, Transfer } from '../port-types.ts';
import { DEFAULT_LIMITS, isFromThread, type FromThread, type ThreadBegin } from './messages.ts';
import type { ThreadRequest, WorkerOptions } from './request.ts';

export interface ThreadContext {
  readonly link: KernelLink;
  readonly loop: EventLoop;
  readonly load: LoadBuiltin;
  readonly process: NodeJS.Process;
  readonly ports: Ports;
  readonly shareEnv: () => SharedArrayBuffer;
  /** A counter shared by all threads: the number of the newest one. */
  readonly counter: Int32Array;
  readonly environmentData: ReadonlyMap<unknown, unknown>;
}

/** The object of the program whose thread runs. */
interface WorkerObject {
  threadId: number;
  resourceLimits: object;
  readonly stdout: Readable;
  readonly stderr: Readable;
  emit(name: string, ...args: unknown[]): boolean;
  once(name: string, listener: (code: number) => void): unknown;
}

/** A thread from its start to its end: a process of its own, with a port between the two programs. */
export class ThreadRun {
  readonly #context: ThreadContext;
  readonly #worker: WorkerObject;
  readonly #child: ReturnType<KernelLink['startChild']>;
  readonly #handle: LoopHandle;
  readonly #port: MessagePort;
  /** The first message could not be sent to the thread, so it has nothing to run. */
  #refused = false;
  #ended: number | undefined;
  #failed = false;

  constructor(context: ThreadContext, worker: WorkerObject, request: ThreadRequest, shown: WorkerOptions) {
    const { link, loop, process, ports } = context;
    this.#context = context;
    this.#worker = worker;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#handle = loop.handle();
    const variables = request.env ?? process.env;
    this.#child = link.startChild(
      {
        program: { kind: 'node', args: request.args },
        cwd: process.cwd(),
        env: Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, String(value)])),
        channel: true,
        thread: true,
      },
      (message) => loop.add(() => this.#received(message, shown)),
    );
    this.#begin(request, port2);
    if (!shown.stdin) this.#child.endInput();
    ports.listen(port1, (value) => worker.emit('message', value));
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  #begin(request: ThreadRequest, port: MessagePort): void {
    const { process, counter, environmentData, ports, shareEnv } = this.#context;
    const transfer = [port, ...request.transferList];
    try {
      const begin: ThreadBegin = {
        kind: 'begin',
        threadId: this.#worker.threadId,
        name: request.name,
        workerData: request.workerData,
        environmentData,
        pid: process.pid,
        ppid: process.ppid,
        counter,
        limits: { ...DEFAULT_LIMITS, ...request.resourceLimits },
        isEval: request.isEval,
        env: request.sharesEnv ? shareEnv() : undefined,
        port,
        packed: ports.pack(transfer),
      };
      this.#child.send(begin, transfer);
    } catch (error) {
      this.#refused = true;
      this.#child.signal('SIGKILL');
      this.#ended = 1;
      this.#handle.release();
      throw inNodesWords(error);
    }
  }

  #received(message: FromChild, shown: WorkerOptions): void {
    if (this.#refused) return;
    switch (message.kind) {
      case 'childMessage':
        return isFromThread(message.data) ? this.#hear(message.data) : undefined;
      case 'childOutput':
        this.#show(message.stream, message.bytes, shown);
        return this.#child.used(message.bytes.byteLength);
      case 'childExited':
        return this.#endAfter(message.signal === undefined ? message.exitCode : 1);
      case 'childFailed':
        this.#worker.emit(
          'error',
          nodeError('ERR_WORKER_INIT_FAILED', `Worker initialization failure: ${message.code}`),
        );
        return this.#endAfter(1);
      case 'childStarted':
      case 'childWantsInput':
      case 'childKeyboard':
      case 'childDisconnected':
    }
  }

  #show(stream: 1 | 2, bytes: Uint8Array, shown: WorkerOptions): void {
    const { load, link } = this.#context;
    const readable = stream === 1 ? this.#worker.stdout : this.#worker.stderr;
    if (stream === 1 ? shown.stdout : shown.stderr) readable.push(load('buffer').Buffer.from(bytes));
    else link.print(stream, bytes);
  }

  #hear(message: FromThread): void {
    if (message.kind === 'online') return void this.#worker.emit('online');
    this.#failed = true;
    const error = unpackError(message.error);
    this.#context.ports.afterSent(this.#port, () => this.#worker.emit('error', error));
  }

  #endAfter(code: number): void {
    this.#context.ports.afterSent(this.#port, () => this.#end(code));
  }

  #end(code: number): void {
    if (this.#ended !== undefined) return;
    this.#ended = this.#failed ? 1 : code;
    const worker = this.#worker;
    worker.threadId = -1;
    worker.resourceLimits = {};
    for (const stream of [worker.stdout, worker.stderr]) stream.push(null);
    this.#handle.release();
    this.#context.ports.lost(this.#port);
    worker.emit('exit', this.#ended);
  }

  /** Makes the stream whose data the thread reads as its standard input. */
  makeInput(): Writable {
    const { Writable } = this.#context.load('stream');
    const child = this.#child;
    return new Writable({
      write(chunk: Uint8Array, _encoding, done) {
        child.input(Uint8Array.from(chunk));
        done();
      },
      final(done) {
        child.endInput();
        done();
      },
    });
  }

  /** Sends a message to the thread, with as many arguments as the program gave. */
  post(args: readonly [value?: unknown, transfer?: Transfer]): void {
    if (!this.hasEnded) Reflect.apply(this.#port.postMessage.bind(this.#port), undefined, args);
  }

  terminate(): Promise<number | undefined> {
    if (this.hasEnded) return Promise.resolve(undefined);
    const ended = new Promise<number>((resolve) => void this.#worker.once('exit', resolve));
    this.#handle.ref();
    this.#child.signal('SIGKILL');
    return ended;
  }

  ref(): void {
    this.#handle.ref();
  }

  unref(): void {
    this.#handle.unref();
  }
}
