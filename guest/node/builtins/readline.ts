import { PlainProxy } from './internal/proxies.ts';
import type { Readable } from 'node:stream';
import type { MakeBuiltin } from './builtin.ts';
import { abortError, argValueError, needFunction, nodeError } from './internal/errors.ts';
import { EventEmitter } from './internal/emitter.ts';
import { customPromisify } from './internal/symbols.ts';
import { LineEditor } from './readline/editor.ts';
import { emitKeypressEvents } from './readline/keypress.ts';
import type { Key } from './readline/keys.ts';
import {
  clearLine,
  clearScreenDown,
  cursorTo,
  moveCursor,
  Readline,
  type Output,
} from './readline/terminal.ts';
import { StringDecoder } from './string_decoder.ts';

interface Options {
  readonly input: Readable;
  readonly output?: Output | null;
  readonly completer?: unknown;
  readonly terminal?: boolean;
  readonly prompt?: string;
  readonly historySize?: number;
  readonly history?: string[];
  readonly crlfDelay?: number;
  readonly tabSize?: number;
  readonly removeHistoryDuplicates?: boolean;
  readonly escapeCodeTimeout?: number;
  readonly signal?: AbortSignal;
}

interface QuestionOptions {
  readonly signal?: AbortSignal;
}

/** Reads lines of an input, as they come or as a person edits them in a terminal. */
export class Interface extends EventEmitter {
  readonly input: Readable;
  readonly output: Output | null | undefined;
  readonly terminal: boolean;
  readonly historySize: number;
  readonly crlfDelay: number;
  history: string[];
  line = '';
  cursor = 0;
  closed = false;
  isCompletionEnabled = true;
  paused = false;
  #prompt: string;
  #rest = '';
  #answer: ((line: string) => void) | undefined;
  #editor: LineEditor | undefined;
  readonly escapeCodeTimeout: number;
  #detach: () => void;

  constructor(given: Options | Readable, output?: Output, completer?: unknown, terminal?: boolean) {
    super();
    const options: Options =
      'input' in given && given.input
        ? given
        : {
            input: given as Readable,
            ...(output && { output }),
            completer,
            ...(terminal !== undefined && { terminal }),
          };
    if (options.completer !== undefined && typeof options.completer !== 'function')
      throw argValueError('completer', options.completer);
    this.input = options.input;
    this.output = options.output;
    this.terminal = options.terminal ?? Boolean(Reflect.get(Object(options.output ?? {}), 'isTTY'));
    this.historySize = options.historySize ?? 30;
    this.history = options.history ?? [];
    this.crlfDelay = Math.max(100, options.crlfDelay ?? 100);
    this.#prompt = options.prompt ?? '> ';
    const decoder = new StringDecoder('utf8');
    const data = (piece: unknown) => this.#take(decoder.write(piece));
    const end = () => {
      this.#take(decoder.end());
      if (this.#rest !== '') {
        const last = this.#rest;
        this.#rest = '';
        this.#give(last);
      }
      this.close();
    };
    const failed = (error: unknown) => this.emit('error', error);
    this.input.on('data', data);
    this.input.on('end', end);
    this.input.on('error', failed);
    this.#detach = () => {
      this.input.removeListener('data', data);
      this.input.removeListener('end', end);
      this.input.removeListener('error', failed);
    };
    this.escapeCodeTimeout = options.escapeCodeTimeout ?? 500;
    if (this.terminal) {
      this.#detach();
      this.#detach = this.#edit(options);
    }
    const { signal } = options;
    if (signal?.aborted) globalThis.process.nextTick(() => this.close());
    else signal?.addEventListener('abort', () => this.close(), { once: true });
    this.input.resume();
  }

  /** Node's version with promises edits lines on a dumb terminal too. */
  protected get hasPromises(): boolean {
    return false;
  }

  get columns(): number {
    return Number(Reflect.get(Object(this.output ?? {}), 'columns')) || Infinity;
  }

  getPrompt(): string {
    return this.#prompt;
  }

  setPrompt(prompt: string): void {
    this.#prompt = prompt;
  }

  prompt(_preserveCursor?: boolean): void {
    if (this.closed) return;
    if (this.paused) this.resume();
    if (!this.#editor || isDumb()) return void this.output?.write(this.#prompt);
    if (!_preserveCursor) this.cursor = 0;
    this.#editor.draw();
  }

  question(query: string, options: unknown, callback?: unknown): void {
    if (this.closed) throw closedError();
    const answered = typeof options === 'function' ? options : callback;
    const { signal } = (typeof options === 'object' && options !== null ? options : {}) as QuestionOptions;
    if (signal?.aborted) return;
    needFunction(answered, 'cb');
    if (this.#answer) return this.prompt();
    const before = this.#prompt;
    const aborted = () => {
      this.#answer = undefined;
      this.#prompt = before;
      this.#editor?.clear();
    };
    signal?.addEventListener('abort', aborted, { once: true });
    this.#answer = (line) => {
      signal?.removeEventListener('abort', aborted);
      this.#prompt = before;
      answered(line);
    };
    this.#prompt = query;
    this.prompt();
  }

  pause(): this {
    if (this.paused) return this;
    this.input.pause();
    this.paused = true;
    this.emit('pause');
    return this;
  }

  resume(): this {
    if (!this.paused) return this;
    this.input.resume();
    this.paused = false;
    this.emit('resume');
    return this;
  }

  write(text: unknown, key?: { ctrl?: boolean; name?: string }): void {
    if (this.closed) throw closedError();
    if (this.paused) this.resume();
    if (this.#editor) {
      // Keys from a program are handled like typed ones. One piece may hold several lines.
      this.#editor.press(text === null || text === undefined ? undefined : String(text), key ?? {});
    } else if (text !== null && text !== undefined) this.#take(String(text));
    else if (key?.ctrl && key.name === 'u') this.#rest = '';
  }

  close(): void {
    if (this.closed) return;
    this.pause();
    this.#detach();
    if (this.#editor) setRaw(this.input, false);
    this.closed = true;
    this.emit('close');
  }

  /** Discards the line that is being typed. */
  clearLine(): void {
    if (this.#editor) return this.#editor.clear();
    this.output?.write('\r\n');
    this.line = '';
    this.cursor = 0;
  }

  getCursorPos(): { rows: number; cols: number } {
    return this.#editor?.cursorPlace() ?? { rows: 0, cols: this.#prompt.length + this.cursor };
  }

  /** Starts to edit lines with the keys of the input. Returns a function that ends this. */
  #edit(options: Options): () => void {
    const { input, output } = this;
    const complete = completionOf(options.completer);
    const editor = new LineEditor(this, {
      tabSize: options.tabSize ?? 8,
      isPlain: isDumb() && !this.hasPromises,
      removesDuplicates: options.removeHistoryDuplicates ?? false,
      complete,
      given: (line) => this.#hear(line),
    });
    this.#editor = editor;
    emitKeypressEvents(input, this);
    const pressed = (text: string | undefined, key: Key) => editor.press(text, key);
    const end = () => {
      if (this.line.length > 0) this.emit('line', this.line);
      this.close();
    };
    const failed = (error: unknown) => this.emit('error', error);
    const resized = () => editor.draw();
    input.on('keypress', pressed);
    input.on('end', end);
    input.on('error', failed);
    setRaw(input, true);
    const screen = output as NodeJS.EventEmitter | null | undefined;
    const isHeard = typeof screen?.on === 'function';
    if (isHeard) screen.on('resize', resized);
    return () => {
      input.removeListener('keypress', pressed);
      input.removeListener('end', end);
      input.removeListener('error', failed);
      if (isHeard) screen.removeListener('resize', resized);
    };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    const lines: string[] = [];
    let wake = () => {};
    this.on('line', (line) => {
      lines.push(line as string);
      wake();
    });
    this.on('close', () => wake());
    try {
      for (;;) {
        for (let line = lines.shift(); line !== undefined; line = lines.shift()) yield line;
        if (this.closed) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.close();
    }
  }

  #take(text: string): void {
    if (text === '') return;
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?=[^\n])|\u2028|\u2029/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#give(line);
  }

  #give(line: string): void {
    this.#hear(line.replace(/\r$/, ''));
  }

  #hear(line: string): void {
    const answer = this.#answer;
    if (!answer) return void this.emit('line', line);
    this.#answer = undefined;
    answer(line);
  }
}

function setRaw(input: object, raw: boolean): void {
  const set: unknown = Reflect.get(input, 'setRawMode');
  if (typeof set === 'function') set.call(input, raw);
}

type Completed = (error: unknown, found?: unknown) => void;

/** Wraps a completer, which may call back, return its result or return a promise. */
function completionOf(completer: unknown): ((line: string, done: Completed) => void) | undefined {
  if (typeof completer !== 'function') return undefined;
  if (completer.length === 2) return (line, done) => void completer(line, done);
  return (line, done) => {
    const found: unknown = completer(line);
    if (found instanceof Promise)
      found.then(
        (value) => done(null, value),
        (error: unknown) => done(error),
      );
    else done(null, found);
  };
}

/** The bundler would replace a literal `process.env` with an empty object. */
function isDumb(): boolean {
  const { env } = globalThis.process;
  return env.TERM === 'dumb';
}

const closedError = () => nodeError('ERR_USE_AFTER_CLOSE', 'readline was closed');

function asked(reader: Interface, query: string, options: QuestionOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const { signal } = options;
    if (signal?.aborted) return reject(abortError(signal.reason));
    signal?.addEventListener('abort', () => reject(abortError(signal.reason)), { once: true });
    try {
      Interface.prototype.question.call(reader, query, options, resolve);
    } catch (error) {
      reject(error as Error);
    }
  });
}

Object.defineProperty(Interface.prototype.question, customPromisify, {
  configurable: true,
  value: function question(this: Interface, query: string, options?: QuestionOptions) {
    return asked(this, query, options);
  },
});

class PromisesInterface extends Interface {
  protected override get hasPromises(): boolean {
    return true;
  }

  // oxlint-disable-next-line typescript/no-misused-promises -- the one without promises has a callback.
  override question(query: string, options?: QuestionOptions): Promise<string> {
    return asked(this, query, options);
  }
}
Object.defineProperty(PromisesInterface, 'name', { value: 'Interface' });

type Args = ConstructorParameters<typeof Interface>;

export const makeReadline: MakeBuiltin = (_host, load) => {
  const callable = new PlainProxy(Interface, {
    apply: (_target, _self, args: Args) => new Interface(...args),
  });
  return {
    Interface: callable,
    clearLine,
    clearScreenDown,
    createInterface: (...args: Args) => new Interface(...args),
    cursorTo,
    emitKeypressEvents,
    moveCursor,
    promises: load('readline/promises'),
  };
};

export const makeReadlinePromises: MakeBuiltin = () => ({
  Interface: PromisesInterface,
  Readline,
  createInterface: (...args: Args) => new PromisesInterface(...args),
});
