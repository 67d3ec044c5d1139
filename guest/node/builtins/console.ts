import type { LoadBuiltin } from './builtin.ts';
import { argValueError, nodeError } from './internal/errors.ts';
import { callable } from './callable.ts';
import { environment, isColoured } from '../process/color-depth.ts';

interface Sink {
  write(text: string, done?: (error?: unknown) => void): unknown;
  readonly isTTY?: boolean;
  once?(name: string, listener: () => void): unknown;
  removeListener?(name: string, listener: () => void): unknown;
}

interface ConsoleOptions {
  readonly stdout: Sink;
  readonly stderr?: Sink;
  readonly ignoreErrors?: boolean;
  readonly colorMode?: boolean | 'auto';
  readonly inspectOptions?: object;
  readonly groupIndentation?: number;
}

/** Makes `node:console`: the class and the global console. */
export function makeConsole(load: LoadBuiltin, stdout: () => Sink, stderr: () => Sink) {
  const util = load('util');

  class Console {
    #stdout: () => Sink;
    #stderr: () => Sink;
    #indent = '';
    readonly #step: number;
    readonly #color: boolean | 'auto';
    readonly #inspectOptions: object;
    readonly #counts = new Map<string, number>();
    readonly #timers = new Map<string, number>();

    constructor(given: ConsoleOptions | Sink, errors?: Sink) {
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
      this.#stdout = () => options.stdout;
      this.#stderr = () => options.stderr ?? options.stdout;
      this.#step = options.groupIndentation ?? 2;
      this.#color = options.colorMode ?? 'auto';
      this.#inspectOptions = options.inspectOptions ?? {};
      for (const name of METHODS) {
        const method = Reflect.get(this, name) as (...args: unknown[]) => unknown;
        Object.defineProperty(this, name, {
          value: Object.defineProperty((...args: unknown[]) => Reflect.apply(method, this, args), 'name', {
            value: name,
          }),
          writable: true,
          enumerable: true,
          configurable: true,
        });
      }
    }

    /** The streams of the process are made when they are first written to. */
    _useProcess(): this {
      this.#stdout = stdout;
      this.#stderr = stderr;
      Object.defineProperty(this, '_stdout', { get: stdout, configurable: true });
      Object.defineProperty(this, '_stderr', { get: stderr, configurable: true });
      return this;
    }

    #optionsFor(sink: Sink): object {
      const colors = this.#color === 'auto' ? isColoured(sink, environment()) : this.#color;
      return { ...this.#inspectOptions, colors };
    }

    #format(sink: Sink, args: readonly unknown[]): string {
      const [first] = args;
      if (args.length === 1 && typeof first === 'string') return first;
      return util.formatWithOptions(this.#optionsFor(sink), ...(args as [unknown]));
    }

    #write(sink: Sink, args: readonly unknown[]): void {
      this.#put(sink, this.#format(sink, args));
    }

    #put(sink: Sink, text: string): void {
      const shown = this.#indent === '' ? text : this.#indent + text.replaceAll('\n', `\n${this.#indent}`);
      sink.write(`${shown}\n`);
    }

    log(...args: unknown[]) {
      this.#write(this.#stdout(), args);
    }
    info(...args: unknown[]) {
      this.#write(this.#stdout(), args);
    }
    debug(...args: unknown[]) {
      this.#write(this.#stdout(), args);
    }
    error(...args: unknown[]) {
      this.#write(this.#stderr(), args);
    }
    warn(...args: unknown[]) {
      this.#write(this.#stderr(), args);
    }
    trace(...args: unknown[]) {
      const shown: { stack?: string } = {};
      Error.captureStackTrace(shown, this.trace);
      const text = this.#format(this.#stderr(), args);
      const lines = (shown.stack ?? '').split('\n').slice(1).join('\n');
      this.#put(this.#stderr(), `Trace${text === '' ? '' : `: ${text}`}\n${lines}`);
    }
    dir(value: unknown, options: object = {}) {
      this.#put(
        this.#stdout(),
        util.inspect(value, { customInspect: false, ...this.#optionsFor(this.#stdout()), ...options }),
      );
    }
    dirxml(...args: unknown[]) {
      this.#write(this.#stdout(), args);
    }
    assert(value: unknown, ...args: unknown[]) {
      if (value) return;
      const [first, ...rest] = args;
      if (typeof first === 'string') this.warn(`Assertion failed: ${first}`, ...rest);
      else this.warn('Assertion failed', ...args);
    }
    clear() {
      const out = this.#stdout();
      if (out.isTTY) out.write('\x1b[1;1H\x1b[0J');
    }
    count(label: unknown = 'default') {
      const key = String(label);
      const count = (this.#counts.get(key) ?? 0) + 1;
      this.#counts.set(key, count);
      this.log(`${key}: ${count}`);
    }
    countReset(label: unknown = 'default') {
      if (!this.#counts.delete(String(label))) warn(`Count for '${String(label)}' does not exist`);
    }
    group(...args: unknown[]) {
      if (args.length > 0) this.log(...args);
      this.#indent += ' '.repeat(this.#step);
    }
    groupCollapsed(...args: unknown[]) {
      this.group(...args);
    }
    groupEnd() {
      this.#indent = this.#indent.slice(this.#step);
    }
    time(label: unknown = 'default') {
      const key = String(label);
      if (this.#timers.has(key)) return warn(`Label '${key}' already exists for console.time()`);
      this.#timers.set(key, performance.now());
    }
    timeLog(label: unknown = 'default', ...args: unknown[]) {
      this.#lap('timeLog', String(label), args);
    }
    timeEnd(label: unknown = 'default') {
      const key = String(label);
      this.#lap('timeEnd', key);
      this.#timers.delete(key);
    }
    #lap(method: string, key: string, args: readonly unknown[] = []) {
      const started = this.#timers.get(key);
      if (started === undefined) return warn(`No such label '${key}' for console.${method}()`);
      this.log('%s: %s', key, duration(performance.now() - started), ...args);
    }
    table(data: unknown, columns?: readonly string[]) {
      const text = tableOf(data, columns, (value) =>
        util.inspect(value, {
          maxArrayLength: 3,
          breakLength: Infinity,
          depth: isThing(value) && !Array.isArray(value) && Object.keys(value).length > 2 ? -1 : 0,
          ...this.#optionsFor(this.#stdout()),
        }),
      );
      if (text === undefined) this.log(data);
      else this.#put(this.#stdout(), text);
    }
    profile() {}
    profileEnd() {}
    timeStamp() {}
  }

  const warn = (text: string) => process.emitWarning(text);
  const METHODS = Object.getOwnPropertyNames(Console.prototype).filter(
    (name) => !/^_|^constructor$/.test(name),
  );
  const console = new Console({ stdout: { write() {} } })._useProcess();
  Object.defineProperty(Console, Symbol.hasInstance, {
    value: (value: unknown) =>
      value === console || Function.prototype[Symbol.hasInstance].call(Console, value),
    configurable: true,
  });
  const own = { ...console, ...ofEngine(), Console: callable(Console) };
  for (const name of Object.keys(console)) Reflect.deleteProperty(console, name);
  for (const name of ORDER)
    if (name in own)
      Object.defineProperty(console, name, {
        value: Reflect.get(own, name),
        enumerable: true,
        writable: true,
        configurable: true,
      });
  // Node's global console has a plain prototype, although `instanceof Console` is true for it.
  Object.setPrototypeOf(console, {});
  Object.defineProperty(console, Symbol.toStringTag, { value: 'console', configurable: true });
  return console;
}

/** The members of the global console, in node's order. */
const ORDER =
  'log info debug warn error dir time timeEnd timeLog trace assert clear count countReset group groupEnd table dirxml groupCollapsed Console profile profileEnd timeStamp context createTask'.split(
    ' ',
  );

/** The members of the engine's own console that node exposes. */
function ofEngine(): Record<string, unknown> {
  const names = ['context', 'createTask'].filter((name) => typeof Reflect.get(console, name) === 'function');
  return Object.fromEntries(names.map((name) => [name, Reflect.get(console, name) as unknown]));
}

function duration(ms: number): string {
  if (ms < 1000) return `${Number(ms.toFixed(3))}ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(3)}s`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor(ms / 60_000) % 60;
  const seconds = ((ms % 60_000) / 1000).toFixed(3).padStart(6, '0');
  return hours > 0
    ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds.slice(0, 2)} (h:mm:ss)`
    : `${minutes}:${seconds} (m:ss.mmm)`;
}

function isThing(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Draws rows and columns in a box. Undefined if there are none. */
function tableOf(
  data: unknown,
  only: readonly string[] | undefined,
  show: (value: unknown) => string,
): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const isMap = data instanceof Map;
  const isSet = data instanceof Set;
  const index = isMap || isSet ? '(iteration index)' : '(index)';
  const rows: [string, unknown, unknown?][] = isMap
    ? [...data].map(([key, value], at) => [String(at), value, key])
    : isSet
      ? [...data].map((value, at) => [String(at), value])
      : Object.entries(data);
  const columns: string[] = [];
  let hasValues = false;
  const cells = rows.map(([name, value, key]) => {
    const row = new Map<string, string>();
    if (isMap) row.set('Key', show(key));
    if (isThing(value) && typeof value !== 'function' && !isMap) {
      for (const column of only ?? Object.keys(value)) {
        if (!columns.includes(column)) columns.push(column);
        if (Object.hasOwn(value, column)) row.set(column, show(Reflect.get(value, column)));
      }
    } else {
      hasValues = true;
      row.set('Values', show(value));
    }
    return { name, row };
  });
  const heads = [index, ...(isMap ? ['Key'] : []), ...(only ?? columns), ...(hasValues ? ['Values'] : [])];
  const lines = cells.map(({ name, row }) => [name, ...heads.slice(1).map((head) => row.get(head) ?? '')]);
  const widths = heads.map(
    (_head, at) => Math.max(...[heads, ...lines].map((line) => width(line[at] ?? ''))) + 2,
  );
  const rule = (left: string, middle: string, right: string) =>
    left + widths.map((each) => '─'.repeat(each)).join(middle) + right;
  const line = (texts: readonly string[]) =>
    `│${texts.map((text, at) => ` ${text}${' '.repeat(Math.max(0, (widths[at] ?? 0) - width(text) - 1))}`).join('│')}│`;
  return [
    rule('┌', '┬', '┐'),
    line(heads),
    rule('├', '┼', '┤'),
    ...lines.map(line),
    rule('└', '┴', '┘'),
  ].join('\n');
}

function width(text: string): number {
  let total = 0;
  for (const char of text)
    total +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(
        char,
      )
        ? 2
        : 1;
  return total;
}
