import { Complaint } from './complaint.ts';

/** The set of escapes that stand for characters: none for grep; `\n`, `\t` and the like for sed and awk. */
export type Escapes = 'grep' | 'sed' | 'awk';

export interface PosixOptions {
  /** Extended (`-E`, awk) instead of basic. */
  readonly extended: boolean;
  readonly escapes: Escapes;
  /** For grep: with it, a dot also matches a line break. */
  readonly overLines?: boolean;
}

const WORD = '[\\p{L}\\p{N}_]';
const NO_WORD = '[^\\p{L}\\p{N}_]';

/** Maps the name in `[:name:]` to its content in a JavaScript character class. */
export const CLASSES: Readonly<Record<string, string>> = {
  alpha: '\\p{L}',
  digit: '0-9',
  alnum: '\\p{L}\\p{Nd}',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`\\{-~\\p{P}\\p{S}',
  print: '\\x20-\\x7e\\u{a0}-\\u{10ffff}',
  graph: '\\x21-\\x7e\\u{a1}-\\u{10ffff}',
  cntrl: '\\x00-\\x1f\\x7f',
  xdigit: '0-9A-Fa-f',
};

const CHARACTERS: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  f: '\f',
  v: '\v',
  a: '\x07',
};

/** Returns the source that matches `char` itself, in an expression with the `u` flag. */
export function literal(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}

interface Branch {
  source: string;
  /** The text that the branch matches, where it contains no operators. */
  text: string | undefined;
}

/**
 * Translates a POSIX pattern with GNU's additions into the source of a JavaScript expression for the `u`
 * flag.
 */
export function posixSource(pattern: string, options: PosixOptions): string {
  return new Translation(pattern, options).whole();
}

class Translation {
  readonly #pattern: string;
  readonly #extended: boolean;
  readonly #escapes: Escapes;
  readonly #dot: string;
  #at = 0;
  #depth = 0;
  #groups = 0;

  constructor(pattern: string, { extended, escapes, overLines }: PosixOptions) {
    this.#pattern = pattern;
    this.#extended = extended;
    this.#escapes = escapes;
    // grep searches many lines at once, so nothing may match across a line end.
    this.#dot = escapes === 'grep' && !overLines ? '[^\\n]' : '.';
  }

  whole(): string {
    const source = this.#alternatives();
    if (this.#at < this.#pattern.length) throw new Complaint('Unmatched ) or \\)');
    return source;
  }

  #looksAt(operator: string): boolean {
    const written = this.#extended ? operator : `\\${operator}`;
    return this.#pattern.startsWith(written, this.#at);
  }

  #take(operator: string): boolean {
    if (!this.#looksAt(operator)) return false;
    this.#at += this.#extended ? 1 : 2;
    return true;
  }

  #alternatives(): string {
    const branches = [this.#branch()];
    while (this.#take('|')) branches.push(this.#branch());
    // POSIX takes the longest alternative, JavaScript the first.
    if (branches.every(({ text }) => text !== undefined))
      branches.sort((a, b) => (b.text?.length ?? 0) - (a.text?.length ?? 0));
    else if (branches.every(({ source }) => !source.includes('(')))
      branches.sort((a, b) =>
        a.source === b.source
          ? 0
          : b.source.startsWith(a.source)
            ? 1
            : a.source.startsWith(b.source)
              ? -1
              : 0,
      );
    return branches.map(({ source }) => source).join('|');
  }

  #branch(): Branch {
    const branch: Branch = { source: '', text: '' };
    let canRepeat = false;
    while (this.#at < this.#pattern.length && !this.#looksAt('|')) {
      if (this.#looksAt(')') && (this.#depth > 0 || !this.#extended)) {
        if (this.#depth > 0) break;
        throw new Complaint('Unmatched ) or \\)');
      }
      const start = this.#at;
      let source = this.#anchor(canRepeat || branch.source !== '');
      if (source !== undefined) {
        branch.source += source;
        branch.text = undefined;
        canRepeat = this.#extended && source === '$';
        continue;
      }
      const isStar = !canRepeat && this.#pattern[this.#at] === '*';
      if (isStar) this.#at++;
      const plain = isStar ? '*' : undefined;
      source = isStar ? '\\*' : this.#atom();
      const single = plain ?? this.#plainText(start);
      const repeated = this.#repetitions(source);
      if (repeated !== source || single === undefined) branch.text = undefined;
      else if (branch.text !== undefined) branch.text += single;
      branch.source += repeated;
      canRepeat = true;
    }
    return branch;
  }

  /** Returns what was read from `start` on, where it is one ordinary character. */
  #plainText(start: number): string | undefined {
    const read = this.#pattern.slice(start, this.#at);
    if (/^[^\\[.(]$/u.test(read)) return read;
    return /^\\[^\w<>`'(){}|+?]$/u.test(read) ? read.slice(1) : undefined;
  }

  #anchor(isWithin: boolean): string | undefined {
    const char = this.#pattern[this.#at];
    if (char === '^' && (this.#extended || !isWithin)) {
      this.#at++;
      return '^';
    }
    if (char === '$' && (this.#extended || this.#endsBranch(this.#at + 1))) {
      this.#at++;
      return '$';
    }
    return undefined;
  }

  #endsBranch(at: number): boolean {
    return (
      at === this.#pattern.length ||
      this.#pattern.startsWith('\\)', at) ||
      this.#pattern.startsWith('\\|', at)
    );
  }

  #atom(): string {
    if (this.#take('(')) {
      this.#depth++;
      this.#groups++;
      const inner = this.#alternatives();
      if (!this.#take(')')) throw new Complaint('Unmatched ( or \\(');
      this.#depth--;
      return `(${inner})`;
    }
    const char = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
    if (char === '[') return this.#bracket();
    this.#at += char.length;
    if (char === '.') return this.#dot;
    if (char === '\\') return this.#escape();
    return literal(char);
  }

  #escape(): string {
    if (this.#at >= this.#pattern.length) throw new Complaint('Trailing backslash');
    const next = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
    this.#at += next.length;
    switch (next) {
      case 'w':
        return WORD;
      case 'W':
        return this.#escapes === 'grep' ? '[^\\p{L}\\p{N}_\\n]' : NO_WORD;
      case 's':
        return this.#escapes === 'grep' ? '[^\\S\\n]' : '\\s';
      case 'S':
        return '\\S';
      case '<':
        return `(?<!${WORD})(?=${WORD})`;
      case '>':
        return `(?<=${WORD})(?!${WORD})`;
      case 'B':
        return `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`;
      case '`':
        return '(?<![^])';
      case "'":
        return '(?![^])';
    }
    if (next === (this.#escapes === 'awk' ? 'y' : 'b'))
      return `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`;
    if (/[1-9]/.test(next) && this.#escapes !== 'awk') {
      if (Number(next) > this.#groups) throw new Complaint('Invalid back reference');
      return `(?:\\${next})`;
    }
    const character = this.#character(next);
    return literal(character ?? next);
  }

  /**
   * The character that an escape stands for in sed and awk; undefined where it stands for the letter itself.
   */
  #character(next: string): string | undefined {
    if (this.#escapes === 'grep') return undefined;
    if (this.#escapes === 'awk' && next === 'b') return '\b';
    const number =
      next === 'x'
        ? /^[0-9a-fA-F]{1,2}/.exec(this.#pattern.slice(this.#at))
        : this.#escapes === 'sed'
          ? next === 'o'
            ? /^[0-7]{1,3}/.exec(this.#pattern.slice(this.#at))
            : next === 'd'
              ? /^[0-9]{1,3}/.exec(this.#pattern.slice(this.#at))
              : null
          : null;
    if (number) {
      this.#at += number[0].length;
      return String.fromCharCode(parseInt(number[0], next === 'x' ? 16 : next === 'o' ? 8 : 10));
    }
    if (this.#escapes === 'awk' && /[0-7]/.test(next)) {
      const digits = /^[0-7]{1,3}/.exec(this.#pattern.slice(this.#at - 1))?.[0] ?? next;
      this.#at += digits.length - 1;
      return String.fromCharCode(parseInt(digits, 8));
    }
    return CHARACTERS[next];
  }

  #repetitions(atom: string): string {
    let source = atom;
    for (let times = 0; ; times++) {
      const operator = this.#repetition();
      if (operator === undefined) return source;
      if (times > 0 || source.startsWith('(?<') || source.startsWith('(?!')) source = `(?:${source})`;
      source += operator;
    }
  }

  #repetition(): string | undefined {
    if (this.#pattern[this.#at] === '*') {
      this.#at++;
      return '*';
    }
    if (this.#take('+')) return '+';
    if (this.#take('?')) return '?';
    if (!this.#looksAt('{')) return undefined;
    const rest = this.#pattern.slice(this.#at);
    const found = (this.#extended ? /^\{(\d*)(,?)(\d*)\}/ : /^\\\{(\d*)(,?)(\d*)\\\}/).exec(rest);
    if (!found || (found[1] === '' && found[2] === '')) {
      if (this.#extended) return undefined;
      throw new Complaint(rest.includes('\\}') ? 'Invalid content of \\{\\}' : 'Unmatched { or \\{');
    }
    const [all, from = '', comma = '', to = ''] = found;
    if (to !== '' && Number(to) < Number(from)) throw new Complaint('Invalid content of \\{\\}');
    this.#at += all.length;
    return `{${from || '0'}${comma}${to}}`;
  }

  #bracket(): string {
    const pattern = this.#pattern;
    let at = this.#at + 1;
    let set = '';
    const isNegated = pattern[at] === '^';
    if (isNegated) at++;
    for (let isFirst = true; ; isFirst = false) {
      if (at >= pattern.length) throw new Complaint('Unmatched [, [^, [:, [., or [=');
      if (pattern[at] === ']' && !isFirst) break;
      const named = /^\[:(\w*):\]/.exec(pattern.slice(at, at + 14));
      if (named) {
        const members = CLASSES[named[1] ?? ''];
        if (members === undefined) throw new Complaint('Invalid character class name');
        set += members;
        at += named[0].length;
        continue;
      }
      const [from, afterFrom] = this.#member(at);
      at = afterFrom;
      const isRange = pattern[at] === '-' && at + 1 < pattern.length && pattern[at + 1] !== ']';
      if (!isRange) {
        set += inSet(from);
        continue;
      }
      const [to, afterTo] = this.#member(at + 1);
      at = afterTo;
      if ((from.codePointAt(0) ?? 0) > (to.codePointAt(0) ?? 0)) throw new Complaint('Invalid range end');
      set += `${inSet(from)}-${inSet(to)}`;
    }
    this.#at = at + 1;
    return `[${isNegated ? '^' : ''}${set}${isNegated && this.#escapes === 'grep' ? '\\n' : ''}]`;
  }

  /** Reads one member of a bracket expression, and returns where it ends. */
  #member(at: number): [char: string, end: number] {
    const pattern = this.#pattern;
    const named = /^\[([.=])(.)\1\]/u.exec(pattern.slice(at, at + 8));
    if (named) return [named[2] ?? '', at + named[0].length];
    const char = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
    if (char !== '\\' || this.#escapes === 'grep') return [char, at + char.length];
    const before = this.#at;
    const next = pattern[at + 1] ?? '';
    this.#at = at + 2;
    const character = this.#character(next);
    const end = this.#at;
    this.#at = before;
    if (character !== undefined) return [character, end];
    if (this.#escapes === 'awk' && next !== '') return [next, at + 2];
    return ['\\', at + 1];
  }
}

function inSet(char: string): string {
  return /[\\\][^$.*+?(){}|/-]/.test(char) ? `\\${char}` : char;
}

/** Compiles the source from {@link posixSource}, with `flags` added to `u`. */
export function posixRegex(pattern: string, options: PosixOptions, flags = ''): RegExp {
  const source = posixSource(pattern, options);
  try {
    return new RegExp(source, `u${flags}`);
  } catch {
    throw new Complaint('Invalid preceding regular expression');
  }
}
