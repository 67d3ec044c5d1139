import type { Readable } from 'node:stream';
import type { LoadBuiltin } from '../builtins/builtin.ts';
import type { EventLoop } from '../loop/loop.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { NodeStart } from '../../shared/wire.ts';
import { StandardInput } from './standard-input.ts';
import { makeOutput, type StreamsContext, type TerminalSize } from './standard-output.ts';

type OutputStream = ReturnType<typeof makeOutput>;

/** Standard input, output and error of the process, each made on first use. */
export class StandardStreams {
  readonly #context: StreamsContext;
  readonly input: StandardInput;
  #size: TerminalSize;
  #stdout: OutputStream | undefined;
  #stderr: OutputStream | undefined;

  constructor(load: LoadBuiltin, link: KernelLink, loop: EventLoop, terminal: NodeStart['terminal']) {
    const isTerminal = (fd: number) => terminal?.streams.includes(fd) ?? false;
    this.#context = { load, link, loop, isTerminal };
    this.#size = { columns: terminal?.columns, rows: terminal?.rows };
    this.input = new StandardInput(this.#context);
  }

  get stdin(): Readable {
    return this.input.stream;
  }

  get stdout(): OutputStream {
    return (this.#stdout ??= makeOutput(this.#context, 1, () => this.#size));
  }

  get stderr(): OutputStream {
    return (this.#stderr ??= makeOutput(this.#context, 2, () => this.#size));
  }

  /** Sets the size of the terminal, in characters. */
  resized(columns: number, rows: number): void {
    if (columns === this.#size.columns && rows === this.#size.rows) return;
    this.#size = { columns, rows };
    for (const [fd, stream] of [
      [1, this.#stdout],
      [2, this.#stderr],
    ] as const)
      if (stream && this.#context.isTerminal(fd)) Object.assign(stream, this.#size).emit('resize');
  }
}
