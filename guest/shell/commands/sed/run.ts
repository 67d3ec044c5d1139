import { Complaint } from '../../kit/complaint.ts';
import { encode, linesIn } from '../../kit/io.ts';
import type { Address, Command, Script } from './script.ts';
import { substitute } from './replace.ts';

export interface Line {
  readonly text: string;
  readonly ended: boolean;
}

/**
 * A run that yields only the promises it has to wait for, because awaiting values that are already there
 * would cost more than processing a line.
 */
type Steps<Result> = Generator<Promise<unknown>, Result, void>;

function* waited<Value>(promise: Promise<Value>): Steps<Value> {
  const came: { readonly value: Value }[] = [];
  yield promise.then((value) => came.push({ value }));
  const [only] = came;
  if (!only) throw new Error('a step went on before what it waits for');
  return only.value;
}

function* written(promise: Promise<void> | undefined): Steps<void> {
  if (promise) yield promise;
}

/** Delivers lines in order, over all files or one. */
export interface Lines {
  /** Returns undefined at the end, and a promise only where it has to wait. */
  next(): Line | undefined | Promise<Line | undefined>;
  isLast(): boolean | Promise<boolean>;
  readonly name: string;
}

/** The destination of output. A line that lacked its line end gets one only if more follows. */
export interface Target {
  write(text: string): Promise<void> | undefined;
}

interface Setting {
  readonly script: Script;
  readonly quiet: boolean;
  readonly end: string;
  readonly wrap: number;
  readonly stopped: () => boolean;
  target(file: string): Target;
  /** Returns the text of a file; empty where it does not exist. */
  read(file: string): Promise<string>;
}

/** The state that lasts from one file to the next. */
export class Machine {
  line = 0;
  #hold = '';
  #space = '';
  /** Whether the line in the pattern space had a line end. */
  #ended = true;
  #appended: (() => Promise<string>)[] = [];
  #lastRegex: RegExp | undefined;
  readonly #ranges = new Map<Command, number>();
  readonly #unread = new Map<string, string[]>();
  readonly #setting: Setting;
  /** The exit code that q or Q has set. */
  exitCode: number | undefined;

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  async run(lines: Lines, out: LineTarget): Promise<void> {
    for (const wait of this.#run(lines, out)) await wait;
  }

  *#run(lines: Lines, out: LineTarget): Steps<void> {
    const { script, quiet } = this.#setting;
    let restart = false;
    for (;;) {
      if (this.#setting.stopped()) return;
      if (!restart && !(yield* this.#load(lines))) return;
      restart = false;
      const how = yield* this.#cycle(script.commands, lines, out);
      if (how === 'restart') restart = true;
      if (how !== 'silent' && how !== 'restart' && !quiet) {
        const waits = out.line(this.#space, this.#ended);
        if (waits) yield waits;
      }
      if (this.#appended.length > 0) yield this.#append(out);
      if (this.exitCode !== undefined || how === 'over') return;
    }
  }

  *#load(lines: Lines): Steps<boolean> {
    const next = lines.next();
    const line = next instanceof Promise ? yield* waited(next) : next;
    if (!line) return false;
    this.line++;
    this.#space = line.text;
    this.#ended = line.ended;
    return true;
  }

  async #append(out: LineTarget): Promise<void> {
    if (this.#appended.length === 0) return;
    const appended = this.#appended;
    this.#appended = [];
    for (const text of appended) await out.text(await text());
  }

  /**
   * Runs one cycle and says how it ends: normally, without printing, with a restart without reading, or as
   * the last one.
   */
  *#cycle(
    commands: readonly Command[],
    lines: Lines,
    out: LineTarget,
  ): Steps<'end' | 'silent' | 'restart' | 'over'> {
    const { quiet, end } = this.#setting;
    let replaced = false;
    for (let at = 0; at < commands.length; at++) {
      const command = commands[at];
      if (!command) break;
      if (command.from) {
        const applies = this.#applies(command, lines);
        if ((typeof applies === 'boolean' ? applies : yield* waited(applies)) === command.negated) {
          if (command.name === '{') at = command.target - 1;
          continue;
        }
      } else if (command.negated) continue;
      switch (command.name) {
        case '{':
          break;
        case '=':
          yield* written(out.text(`${this.line}\n`));
          break;
        case 'a':
          this.#appended.push(() => Promise.resolve(command.text));
          break;
        case 'i':
          yield* written(out.text(command.text));
          break;
        case 'c':
          if (!command.to || command.negated || !this.#ranges.has(command))
            yield* written(out.text(command.text));
          return 'silent';
        case 'b':
          at = command.target - 1;
          break;
        case 't':
          if (replaced) at = command.target - 1;
          replaced = false;
          break;
        case 'T':
          if (!replaced) at = command.target - 1;
          replaced = false;
          break;
        case 'd':
          return 'silent';
        case 'D': {
          const cut = this.#space.indexOf(end);
          if (cut < 0) return 'silent';
          this.#space = this.#space.slice(cut + 1);
          return 'restart';
        }
        case 'F':
          yield* written(out.text(`${lines.name}\n`));
          break;
        case 'g':
          this.#space = this.#hold;
          break;
        case 'G':
          this.#space += end + this.#hold;
          break;
        case 'h':
          this.#hold = this.#space;
          break;
        case 'H':
          this.#hold += end + this.#space;
          break;
        case 'x':
          [this.#space, this.#hold] = [this.#hold, this.#space];
          break;
        case 'l':
          yield* written(
            out.text(visible(this.#space, command.text === '' ? this.#setting.wrap : Number(command.text))),
          );
          break;
        case 'n':
          if (yield* this.#isLast(lines)) return 'over';
          if (!quiet) yield* written(out.line(this.#space, this.#ended));
          yield this.#append(out);
          yield* this.#load(lines);
          break;
        case 'N': {
          const before = this.#space;
          if (yield* this.#isLast(lines)) return 'over';
          yield this.#append(out);
          yield* this.#load(lines);
          this.#space = before + end + this.#space;
          break;
        }
        case 'p':
          yield* written(out.line(this.#space, this.#ended));
          break;
        case 'P': {
          const cut = this.#space.indexOf(end);
          yield* written(out.line(cut < 0 ? this.#space : this.#space.slice(0, cut), true));
          break;
        }
        case 'q':
        case 'Q':
          this.exitCode = Number(command.text);
          return command.name === 'q' ? 'over' : 'silent';
        case 'r':
          this.#appended.push(() => this.#setting.read(command.text));
          break;
        case 'R':
          this.#appended.push(() => this.#nextOf(command.text));
          break;
        case 's': {
          const { substitution } = command;
          if (!substitution) break;
          const changed = substitute(this.#space, this.#regex(substitution.regex), substitution);
          if (changed === undefined) break;
          this.#space = changed;
          replaced = true;
          if (substitution.print) yield* written(out.line(changed, this.#ended));
          if (substitution.file !== undefined)
            yield* written(this.#setting.target(substitution.file).write(changed + end));
          break;
        }
        case 'w':
          yield* written(this.#setting.target(command.text).write(this.#space + end));
          break;
        case 'W':
          yield* written(this.#setting.target(command.text).write((this.#space.split(end)[0] ?? '') + end));
          break;
        case 'y':
          this.#space = [...this.#space].map((char) => command.map?.get(char) ?? char).join('');
          break;
        case 'z':
          this.#space = '';
          break;
      }
    }
    return 'end';
  }

  *#isLast(lines: Lines): Steps<boolean> {
    const isLast = lines.isLast();
    return typeof isLast === 'boolean' ? isLast : yield* waited(isLast);
  }

  async #nextOf(file: string): Promise<string> {
    let lines = this.#unread.get(file);
    if (!lines) {
      ({ lines } = linesIn(await this.#setting.read(file)));
      this.#unread.set(file, lines);
    }
    const line = lines.shift();
    return line === undefined ? '' : `${line}\n`;
  }

  #regex(regex: RegExp | undefined): RegExp {
    const used = regex ?? this.#lastRegex;
    if (!used) throw new Complaint('no previous regular expression', 1);
    this.#lastRegex = used;
    return used;
  }

  #applies(command: Command, lines: Lines): boolean | Promise<boolean> {
    const { from, to } = command;
    if (!from) return true;
    if (!to) return this.#matches(from, lines);
    return this.#inRange(command, from, to, lines);
  }

  #matches(address: Address, lines: Lines): boolean | Promise<boolean> {
    switch (address.kind) {
      case 'line':
        return this.line === address.line;
      case 'step':
        return address.step <= 0
          ? this.line === address.first
          : this.line >= address.first && (this.line - address.first) % address.step === 0;
      case 'last':
        return lines.isLast();
      case 'match': {
        const regex = this.#regex(address.regex);
        regex.lastIndex = 0;
        return regex.test(this.#space);
      }
    }
  }

  /** An open range is in `#ranges`, with its last line where that is known. */
  async #inRange(
    command: Command,
    from: Address,
    to: NonNullable<Command['to']>,
    lines: Lines,
  ): Promise<boolean> {
    let end = this.#ranges.get(command);
    if (end === undefined) {
      const startsAtZero = from.kind === 'line' && from.line === 0;
      if (startsAtZero ? this.line !== 1 : !(await this.#matches(from, lines))) return false;
      if (to.kind === 'count') end = this.line + to.lines;
      else if (to.kind === 'multiple') end = to.of > 0 ? Math.ceil(this.line / to.of) * to.of : this.line;
      else if (to.kind === 'line') end = to.line;
      else end = Infinity;
      if (end <= this.line) return true;
      this.#ranges.set(command, end);
      if (!startsAtZero) {
        if (to.kind === 'last' && (await lines.isLast())) this.#ranges.delete(command);
        return true;
      }
    }
    if (to.kind === 'line' && end < this.line) {
      this.#ranges.delete(command);
      return this.#inRange(command, from, to, lines);
    }
    const isOver =
      this.line >= end ||
      (end === Infinity &&
        (to.kind === 'match' || to.kind === 'last' || to.kind === 'step') &&
        (await this.#matches(to, lines)));
    if (isOver) this.#ranges.delete(command);
    return true;
  }
}

/** Writes lines. The line end that the last line of a file lacked is added only when more follows. */
export class LineTarget {
  readonly #write: (text: string) => Promise<void> | undefined;
  readonly #end: string;
  #owed = '';

  constructor(write: (text: string) => Promise<void> | undefined, end: string) {
    this.#write = write;
    this.#end = end;
  }

  line(text: string, ended: boolean): Promise<void> | undefined {
    const owed = this.#owed;
    this.#owed = ended ? '' : this.#end;
    return this.#write(owed + text + (ended ? this.#end : ''));
  }

  text(text: string): Promise<void> | undefined {
    if (text === '') return undefined;
    const owed = this.#owed;
    this.#owed = '';
    return this.#write(owed + text);
  }
}

const NAMED: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  92: '\\\\',
};

/** Shows a text like the command l: unprintable bytes in octal, in lines of at most `width` characters. */
function visible(text: string, width: number): string {
  const pieces = Array.from(encode(text), (byte) => {
    const named = NAMED[byte];
    if (named !== undefined) return named;
    return byte >= 32 && byte < 127 ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  let [result, line] = ['', ''];
  for (const piece of pieces) {
    if (width > 1 && line.length + piece.length > width - 1) {
      result += `${line}\\\n`;
      line = '';
    }
    line += piece;
  }
  return `${result}${line}$\n`;
}
