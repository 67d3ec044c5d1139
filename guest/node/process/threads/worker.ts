import type { Readable, Writable } from 'node:stream';
import { unavailable } from '../../builtins/internal/errors.ts';
import type { Transfer } from '../port-types.ts';
import type { Limits } from './messages.ts';
import { threadRequest, type WorkerOptions } from './request.ts';
import { ThreadRun, type ThreadContext } from './thread-run.ts';

/** Makes the class `Worker` of `node:worker_threads`. */
export function makeWorkerClass(context: ThreadContext) {
  const { load, process } = context;
  const EventEmitter = load('events');

  return class Worker extends EventEmitter {
    threadId = Atomics.add(context.counter, 0, 1) + 1;
    readonly threadName: string;
    resourceLimits: Limits | object;
    readonly stdin: Writable | null = null;
    readonly stdout: Readable;
    readonly stderr: Readable;
    readonly performance = { eventLoopUtilization: () => ({ idle: 0, active: 0, utilization: 0 }) };
    readonly #run: ThreadRun;

    constructor(file: unknown, options: WorkerOptions = {}) {
      super();
      const request = threadRequest(file, options, () => process.cwd());
      this.threadName = request.name;
      this.resourceLimits = {
        maxYoungGenerationSizeMb: -1,
        maxOldGenerationSizeMb: -1,
        codeRangeSizeMb: -1,
        stackSizeMb: 4,
        ...request.resourceLimits,
      };
      const { Readable } = load('stream');
      this.stdout = new Readable({ read() {} });
      this.stderr = new Readable({ read() {} });
      this.#run = new ThreadRun(context, this, request, options);
      if (options.stdin) this.stdin = this.#run.makeInput();
    }

    postMessage(...args: [value?: unknown, transfer?: Transfer]): void {
      this.#run.post(args);
    }

    terminate(): Promise<number | undefined> {
      return this.#run.terminate();
    }

    ref(): this {
      this.#run.ref();
      return this;
    }

    unref(): this {
      this.#run.unref();
      return this;
    }

    getHeapSnapshot(): never {
      throw unavailable('worker.getHeapSnapshot', 'the browser keeps its heap to itself');
    }
  };
}
