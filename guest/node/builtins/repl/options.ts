import type { Readable } from 'node:stream';
import type { Output } from '../readline/terminal.ts';
import { isFunction, membersOf } from '../internal/guards.ts';

/** Calls back with an error or with the value of an input. */
export type Evaluated = (error: unknown, value?: unknown) => void;

/** A function that evaluates inputs in place of node's. */
export type Evaluate = (code: string, context: unknown, file: string, done: Evaluated) => void;

export type Write = (value: unknown) => string;

export interface ReplOptions {
  readonly prompt: string;
  readonly input: Readable;
  readonly output: Output;
  readonly terminal: boolean | undefined;
  readonly useColors: boolean | undefined;
  readonly ignoreUndefined: boolean;
  readonly evaluate: Evaluate | undefined;
  readonly writer: Write | undefined;
  readonly completer: unknown;
}

/** Reads the arguments of `repl.start`: a prompt, or options. */
export function replOptions(given: unknown, process: NodeJS.Process): ReplOptions {
  const { prompt, input, output, terminal, useColors, ignoreUndefined, completer, ...functions } = membersOf(
    typeof given === 'string' ? { prompt: given } : given,
  );
  const { eval: evaluate, writer } = functions;
  return {
    prompt: prompt === undefined ? '> ' : String(prompt),
    input: (input as Readable | undefined) ?? process.stdin,
    output: (output as Output | undefined) ?? process.stdout,
    terminal: terminal === undefined ? undefined : Boolean(terminal),
    useColors: useColors === undefined ? undefined : Boolean(useColors),
    ignoreUndefined: Boolean(ignoreUndefined),
    evaluate: isFunction(evaluate) ? evaluate : undefined,
    writer: isFunction(writer) ? (value) => String(writer(value)) : undefined,
    completer,
  };
}
