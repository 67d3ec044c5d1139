import type * as utilModule from 'node:util';
import { Printer, type ConsoleOptions, type Sink } from './printer.ts';
import { tableOf } from './table.ts';
import { clock } from '../../loop/browser-clock.ts';

/** Makes the class `Console`. Every instance has the methods as its own members, as in node. */
export function makeConsoleClass(util: typeof utilModule) {
  class Console {
    readonly #printer: Printer;
    readonly #counts = new Map<string, number>();
    readonly #timers = new Map<string, number>();

    constructor(given: ConsoleOptions | Sink, errors?: Sink) {
      this.#printer = new Printer(util, given, errors);
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
    _useProcess(stdout: () => Sink, stderr: () => Sink): this {
      this.#printer.stdout = stdout;
      this.#printer.stderr = stderr;
      Object.defineProperty(this, '_stdout', { get: stdout, configurable: true });
      Object.defineProperty(this, '_stderr', { get: stderr, configurable: true });
      return this;
    }

    log(...args: unknown[]) {
      this.#printer.write(this.#printer.stdout(), args);
    }
    info(...args: unknown[]) {
      this.#printer.write(this.#printer.stdout(), args);
    }
    debug(...args: unknown[]) {
      this.#printer.write(this.#printer.stdout(), args);
    }
    error(...args: unknown[]) {
      this.#printer.write(this.#printer.stderr(), args);
    }
    warn(...args: unknown[]) {
      this.#printer.write(this.#printer.stderr(), args);
    }
    trace(...args: unknown[]) {
      const shown: { stack?: string } = {};
      Error.captureStackTrace(shown, this.trace);
      const sink = this.#printer.stderr();
      const text = this.#printer.format(sink, args);
      const lines = (shown.stack ?? '').split('\n').slice(1).join('\n');
      this.#printer.put(sink, `Trace${text === '' ? '' : `: ${text}`}\n${lines}`);
    }
    dir(value: unknown, options: object = {}) {
      this.#printer.put(this.#printer.stdout(), this.#printer.inspect(value, options));
    }
    dirxml(...args: unknown[]) {
      this.#printer.write(this.#printer.stdout(), args);
    }
    assert(value: unknown, ...args: unknown[]) {
      if (value) return;
      const [first, ...rest] = args;
      if (typeof first === 'string') this.warn(`Assertion failed: ${first}`, ...rest);
      else this.warn('Assertion failed', ...args);
    }
    clear() {
      const out = this.#printer.stdout();
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
      this.#printer.indent();
    }
    groupCollapsed(...args: unknown[]) {
      this.group(...args);
    }
    groupEnd() {
      this.#printer.outdent();
    }
    time(label: unknown = 'default') {
      const key = String(label);
      if (this.#timers.has(key)) return warn(`Label '${key}' already exists for console.time()`);
      this.#timers.set(key, clock.now());
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
      this.log('%s: %s', key, duration(clock.now() - started), ...args);
    }
    table(data: unknown, columns?: readonly string[]) {
      const text = tableOf(data, columns, (value) => this.#printer.inspectCell(value));
      if (text === undefined) this.log(data);
      else this.#printer.put(this.#printer.stdout(), text);
    }
    profile() {}
    profileEnd() {}
    timeStamp() {}
  }

  const METHODS = Object.getOwnPropertyNames(Console.prototype).filter(
    (name) => !/^_|^constructor$/.test(name),
  );
  return Console;
}

function warn(text: string): void {
  process.emitWarning(text);
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
