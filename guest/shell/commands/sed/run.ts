import { Complaint } from '../../kit/complaint.ts';
import { linesIn } from '../../kit/io.ts';
import { visible, type LineTarget } from './output.ts';
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
        case 'c':
          if (!command.to || command.negated || !this.#ranges.has(command))
            yield* written(out.text(command.text));
          return 'silent';
        case 'd':
          return 'silent';
        case 'D': {
          const cut = this.#space.indexOf(end);
          if (cut < 0) return 'silent';
          this.#space = this.#space.slice(cut + 1);
          return 'restart';
        }
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
        case 'q':
        case 'Q':
          this.exitCode = Number(command.text);
          return command.name === 'q' ? 'over' : 'silent';
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
        default:
          if (!this.#edit(command)) yield* written(this.#print(command, lines, out));
      }
    }
    return 'end';
  }

  /** Runs a command that changes nothing but the texts in memory. Answers whether the command is one of these. */
  #edit(command: Command): boolean {
    const { end } = this.#setting;
    switch (command.name) {
      case 'a':
        this.#appended.push(() => Promise.resolve(command.text));
        return true;
      case 'r':
        this.#appended.push(() => this.#setting.read(command.text));
        return true;
      case 'R':
        this.#appended.push(() => this.#nextOf(command.text));
        return true;
      case 'g':
        this.#space = this.#hold;
        return true;
      case 'G':
        this.#space += end + this.#hold;
        return true;
      case 'h':
        this.#hold = this.#space;
        return true;
      case 'H':
        this.#hold += end + this.#space;
        return true;
      case 'x':
        [this.#space, this.#hold] = [this.#hold, this.#space];
        return true;
      case 'y':
        this.#space = [...this.#space].map((char) => command.map?.get(char) ?? char).join('');
        return true;
      case 'z':
        this.#space = '';
        return true;
      default:
        return false;
    }
  }

  /** Runs a command that only prints. Returns a promise where the reader is behind. */
  #print(command: Command, lines: Lines, out: LineTarget): Promise<void> | undefined {
    const { end, wrap } = this.#setting;
    switch (command.name) {
      case '=':
        return out.text(`${this.line}\n`);
      case 'i':
        return out.text(command.text);
      case 'F':
        return out.text(`${lines.name}\n`);
      case 'l':
        return out.text(visible(this.#space, command.text === '' ? wrap : Number(command.text)));
      case 'p':
        return out.line(this.#space, this.#ended);
      case 'P': {
        const cut = this.#space.indexOf(end);
        return out.line(cut < 0 ? this.#space : this.#space.slice(0, cut), true);
      }
      case 'w':
        return this.#setting.target(command.text).write(this.#space + end);
      case 'W':
        return this.#setting.target(command.text).write((this.#space.split(end)[0] ?? '') + end);
      default:
        return undefined;
    }
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
