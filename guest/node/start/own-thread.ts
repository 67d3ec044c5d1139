import type { LoadBuiltin } from '../builtins/builtin.ts';
import type { Sources } from '../errors/sources.ts';
import { decorate, whereThrown, type Thrown } from '../errors/uncaught.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { EventLoop } from '../loop/loop.ts';
import type { Ports } from '../process/port-types.ts';
import type { MadeProcess } from '../process/process.ts';
import type { FromThread, ThreadBegin } from '../process/threads/messages.ts';
import { makeWorkerThreads, restrictProcess, type WorkerThreads } from '../process/worker-threads.ts';
import type { Origin } from './failures.ts';

export interface OwnThreadContext {
  readonly link: KernelLink;
  readonly loop: EventLoop;
  readonly load: LoadBuiltin;
  readonly sources: Sources;
  readonly made: MadeProcess;
  readonly ports: Ports;
  /** This process runs hooks of `module.register`. */
  readonly isInternal: boolean;
}

/** This process as `worker_threads` shows it: a main thread, or the thread of another process. */
export class OwnThread {
  readonly #context: OwnThreadContext;
  #first: ThreadBegin | undefined;
  #threads: WorkerThreads | undefined;
  /** True while a thread runs the text that it was started with. */
  #evaluates = false;

  constructor(context: OwnThreadContext) {
    this.#context = context;
  }

  /** The module, which is made on first use: a thread learns what it holds only from its first message. */
  get threads(): WorkerThreads {
    const { link, loop, load, made, ports, isInternal } = this.#context;
    return (this.#threads ??= makeWorkerThreads({
      link,
      loop,
      load,
      process: made.process,
      thread: this.#first,
      isInternal,
      ports,
      shareEnv: () => made.shareEnv(),
    }));
  }

  /** Whether the program is text that was passed to a `Worker`. */
  get isEval(): boolean {
    return this.#first?.isEval === true;
  }

  /** Starts a thread, which learns its number, data and environment only from this message. */
  begin(first: ThreadBegin, run: () => void): void {
    const { link, loop, made } = this.#context;
    this.#first = first;
    restrictProcess(made.process, first);
    if (first.env) made.shareEnv(first.env);
    // The module is made now so that the thread hears its port before the program loads it.
    void this.threads;
    link.say({ kind: 'message', data: { kind: 'online' } satisfies FromThread });
    this.#evaluates = first.isEval;
    loop.add(run);
    loop.add(() => (this.#evaluates = false));
  }

  /** Hands an uncaught error to the process that started this one. */
  fail(thrown: Thrown, origin: Origin): void {
    const { error } = thrown;
    if (this.#evaluates && origin === 'uncaughtException')
      decorate(error, whereThrown(this.#context.sources, thrown) ?? '');
    this.threads.failed(error);
  }
}
