import type { Sources } from '../errors/sources.ts';
import { LOADING, pointedAt, type Thrown } from '../errors/uncaught.ts';
import type { KernelLink } from '../kernel/link.ts';
import { positionAt } from '../loader/edits.ts';
import type { Esm } from '../loader/esm.ts';
import type { EventLoop } from '../loop/loop.ts';
import type { MadeProcess } from '../process/process.ts';
import type { Cli } from './cli.ts';

export interface ProgramEndContext {
  readonly cli: Cli;
  readonly link: KernelLink;
  readonly loop: EventLoop;
  readonly sources: Sources;
  readonly made: MadeProcess;
  readonly esm: Esm;
  readonly fail: (thrown: Thrown) => void;
}

/** Milliseconds that a top-level await may wait for something that does not keep the process alive. */
const BROWSER_MS = 60;

/** Ends the process once nothing keeps it alive, and warns if the program's modules have not settled by then. */
export class ProgramEnd {
  readonly #context: ProgramEndContext;
  #isMainPending = false;
  #hasWaited = false;

  constructor(context: ProgramEndContext) {
    this.#context = context;
  }

  /** Takes the promise of the program. The process fails if it rejects, or if it never settles. */
  main(promise: Promise<unknown>): void {
    const { loop, fail } = this.#context;
    this.#isMainPending = true;
    promise.then(
      () => (this.#isMainPending = false),
      (error: unknown) => {
        this.#isMainPending = false;
        loop.add(() => fail({ error, inside: LOADING }));
      },
    );
  }

  /** Must be called when nothing keeps the process alive any more. */
  idle(): void {
    const { loop, made } = this.#context;
    made.events.emit('beforeExit', made.code());
    // Anything that listeners of `beforeExit` started keeps the process alive.
    loop.settle(() => this.#end());
  }

  #end(): void {
    const { cli, esm, link, loop, made } = this.#context;
    loop.over();
    const unsettled = esm.unsettled();
    if (!this.#isMainPending || unsettled.length === 0) return this.#leave();
    // The program may await work of the browser that the loop does not know of.
    if (!this.#hasWaited) {
      this.#hasWaited = true;
      return loop.afterQuiet(BROWSER_MS, () => this.#end());
    }
    const { process } = made;
    // A program that has set an exit code expects this, so it gets no warning.
    if (process.exitCode === undefined && !cli.flags.has('--no-warnings'))
      link.print(2, new TextEncoder().encode(unsettled.map((each) => this.#warningFor(each)).join('')));
    process.exitCode ??= 13;
    this.#leave();
  }

  /** Ends the process even if the program has replaced `reallyExit`. */
  #leave(): void {
    const { link, made } = this.#context;
    made.process.exit();
    link.exit(made.code() & 255);
  }

  #warningFor({ name, place }: ReturnType<Esm['unsettled']>[number]): string {
    const { sources } = this.#context;
    const { line, column } = positionAt(sources.text(name) ?? '', place);
    const shown = pointedAt(name, line, sources.line(name, line) ?? '', column);
    return `Warning: Detected unsettled top-level await at ${shown}\n\n\n`;
  }
}
