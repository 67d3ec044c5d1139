import { emittedStacks } from '../builtins/internal/emitter.ts';
import type { LoadBuiltin } from '../builtins/builtin.ts';
import { sourceName, type Sources } from '../errors/sources.ts';
import { REJECTING, uncaughtText, type Thrown } from '../errors/uncaught.ts';
import { unhandledError } from '../errors/unhandled.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { EventLoop } from '../loop/loop.ts';
import type { MadeProcess } from '../process/process.ts';
import type { Cli } from './cli.ts';
import { VERSION } from './versions.ts';

export type Origin = 'uncaughtException' | 'unhandledRejection';

export interface FailuresContext {
  readonly cli: Cli;
  readonly link: KernelLink;
  readonly loop: EventLoop;
  readonly load: LoadBuiltin;
  readonly sources: Sources;
  readonly made: MadeProcess;
  /** In a thread: hands an error to the process that started it, which reports it. */
  readonly failInParent: ((thrown: Thrown, origin: Origin) => void) | undefined;
}

/** Handles errors that nothing catches, and promises whose rejection nothing handles. */
export class Failures {
  readonly #context: FailuresContext;
  #rejections = 0;
  /** Rejected promises that a waiting tick may still handle. */
  readonly #waiting = new Set<Promise<unknown>>();
  /** The rejection ids of promises whose rejection was reported as unhandled. */
  readonly #reported = new WeakMap<Promise<unknown>, number>();

  constructor(context: FailuresContext) {
    this.#context = context;
  }

  /** Begins to hear of errors from the browser. `listen` is its `addEventListener`, which programs do not have. */
  listen(listen: typeof addEventListener): void {
    const { loop } = this.#context;
    listen('error', (event) => {
      event.preventDefault();
      const { error, filename, lineno, colno } = event;
      this.fail({ error, file: sourceName(filename), place: { line: lineno, column: colno } });
    });
    listen('unhandledrejection', (event) => {
      event.preventDefault();
      const { reason, promise } = event;
      if (!loop.hasTicks) return this.#rejected(reason, promise);
      // The browser does not know of ticks. One of them may still handle the rejection.
      this.#waiting.add(promise);
      loop.afterTicks(() => this.#waiting.delete(promise) && this.#rejected(reason, promise));
    });
    listen('rejectionhandled', ({ promise }) => this.#handled(promise));
  }

  /** Handles an uncaught error: calls the listeners, or else reports it and ends the process. */
  fail(thrown: Thrown, origin: Origin = 'uncaughtException'): void {
    const { loop, made, failInParent } = this.#context;
    const { error } = thrown;
    try {
      made.events.emit('uncaughtExceptionMonitor', error, origin);
      if (made.capture) return made.capture(error);
      if (made.events.listenerCount('uncaughtException') > 0)
        return void made.events.emit('uncaughtException', error, origin);
    } catch (second) {
      this.#report({ error: second });
      return this.#leave(7);
    } finally {
      loop.afterFailure();
    }
    if (failInParent) failInParent(thrown, origin);
    else this.#report(thrown);
    this.#leave(1);
  }

  #report(thrown: Thrown): void {
    const { cli, link, load, made, sources } = this.#context;
    showEmitter(thrown.error);
    const inspect = (value: unknown) =>
      load('util').inspect(value, {
        colors: made.process.stderr.isTTY === true,
        customInspect: false,
        depth: 5,
      });
    const text = uncaughtText(thrown, sources, inspect, VERSION, cli.flags.has('--trace-uncaught'));
    link.print(2, new TextEncoder().encode(text));
  }

  #leave(code: number): void {
    const { link, made } = this.#context;
    try {
      made.process.exitCode = code;
      made.process.exit();
    } catch (error) {
      this.#report({ error });
      link.exit(7);
    }
  }

  #handled(promise: Promise<unknown>): void {
    const { made } = this.#context;
    if (this.#waiting.delete(promise)) return;
    const id = this.#reported.get(promise);
    if (made.events.emit('rejectionHandled', promise) || id === undefined) return;
    made.process.emitWarning(
      `Promise rejection was handled asynchronously (rejection id: ${id})`,
      'PromiseRejectionHandledWarning',
    );
  }

  #rejected(reason: unknown, promise: Promise<unknown>): void {
    const { cli, loop, made } = this.#context;
    const mode = cli.flags.get('--unhandled-rejections') ?? 'throw';
    const error = reason instanceof Error ? reason : unhandledError(reason);
    this.#reported.set(promise, ++this.#rejections);
    if (mode === 'strict') this.fail({ error }, 'unhandledRejection');
    let isHandled = false;
    try {
      isHandled = made.events.emit('unhandledRejection', reason, promise);
    } catch (thrown) {
      return this.fail({ error: thrown });
    } finally {
      loop.afterFailure();
    }
    if (mode === 'none' || (isHandled && mode !== 'warn')) return;
    if (mode === 'throw')
      return this.fail(reason === error ? { error } : { error, inside: REJECTING }, 'unhandledRejection');
    this.#warn(reason);
    if (mode === 'warn-with-error-code') made.process.exitCode = 1;
  }

  #warn(reason: unknown): void {
    const { process } = this.#context.made;
    const name = 'UnhandledPromiseRejectionWarning';
    process.emitWarning(reason instanceof Error ? (reason.stack ?? String(reason)) : String(reason), name);
    process.emitWarning(
      `Unhandled promise rejection. This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). To terminate the node process on unhandled promise rejection, use the CLI flag \`--unhandled-rejections=strict\` (see https://nodejs.org/api/cli.html#cli_unhandled_rejections_mode). (rejection id: ${this.#rejections})`,
      name,
    );
  }
}

function showEmitter(error: unknown): void {
  const stack = error instanceof Error ? emittedStacks.get(error) : undefined;
  if (stack) Object.defineProperty(error, 'stack', { value: stack(), configurable: true, writable: true });
}
