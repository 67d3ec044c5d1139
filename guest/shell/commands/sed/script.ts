import { Complaint } from '../../kit/complaint.ts';
import { posixRegex } from '../../kit/posix-regex.ts';

export type Address =
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'step'; readonly first: number; readonly step: number }
  | { readonly kind: 'last' }
  /** A match without an expression uses the last one again. */
  | { readonly kind: 'match'; readonly regex: RegExp | undefined };

export type RangeEnd =
  | Address
  | { readonly kind: 'count'; readonly lines: number }
  | { readonly kind: 'multiple'; readonly of: number };

/** A piece of a replacement. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'group'; readonly group: number }
  | { readonly kind: 'case'; readonly mode: 'L' | 'U' | 'l' | 'u' | 'E' };

export interface Substitution {
  readonly regex: RegExp | undefined;
  readonly parts: readonly Part[];
  readonly global: boolean;
  /** The number of the first match to replace, from 1. */
  readonly from: number;
  readonly print: boolean;
  readonly file?: string;
}

export interface Command {
  readonly name: string;
  readonly from?: Address;
  readonly to?: RangeEnd;
  readonly negated: boolean;
  /** The position in the script that a jump leads to; for `{`, that of the command after its `}`. */
  target: number;
  /**
   * The argument: the text of a, i and c; the file of r, R, w and W; a label; the number of q, Q and l as
   * text.
   */
  readonly text: string;
  readonly substitution?: Substitution;
  readonly map?: ReadonlyMap<string, string>;
}

export interface Script {
  readonly commands: readonly Command[];
  /** True where the script begins with `#n`. */
  readonly quiet: boolean;
  readonly files: readonly string[];
}

/** Parses a script. Complaints name the position in it. */
export function parseScript(script: string, extended: boolean): Script {
  return new Reading(script, extended).script();
}

class Reading {
  readonly #text: string;
  readonly #extended: boolean;
  #at = 0;
  readonly #files = new Set<string>();

  constructor(text: string, extended: boolean) {
    this.#text = text;
    this.#extended = extended;
  }

  script(): Script {
    const commands: Command[] = [];
    const open: Command[] = [];
    const labels = new Map<string, number>();
    for (this.#skip(/[\s;]/); this.#at < this.#text.length; this.#skip(/[\s;]/)) {
      if (this.#peek() === '#') {
        this.#line();
        continue;
      }
      if (this.#peek() === '}') {
        this.#at++;
        const block = open.pop();
        if (!block) throw this.#wrong("unexpected `}'");
        block.target = commands.length;
        continue;
      }
      const command = this.#command();
      if (command.name === ':') {
        labels.set(command.text, commands.length);
        continue;
      }
      if (command.name === '{') open.push(command);
      commands.push(command);
    }
    if (open.length > 0) throw new Complaint("-e expression #1, char 0: unmatched `{'", 1);
    for (const command of commands) {
      if (!'btT'.includes(command.name)) continue;
      const target = command.text === '' ? commands.length : labels.get(command.text);
      if (target === undefined)
        throw new Complaint(
          `-e expression #1, char ${this.#at}: can't find label for jump to \`${command.text}'`,
          1,
        );
      command.target = target;
    }
    return { commands, quiet: /^#n(\n|$)/.test(this.#text), files: [...this.#files] };
  }

  #wrong(message: string): Complaint {
    return new Complaint(`-e expression #1, char ${this.#at}: ${message}`, 1);
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #skip(what: RegExp): void {
    while (this.#at < this.#text.length && what.test(this.#peek())) this.#at++;
  }

  /** Reads the rest of the line, including its line end. */
  #line(): string {
    const end = this.#text.indexOf('\n', this.#at);
    const line = this.#text.slice(this.#at, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#text.length : end + 1;
    return line;
  }

  #number(): number | undefined {
    const digits = /^\d+/.exec(this.#text.slice(this.#at))?.[0];
    if (digits === undefined) return undefined;
    this.#at += digits.length;
    return Number(digits);
  }

  #command(): Command {
    const from = this.#address();
    let to: RangeEnd | undefined;
    this.#skip(/\s/);
    if (from && this.#peek() === ',') {
      this.#at++;
      this.#skip(/\s/);
      to = this.#rangeEnd();
    }
    this.#skip(/\s/);
    let negated = false;
    while (this.#peek() === '!') {
      negated = true;
      this.#at++;
      this.#skip(/\s/);
    }
    const name = this.#peek();
    if (name === '') throw this.#wrong('missing command');
    this.#at++;
    const command: Command = {
      name,
      negated,
      target: 0,
      text: '',
      ...(from && { from }),
      ...(to && { to }),
    };
    return { ...command, ...this.#argument(name) };
  }

  #argument(name: string): Partial<Command> {
    switch (name) {
      case '{':
        return {};
      case 's':
        return { substitution: this.#substitution() };
      case 'y':
        return { map: this.#transliteration() };
      case 'a':
      case 'i':
      case 'c':
        return { text: this.#block() };
      case ':': {
        this.#skip(/[ \t]/);
        const label = /^[^\s;]*/.exec(this.#text.slice(this.#at))?.[0] ?? '';
        if (label === '') throw this.#wrong('":" lacks a label');
        this.#at += label.length;
        return { text: label };
      }
      case 'b':
      case 't':
      case 'T': {
        this.#skip(/[ \t]/);
        const label = /^[^\s;}]*/.exec(this.#text.slice(this.#at))?.[0] ?? '';
        this.#at += label.length;
        return { text: label };
      }
      case 'r':
      case 'R':
      case 'w':
      case 'W': {
        this.#skip(/[ \t]/);
        const file = this.#line();
        if (file === '') throw this.#wrong('missing filename in r/R/w/W commands');
        if (name === 'w' || name === 'W') this.#files.add(file);
        return { text: file };
      }
      case 'q':
      case 'Q':
      case 'l':
      case 'L': {
        this.#skip(/[ \t]/);
        const text = String(this.#number() ?? '');
        this.#end();
        return { text };
      }
      case '=':
      case 'd':
      case 'D':
      case 'F':
      case 'g':
      case 'G':
      case 'h':
      case 'H':
      case 'n':
      case 'N':
      case 'p':
      case 'P':
      case 'x':
      case 'z':
        this.#end();
        return {};
      default:
        throw this.#wrong(`unknown command: \`${name}'`);
    }
  }

  #end(): void {
    this.#skip(/[ \t\r]/);
    if (this.#at >= this.#text.length || this.#peek() === '}' || this.#peek() === '#') return;
    if (this.#peek() !== ';' && this.#peek() !== '\n') throw this.#wrong('extra characters after command');
    this.#at++;
  }

  #address(): Address | undefined {
    const char = this.#peek();
    if (char === '$') {
      this.#at++;
      return { kind: 'last' };
    }
    if (char === '/' || char === '\\') {
      this.#at++;
      const mark = char === '/' ? '/' : this.#text.charAt(this.#at++);
      const pattern = this.#until(mark, 'unterminated address regex', true);
      const flags = /^[IM]*/.exec(this.#text.slice(this.#at))?.[0] ?? '';
      this.#at += flags.length;
      return { kind: 'match', regex: this.#regex(pattern, flags) };
    }
    const line = this.#number();
    if (line === undefined) return undefined;
    if (this.#peek() !== '~') return { kind: 'line', line };
    this.#at++;
    return { kind: 'step', first: line, step: this.#number() ?? 0 };
  }

  #rangeEnd(): RangeEnd {
    const char = this.#peek();
    if (char === '+' || char === '~') {
      this.#at++;
      const count = this.#number();
      if (count === undefined) throw this.#wrong('expected number');
      return char === '+' ? { kind: 'count', lines: count } : { kind: 'multiple', of: count };
    }
    const end = this.#address();
    if (!end) throw this.#wrong("unexpected `,'");
    return end;
  }

  #regex(pattern: string, flags: string): RegExp | undefined {
    if (pattern === '') return undefined;
    const options = { extended: this.#extended, escapes: 'sed' as const };
    try {
      const more = (/i/i.test(flags) ? 'i' : '') + (flags.toUpperCase().includes('M') ? 'm' : '');
      return posixRegex(pattern, options, `gs${more}`);
    } catch (error) {
      throw error instanceof Complaint ? this.#wrong(error.message) : error;
    }
  }

  /** Reads up to an unescaped `mark`. An escaped mark stands for itself, and `\n` for a line break. */
  #until(mark: string, complaint: string, isPattern: boolean): string {
    let text = '';
    let inSet = false;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#peek();
      if (isPattern && inSet && char === ']' && !/(^|[^\\])\[\^?$/.test(text)) inSet = false;
      else if (isPattern && !inSet && char === '[' && this.#text.indexOf(']', this.#at) > 0) {
        text += char;
        inSet = true;
        continue;
      }
      if (char === mark && !inSet) {
        this.#at++;
        return text;
      }
      if (char === '\\' && !inSet) {
        const next = this.#text.charAt(++this.#at);
        if (next === '') break;
        text +=
          next === mark && mark !== '&'
            ? isPattern || !/\d/.test(mark)
              ? escapedMark(mark, isPattern)
              : next
            : `\\${next}`;
        continue;
      }
      text += char;
    }
    throw this.#wrong(complaint);
  }

  #substitution(): Substitution {
    const mark = this.#text.charAt(this.#at++);
    const pattern = this.#until(mark, "unterminated `s' command", true);
    const replacement = this.#until(mark, "unterminated `s' command", false);
    let [global, print, from, flags] = [false, false, 1, ''];
    let file: string | undefined;
    for (;;) {
      const char = this.#peek();
      if (char === 'g') global = true;
      else if (char === 'p') print = true;
      else if (/[iImM]/.test(char)) flags += char;
      else if (/[1-9]/.test(char)) {
        from = this.#number() ?? 1;
        continue;
      } else if (char === 'w') {
        this.#at++;
        this.#skip(/[ \t]/);
        file = this.#line();
        this.#files.add(file);
        break;
      } else {
        try {
          this.#end();
        } catch {
          throw this.#wrong("unknown option to `s'");
        }
        break;
      }
      this.#at++;
    }
    const regex = this.#regex(pattern, flags);
    const parts = partsOf(replacement);
    const groups = regex ? groupsIn(regex) : 9;
    const wanted = Math.max(0, ...parts.map((part) => (part.kind === 'group' ? part.group : 0)));
    if (wanted > groups) throw this.#wrong(`invalid reference \\${wanted} on \`s' command's RHS`);
    return { regex, parts, global, print, from, ...(file !== undefined && { file }) };
  }

  #transliteration(): ReadonlyMap<string, string> {
    const mark = this.#text.charAt(this.#at++);
    const [from, to] = [0, 1].map(() => [...unescaped(this.#until(mark, "unterminated `y' command", false))]);
    this.#end();
    if (!from || !to || from.length !== to.length)
      throw this.#wrong("strings for `y' command are different lengths");
    return new Map(from.map((char, i) => [char, to[i] ?? '']));
  }

  /** Reads the text of a, i and c: on this line or, after a backslash, on the next ones. */
  #block(): string {
    this.#skip(/[ \t]/);
    if (this.#at >= this.#text.length) throw this.#wrong("expected \\ after `a', `c' or `i'");
    if (this.#peek() === '\\') {
      this.#at++;
      const rest = /^[ \t]*\n/.exec(this.#text.slice(this.#at))?.[0];
      if (rest !== undefined) this.#at += rest.length;
      else this.#skip(/[ \t]/);
    }
    let text = '';
    for (let isFirst = true; this.#at < this.#text.length; isFirst = false) {
      const char = this.#text.charAt(this.#at++);
      if (char === '\n') break;
      if (char !== '\\') text += char;
      else {
        const next = this.#text.charAt(this.#at++);
        text += isFirst ? next : next === 't' ? '\t' : next;
      }
    }
    return `${text}\n`;
  }
}

function escapedMark(mark: string, isPattern: boolean): string {
  // In `s|a\|b|x|` the bar is literal: a character that is special only after a backslash stays ordinary.
  return isPattern && /[.*[\]^$+?(){}]/.test(mark) ? `[${mark === '^' ? '\\^' : mark}]` : mark;
}

function groupsIn(regex: RegExp): number {
  return (new RegExp(`${regex.source}|`, 'u').exec('')?.length ?? 1) - 1;
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07' };

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, (_all, next: string) => ESCAPED[next] ?? next);
}

function partsOf(replacement: string): Part[] {
  const parts: Part[] = [];
  let text = '';
  const add = (part: Part) => {
    if (text !== '') parts.push({ kind: 'text', text });
    text = '';
    parts.push(part);
  };
  for (let i = 0; i < replacement.length; i++) {
    const char = replacement.charAt(i);
    if (char === '&') add({ kind: 'group', group: 0 });
    else if (char !== '\\') text += char;
    else {
      const next = replacement.charAt(++i);
      if (/\d/.test(next)) add({ kind: 'group', group: Number(next) });
      else if (next === 'L' || next === 'U' || next === 'l' || next === 'u' || next === 'E')
        add({ kind: 'case', mode: next });
      else if (next === 'x' && /^[0-9a-fA-F]{2}/.test(replacement.slice(i + 1))) {
        text += String.fromCharCode(parseInt(replacement.slice(i + 1, i + 3), 16));
        i += 2;
      } else text += ESCAPED[next] ?? next;
    }
  }
  if (text !== '') parts.push({ kind: 'text', text });
  return parts;
}
