import { Complaint } from '../../kit/complaint.ts';
import { placeAfter } from '../../kit/matches.ts';
import { posixRegex } from '../../kit/posix-regex.ts';
import type { Writer } from '../../kit/io.ts';
import type { Streams } from './streams.ts';
import { Pieces } from './pieces.ts';
import { Field, numberOf, textOf, type AwkArray, type Value } from './values.ts';

/** The built-in variables, whose index here is their slot. */
export const KNOWN = [
  'NR',
  'FNR',
  'FS',
  'FPAT',
  'OFS',
  'ORS',
  'RS',
  'RT',
  'SUBSEP',
  'CONVFMT',
  'OFMT',
  'FILENAME',
  'RSTART',
  'RLENGTH',
  'ENVIRON',
  'ARGC',
  'ARGV',
  'IGNORECASE',
  'PROCINFO',
] as const;

export type Known = (typeof KNOWN)[number];
export const SLOT = Object.fromEntries(KNOWN.map((name, at) => [name, at])) as Record<Known, number>;

/** The state of a running program: variables, the record and its fields. */
export class AwkMachine {
  readonly globals: (Value | AwkArray)[] = [];
  frame: (Value | AwkArray)[] = [];
  readonly out: Writer;
  readonly streams: Streams;
  /** Reads the next record of the main input into $0, NR and FNR; false at its end. */
  nextRecord: () => Promise<boolean> | boolean = () => false;
  exitCode = 0;
  returned: Value;
  #record = '';
  #fields: (Value | undefined)[] | undefined = [];
  /** The fields of the record, split lazily until one of them changes. */
  #pieces: Pieces | readonly string[] | undefined;
  /** Whether $0 has to be put together again from its fields. */
  #stale = false;
  readonly #regexes = new Map<string, RegExp>();

  constructor(out: Writer, streams: Streams) {
    this.out = out;
    this.streams = streams;
    const set = (name: Known, value: Value | AwkArray) => (this.globals[SLOT[name]] = value);
    set('NR', 0);
    set('FNR', 0);
    set('FS', ' ');
    set('OFS', ' ');
    set('ORS', '\n');
    set('RS', '\n');
    set('SUBSEP', '\x1c');
    set('CONVFMT', '%.6g');
    set('OFMT', '%.6g');
    set('FILENAME', '');
    set('RSTART', 0);
    set('RLENGTH', -1);
  }

  known(name: Known): string {
    return this.text(this.#scalar(this.globals[SLOT[name]]));
  }

  #scalar(value: Value | AwkArray): Value {
    return value instanceof Map ? undefined : value;
  }

  text(value: Value): string {
    return typeof value === 'string' ? value : textOf(value, this.convert);
  }

  get convert(): string {
    const format = this.globals[SLOT.CONVFMT];
    return typeof format === 'string' ? format : '%.6g';
  }

  /** Converts a value to text for print. */
  shown(value: Value): string {
    if (typeof value === 'string') return value;
    if (typeof value !== 'number') return textOf(value, '');
    return textOf(value, this.known('OFMT'));
  }

  get record(): string {
    if (this.#stale) {
      const fields = this.#fields ?? [];
      this.#record = fields.map((field) => this.text(field)).join(this.known('OFS'));
      this.#stale = false;
    }
    return this.#record;
  }

  setRecord(text: string): void {
    this.#record = text;
    this.#fields = undefined;
    this.#pieces = undefined;
    this.#stale = false;
  }

  #split(): (Value | undefined)[] {
    return (this.#fields ??= this.#cut().map((text) => new Field(text)));
  }

  #cut(): readonly string[] {
    const pieces = (this.#pieces ??= this.#cutNow());
    return pieces instanceof Pieces ? pieces.all() : pieces;
  }

  #piece(index: number): string | undefined {
    const pieces = (this.#pieces ??= this.#cutNow());
    return pieces instanceof Pieces ? pieces.at(index) : pieces[index];
  }

  /** Splits by FPAT, which describes a field, or by FS, which describes a separator. */
  #cutNow(): Pieces | readonly string[] {
    const pattern = this.known('FPAT');
    if (pattern === '') {
      const separator = this.known('FS');
      const isPlain = separator === ' ' || this.#isPlain(separator);
      return isPlain ? new Pieces(this.#record, separator) : this.splitBy(this.#record, separator);
    }
    const pieces: string[] = [];
    const record = this.#record;
    // The longest alternative is the field, as in `([^,]+)|("[^"]+")`.
    const ways = alternatives(pattern).map((way) => this.regex(way, 'y'));
    for (let at = 0, end = -1; at <= record.length;) {
      let longest = -1;
      for (const way of ways) {
        way.lastIndex = at;
        longest = Math.max(longest, way.exec(record)?.[0].length ?? -1);
      }
      if (longest > 0 || (longest === 0 && at !== end)) {
        pieces.push(record.slice(at, at + longest));
        end = at + longest;
      }
      at = longest > 0 ? end : placeAfter(record, at);
    }
    return pieces;
  }

  field(at: number): Value {
    if (at === 0) return new Field(this.record);
    if (at < 0) throw new Complaint(`cmd. line:1: fatal: attempt to access field ${at}`);
    const index = Math.trunc(at) - 1;
    if (this.#fields) return this.#fields[index];
    const text = this.#piece(index);
    return text === undefined ? undefined : new Field(text);
  }

  setField(at: number, value: Value): void {
    if (at === 0) {
      this.setRecord(this.text(value));
      return;
    }
    if (at < 0) throw new Complaint(`cmd. line:1: fatal: attempt to access field ${at}`);
    const fields = this.#split();
    while (fields.length < at - 1) fields.push(undefined);
    fields[Math.trunc(at) - 1] = value;
    this.#stale = true;
  }

  get fieldCount(): number {
    return (this.#fields ?? this.#cut()).length;
  }

  set fieldCount(count: number) {
    const fields = this.#split();
    while (fields.length < count) fields.push(undefined);
    fields.length = Math.max(0, Math.trunc(count));
    this.#stale = true;
  }

  get ignoresCase(): boolean {
    const value = this.globals[SLOT.IGNORECASE];
    return value !== undefined && numberOf(this.#scalar(value)) !== 0;
  }

  /** Compiles a regular expression literal, and again only where IGNORECASE has changed. */
  constantRegex(source: string, flags = 'g'): () => RegExp {
    let made: RegExp | undefined;
    let ignored = false;
    return () => {
      if (!made || ignored !== this.ignoresCase) {
        ignored = this.ignoresCase;
        made = this.regex(source, flags);
      }
      made.lastIndex = 0;
      return made;
    };
  }

  regex(source: string, flags = 'g'): RegExp {
    const ignores = this.ignoresCase;
    const key = `${flags}${ignores ? 'i' : ''}/${source}`;
    const known = this.#regexes.get(key);
    if (known) {
      known.lastIndex = 0;
      return known;
    }
    const made = posixRegex(source, { extended: true, escapes: 'awk' }, `s${flags}${ignores ? 'i' : ''}`);
    this.#regexes.set(key, made);
    return made;
  }

  /** Whether a separator is one character that matches itself. */
  #isPlain(separator: string): boolean {
    return separator.length === 1 && separator !== '\\' && this.globals[SLOT.RS] !== '';
  }

  /** Splits a text at separators, as FS or the third argument of split describe them. */
  splitBy(text: string, separator: string | RegExp, separators?: string[]): string[] {
    if (text === '') return [];
    if (separator === ' ') {
      if (separators) separators.push(...(text.trim().match(/[ \t\n]+/g) ?? []));
      return [...new Pieces(text, ' ').all()];
    }
    if (separator === '') return [...text];
    const paragraphs = this.globals[SLOT.RS] === '';
    if (typeof separator === 'string' && this.#isPlain(separator)) {
      const pieces = text.split(separator);
      if (separators) separators.push(...pieces.slice(1).map(() => separator));
      return pieces;
    }
    const source = separator === '\\' ? '\\\\' : separator;
    const regex =
      typeof source === 'string'
        ? this.regex(
            paragraphs
              ? `(${source.length === 1 && /[|.*+?()[\]{}^$]/.test(source) ? `[${source}]` : source})|\n`
              : source,
          )
        : source;
    const pieces: string[] = [];
    let from = 0;
    regex.lastIndex = 0;
    for (let hit = regex.exec(text); hit; hit = regex.exec(text)) {
      if (hit[0] === '') {
        regex.lastIndex = placeAfter(text, hit.index);
        continue;
      }
      pieces.push(text.slice(from, hit.index));
      separators?.push(hit[0]);
      from = hit.index + hit[0].length;
    }
    pieces.push(text.slice(from));
    return pieces;
  }

  /** The value of RS in the form that {@link RecordReader} expects. */
  get recordEnd(): string | RegExp {
    const end = this.known('RS');
    return end.length <= 1 ? end : this.regex(end);
  }
}

/** Splits a regular expression into its top-level alternatives. */
function alternatives(pattern: string): string[] {
  const ways: string[] = [''];
  let depth = 0;
  for (const [token] of pattern.matchAll(/\\[^]|\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|[^]/g)) {
    if (token === '(') depth++;
    if (token === ')') depth--;
    if (token === '|' && depth === 0) ways.push('');
    else ways.push((ways.pop() ?? '') + token);
  }
  return ways;
}
