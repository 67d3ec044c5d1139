import { nodeError, unavailable } from '../builtins/internal/errors.ts';
import { inspect } from '../builtins/internal/inspect.ts';
import { packError } from '../builtins/test/wire.ts';
import { isMarkedAsUntransferable, markAsUncloneable, markAsUntransferable } from './cloneable.ts';
import type { Ports } from './port-types.ts';
import { SHARE_ENV, type FromThread, type ThreadBegin } from './threads/messages.ts';
import type { ThreadContext } from './threads/thread-run.ts';
import { makeWorkerClass } from './threads/worker.ts';

export interface ThreadParts extends Omit<ThreadContext, 'counter' | 'environmentData'> {
  /** The first message to this process, if it is a thread itself. */
  readonly thread: ThreadBegin | undefined;
  /** This process runs hooks of `module.register`. */
  readonly isInternal: boolean;
}

/** `node:worker_threads`: a thread is a process of its own, which shares memory with the one that started it. */
export function makeWorkerThreads({ thread, isInternal, ...parts }: ThreadParts) {
  const { link, ports } = parts;
  const environmentData = new Map(thread?.environmentData);
  const counter = thread?.counter ?? new Int32Array(new SharedArrayBuffer(4));
  if (thread) ports.adopt(thread.packed);
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
      Worker: makeWorkerClass({ ...parts, counter, environmentData }),
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
      receiveMessageOnPort: (port: unknown) => receiveMessageOnPort(ports, port),
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

function receiveMessageOnPort(ports: Ports, port: unknown) {
  if (!(port instanceof MessagePort))
    throw nodeError('ERR_INVALID_ARG_TYPE', 'The "port" argument must be a MessagePort instance', TypeError);
  const received = ports.receive(port);
  if (received !== 'elsewhere') return received;
  throw unavailable(
    'worker_threads.receiveMessageOnPort',
    'what another thread sends with a transfer list, with shared memory in it or of more than a megabyte can only be listened to',
  );
}

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
