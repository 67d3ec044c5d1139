import type * as utilModule from 'node:util';
import { argValueError, nodeError } from '../internal/errors.ts';
import { environment, isColoured } from '../../process/color-depth.ts';
import { isThing } from './table.ts';

/** A stream as a console uses it. */
export interface Sink {
  write(text: string, done?: (error?: unknown) => void): unknown;
  readonly isTTY?: boolean;
  once?(name: string, listener: () => void): unknown;
  removeListener?(name: string, listener: () => void): unknown;
}

export interface ConsoleOptions {
  readonly stdout: Sink;
  readonly stderr?: Sink;
  readonly ignoreErrors?: boolean;
  readonly colorMode?: boolean | 'auto';
  readonly inspectOptions?: object;
  readonly groupIndentation?: number;
}

/** Formats what a console is given and writes it to its streams, indented by its groups. */
export class Printer {
  readonly #util: typeof utilModule;
  readonly #step: number;
  readonly #color: boolean | 'auto';
  readonly #inspectOptions: object;
  #indent = '';
  /** These are functions because the streams of a process are made when they are first written to. */
  stdout: () => Sink;
  stderr: () => Sink;

  constructor(util: typeof utilModule, given: ConsoleOptions | Sink, errors: Sink | undefined) {
    const options: ConsoleOptions =
      typeof given === 'object' && 'write' in given
        ? { stdout: given, ...(errors && { stderr: errors }) }
        : given;
    if (typeof options?.stdout?.write !== 'function')
      throw nodeError(
        'ERR_CONSOLE_WRITABLE_STREAM',
        'Console expects a writable stream instance for stdout',
        TypeError,
      );
    if (![undefined, 'auto', true, false].includes(options.colorMode))
      throw argValueError('colorMode', options.colorMode, "must be one of: 'auto', true, false");
    this.#util = util;
    this.stdout = () => options.stdout;
    this.stderr = () => options.stderr ?? options.stdout;
    this.#step = options.groupIndentation ?? 2;
    this.#color = options.colorMode ?? 'auto';
    this.#inspectOptions = options.inspectOptions ?? {};
  }

  format(sink: Sink, args: readonly unknown[]): string {
    const [first] = args;
    if (args.length === 1 && typeof first === 'string') return first;
    return this.#util.formatWithOptions(this.#optionsFor(sink), ...(args as [unknown]));
  }

  write(sink: Sink, args: readonly unknown[]): void {
    this.put(sink, this.format(sink, args));
  }

  put(sink: Sink, text: string): void {
    const shown = this.#indent === '' ? text : this.#indent + text.replaceAll('\n', `\n${this.#indent}`);
    sink.write(`${shown}\n`);
  }

  inspect(value: unknown, options: object): string {
    const own = this.#optionsFor(this.stdout());
    return this.#util.inspect(value, { customInspect: false, ...own, ...options });
  }

  inspectCell(value: unknown): string {
    return this.#util.inspect(value, {
      maxArrayLength: 3,
      breakLength: Infinity,
      depth: isThing(value) && !Array.isArray(value) && Object.keys(value).length > 2 ? -1 : 0,
      ...this.#optionsFor(this.stdout()),
    });
  }

  indent(): void {
    this.#indent += ' '.repeat(this.#step);
  }

  outdent(): void {
    this.#indent = this.#indent.slice(this.#step);
  }

  #optionsFor(sink: Sink): object {
    const colors = this.#color === 'auto' ? isColoured(sink, environment()) : this.#color;
    return { ...this.#inspectOptions, colors };
  }
}
