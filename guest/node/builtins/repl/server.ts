import type { InspectOptions } from 'node:util';
import type { ReplInputs } from '../../loader/repl-inputs.ts';
import { isColoured } from '../../process/color-depth.ts';
import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import { isFunction, membersOf } from '../internal/guards.ts';
import { needFunction, nodeError, unavailable } from '../internal/errors.ts';
import { Interface } from '../readline.ts';
import { replCommands, type ReplCommand } from './commands.ts';
import { uncaughtInRepl } from './error-text.ts';
import { LastValues } from './last-values.ts';
import { replOptions, type ReplOptions, type Write } from './options.ts';

/** The error by which an `eval` of the program asks for more lines. */
export class Recoverable extends SyntaxError {
  readonly err: unknown;

  constructor(err: unknown) {
    super();
    this.err = err;
  }
}

/** An input has a value once it was evaluated, or the error that it threw. */
type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** How many inputs all REPLs of the process have read. It names their code in stacks. */
let count = 0;

/** Reads inputs, evaluates them in the global scope and prints their values. */
export class ReplServer extends Interface {
  readonly context = globalThis;
  readonly commandList: Map<string, ReplCommand>;
  /** The lines that were evaluated. */
  readonly lines: string[] = [];
  readonly useColors: boolean;
  readonly writer: Write;
  readonly ignoreUndefined: boolean;
  readonly #options: ReplOptions;
  readonly #inputs: ReplInputs;
  readonly #last: LastValues;
  readonly #inspected: InspectOptions;
  /** The lines that wait for the one before them. */
  #waiting: string[] = [];
  #isBusy = false;
  /** `.exit` was given: what follows it is not read. */
  #isOver = false;
  /** Ends the wait for the promise of an input. */
  #interrupt: (() => void) | undefined;
  #unfinished = '';
  #wasInterrupted = false;

  constructor(given: unknown, host: NodeHost, load: LoadBuiltin, inputs: ReplInputs) {
    const options = replOptions(given, host.process);
    const { input, output, terminal, completer, prompt } = options;
    super({
      input,
      output,
      prompt,
      ...(terminal !== undefined && { terminal }),
      ...(isFunction(completer) && { completer }),
    });
    this.#options = options;
    this.#inputs = inputs;
    this.#last = new LastValues((text) => this.say(text));
    this.commandList = replCommands(load);
    this.ignoreUndefined = options.ignoreUndefined;
    this.useColors = options.useColors ?? isColoured(output, host.process.env);
    this.#inspected = { ...load('util').inspect.defaultOptions, showProxy: true, colors: this.useColors };
    this.writer = options.writer ?? ((value) => load('util').inspect(value, this.#inspected));
    this.on('line', (line) => this.take([String(line)]));
    this.on('SIGINT', () => this.#interrupted());
    this.on('close', () => {
      if (this.terminal) this.output?.write('\n');
      if (!this.#isBusy) this.emit('exit');
    });
    this.displayPrompt();
  }

  get commands(): Record<string, ReplCommand> {
    return Object.fromEntries(this.commandList);
  }

  defineCommand(name: string, given: unknown): void {
    const action: unknown = isFunction(given) ? given : membersOf(given).action;
    needFunction(action, 'cmd.action');
    const { help } = membersOf(given);
    this.commandList.set(name, { help: help === undefined ? undefined : String(help), action });
  }

  displayPrompt(preserveCursor?: boolean): void {
    const own = this.getPrompt();
    if (this.#unfinished !== '') this.setPrompt('... ');
    this.prompt(preserveCursor);
    this.setPrompt(own);
  }

  clearBufferedCommand(): void {
    this.#unfinished = '';
  }

  setupHistory(): never {
    throw unavailable('repl.REPLServer.setupHistory', 'it keeps no history between its runs');
  }

  say(text: string): void {
    this.output?.write(`${text}\n`);
  }

  /** Evaluates lines in their order. A later one waits for the promise of an earlier one. */
  take(lines: readonly string[]): void {
    this.#waiting.push(...lines);
    while (!this.#isBusy && !this.#isOver) {
      const line = this.#waiting.shift();
      if (line === undefined) return;
      this.#takeLine(line);
    }
  }

  /** Ends the session at once. */
  exit(): void {
    this.#isOver = true;
    this.close();
  }

  /** Prints an error that nothing caught. */
  fail(error: unknown): void {
    this.#last.keep('_error', error);
    this.output?.write(uncaughtInRepl(error, this.writer, Number(this.#inspected.breakLength ?? 80)));
    this.clearBufferedCommand();
    if (!this.closed) this.displayPrompt();
  }

  #takeLine(line: string): void {
    this.#wasInterrupted = false;
    const word = line.trim();
    if (/^\.(?![\d.])./.test(word) && this.#command(word)) return;
    this.lines.push(line);
    if (word === '' && this.#unfinished === '') return this.displayPrompt();
    if (this.#unfinished === '' && word.startsWith('npm ')) {
      this.say(
        'npm should be run outside of the Node.js REPL, in your normal shell.\n(Press Ctrl+D to exit.)',
      );
      return this.displayPrompt();
    }
    this.#evaluate(line);
  }

  /** Returns whether the word is a command, or can be nothing else. */
  #command(text: string): boolean {
    const [, name = '', rest = ''] = /^\.(\S+)\s*(.*)$/.exec(text) ?? [];
    const command = this.commandList.get(name);
    if (command) command.action.call(this, rest);
    else if (this.#unfinished === '') {
      this.say('Invalid REPL keyword');
      this.displayPrompt();
    } else return false;
    if (!command) this.lines.push(text);
    return true;
  }

  #evaluate(line: string): void {
    const code = `${this.#unfinished}${line}\n`;
    const { evaluate } = this.#options;
    this.#isBusy = true;
    let isOver = false;
    const end = (outcome: Outcome) => {
      if (isOver) return;
      isOver = true;
      this.#finish(code, outcome);
    };
    this.#interrupt = () => end({ error: interrupted() });
    const name = `REPL${++count}`;
    try {
      if (evaluate)
        evaluate.call(this, code, this.context, name, (error, value) =>
          end(error === null || error === undefined ? { value } : { error }),
        );
      else this.#evaluateOwn(code, name, end);
    } catch (error) {
      end({ error });
    }
  }

  #evaluateOwn(code: string, name: string, end: (outcome: Outcome) => void): void {
    if (this.#inputs.isIncomplete(code)) return end({ error: new Recoverable(undefined) });
    const result = this.#inputs.run(code, name);
    if (result instanceof Promise) result.then(end, (error: unknown) => end({ error }));
    else end(result);
  }

  #finish(code: string, outcome: Outcome): void {
    this.#isBusy = false;
    this.#interrupt = undefined;
    if ('error' in outcome) this.#failed(code, outcome.error);
    else {
      const { value } = outcome;
      this.clearBufferedCommand();
      if (value !== undefined || !this.ignoreUndefined) {
        this.#last.keep('_', value);
        this.say(this.writer(value));
      }
      if (!this.closed) this.displayPrompt();
    }
    this.take([]);
    if (this.closed && !this.#isBusy) this.emit('exit');
  }

  #failed(code: string, error: unknown): void {
    if (!(error instanceof Recoverable)) return this.fail(error);
    this.#unfinished = code;
    this.displayPrompt();
  }

  /** Ctrl-C: drops what is typed or waited for. Where nothing is, the second one in a row ends the session. */
  #interrupted(): void {
    if (this.#interrupt) return this.#interrupt();
    const isEmpty = this.line === '' && this.#unfinished === '';
    this.clearLine();
    if (isEmpty && this.#wasInterrupted) return this.close();
    if (isEmpty) this.say('(To exit, press Ctrl+C again or Ctrl+D or type .exit)');
    this.#wasInterrupted = isEmpty;
    this.clearBufferedCommand();
    this.displayPrompt();
  }
}

function interrupted(): Error {
  return nodeError('ERR_SCRIPT_EXECUTION_INTERRUPTED', 'Script execution was interrupted by `SIGINT`');
}
