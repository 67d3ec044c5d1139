export type Term =
  | { readonly t: 'identity' | 'recurse' }
  | { readonly t: 'value'; readonly value: number | null | boolean }
  | { readonly t: 'string'; readonly format: string; readonly parts: readonly (string | Term)[] }
  | { readonly t: 'format'; readonly name: string }
  | { readonly t: 'index'; readonly of: Term; readonly key: Term }
  | {
      readonly t: 'slice';
      readonly of: Term;
      readonly from?: Term | undefined;
      readonly to?: Term | undefined;
    }
  | { readonly t: 'iterate'; readonly of: Term }
  | { readonly t: 'try'; readonly body: Term; readonly handler?: Term | undefined }
  | { readonly t: 'pipe' | 'comma' | 'alternative' | 'and' | 'or'; readonly a: Term; readonly b: Term }
  | { readonly t: 'binary'; readonly op: string; readonly a: Term; readonly b: Term }
  | { readonly t: 'update'; readonly op: string; readonly a: Term; readonly b: Term }
  | { readonly t: 'negate'; readonly a: Term }
  | { readonly t: 'array'; readonly of?: Term | undefined }
  | { readonly t: 'object'; readonly entries: readonly (readonly [Term, Term])[] }
  | { readonly t: 'variable'; readonly name: string }
  | { readonly t: 'call'; readonly name: string; readonly args: readonly Term[] }
  | { readonly t: 'if'; readonly test: Term; readonly yes: Term; readonly no?: Term | undefined }
  | { readonly t: 'as'; readonly source: Term; readonly patterns: readonly Pattern[]; readonly body: Term }
  | {
      readonly t: 'reduce' | 'foreach';
      readonly source: Term;
      readonly pattern: Pattern;
      readonly parts: readonly Term[];
    }
  | { readonly t: 'define'; readonly made: Definition; readonly body: Term }
  | { readonly t: 'label'; readonly name: string; readonly body: Term }
  | { readonly t: 'break'; readonly name: string };

export interface Definition {
  readonly name: string;
  /** Parameters with `$` are values; the others are functions. */
  readonly parameters: readonly string[];
  readonly body: Term;
}

export type Pattern =
  | { readonly t: 'name'; readonly name: string }
  | { readonly t: 'list'; readonly items: readonly Pattern[] }
  | {
      readonly t: 'object';
      readonly entries: readonly (readonly [
        key: Term,
        bind: string | undefined,
        inner: Pattern | undefined,
      ])[];
    };

export class BadProgram extends Error {}

export function parseJq(source: string): Term {
  return new Parser(source).program();
}

/** Parses definitions without a program after them. */
export function parseDefinitions(source: string): Definition[] {
  return new Parser(source).definitions();
}

const TOKEN =
  /\s*(?:#[^\n]*\s*)*(\.\.|\?\/\/=?|\/\/=|\|=|[-+*/%]=|==|!=|<=|>=|\/\/|\.[A-Za-z_]\w*|\$__loc__|\$?[A-Za-z_]\w*(?:::\w+)*|@\w+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[^\s])/y;

const KEYWORDS = new Set(
  'def if then elif else end as reduce foreach try catch label import include and or not_a_name'.split(' '),
);
const UPDATES = new Set(['=', '|=', '+=', '-=', '*=', '/=', '%=', '//=']);
const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>=']);

class Parser {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  program(): Term {
    if (this.#peek() === '') return { t: 'identity' };
    const term = this.#pipe();
    if (this.#peek() !== '') throw this.#wrong();
    return term;
  }

  definitions(): Definition[] {
    const found: Definition[] = [];
    while (this.#peek() === 'def') found.push(this.#definition());
    return found;
  }

  #wrong(): BadProgram {
    const token = this.#peek();
    return new BadProgram(
      token === '' ? 'syntax error, unexpected end of file' : `syntax error, unexpected '${token}'`,
    );
  }

  #scan(): [token: string, end: number] {
    TOKEN.lastIndex = this.#at;
    const found = TOKEN.exec(this.#source);
    return found ? [found[1] ?? '', TOKEN.lastIndex] : ['', this.#source.length];
  }

  #peek(): string {
    return this.#scan()[0];
  }

  #next(): string {
    const [token, end] = this.#scan();
    this.#at = end;
    return token;
  }

  #take(token: string): boolean {
    const [found, end] = this.#scan();
    if (found !== token) return false;
    this.#at = end;
    return true;
  }

  #expect(token: string): void {
    if (!this.#take(token)) throw this.#wrong();
  }

  #definition(): Definition {
    this.#expect('def');
    const name = this.#next();
    const parameters: string[] = [];
    if (this.#take('(')) {
      do parameters.push(this.#next());
      while (this.#take(';'));
      this.#expect(')');
    }
    this.#expect(':');
    const body = this.#pipe();
    this.#expect(';');
    return { name, parameters, body };
  }

  #pipe(): Term {
    if (this.#peek() === 'def') {
      const made = this.#definition();
      return { t: 'define', made, body: this.#pipe() };
    }
    if (this.#take('label')) {
      const name = this.#next();
      this.#expect('|');
      return { t: 'label', name, body: this.#pipe() };
    }
    const a = this.#comma();
    if (this.#take('as')) {
      const patterns = [this.#pattern()];
      while (this.#take('?//')) patterns.push(this.#pattern());
      this.#expect('|');
      return { t: 'as', source: a, patterns, body: this.#pipe() };
    }
    return this.#take('|') ? { t: 'pipe', a, b: this.#pipe() } : a;
  }

  #comma(): Term {
    let a = this.#alternative();
    while (this.#take(',')) a = { t: 'comma', a, b: this.#alternative() };
    return a;
  }

  #alternative(): Term {
    const a = this.#update();
    return this.#take('//') ? { t: 'alternative', a, b: this.#alternative() } : a;
  }

  #update(): Term {
    const a = this.#or();
    const op = this.#peek();
    if (!UPDATES.has(op)) return a;
    this.#next();
    return { t: 'update', op, a, b: this.#alternative() };
  }

  #or(): Term {
    let a = this.#and();
    while (this.#take('or')) a = { t: 'or', a, b: this.#and() };
    return a;
  }

  #and(): Term {
    let a = this.#comparison();
    while (this.#take('and')) a = { t: 'and', a, b: this.#comparison() };
    return a;
  }

  #comparison(): Term {
    const a = this.#sum();
    const op = this.#peek();
    if (!COMPARISONS.has(op)) return a;
    this.#next();
    return { t: 'binary', op, a, b: this.#sum() };
  }

  #sum(): Term {
    let a = this.#product();
    for (let op = this.#peek(); op === '+' || op === '-'; op = this.#peek()) {
      this.#next();
      a = { t: 'binary', op, a, b: this.#product() };
    }
    return a;
  }

  #product(): Term {
    let a = this.#postfix();
    for (let op = this.#peek(); op === '*' || op === '/' || op === '%'; op = this.#peek()) {
      this.#next();
      a = { t: 'binary', op, a, b: this.#postfix() };
    }
    return a;
  }

  #postfix(): Term {
    let term = this.#primary();
    for (;;) {
      const token = this.#peek();
      if (token === '?') {
        this.#next();
        term = { t: 'try', body: term };
      } else if (token === '[') {
        this.#next();
        term = this.#bracket(term);
      } else if (/^\.[A-Za-z_]/.test(token)) {
        this.#next();
        term = { t: 'index', of: term, key: text(token.slice(1)) };
      } else if (token === '.') {
        this.#next();
        if (this.#peek() === '"') term = { t: 'index', of: term, key: this.#string('text') };
        else if (this.#take('[')) term = this.#bracket(term);
        else throw this.#wrong();
      } else if (token === 'as' && term) {
        return this.#binding(term);
      } else return term;
    }
  }

  /** Parses `term as $x | body`, whose body extends as far as a pipe does. */
  #binding(source: Term): Term {
    this.#expect('as');
    const patterns = [this.#pattern()];
    while (this.#take('?//')) patterns.push(this.#pattern());
    this.#expect('|');
    return { t: 'as', source, patterns, body: this.#pipe() };
  }

  #bracket(of: Term): Term {
    if (this.#take(']')) return { t: 'iterate', of };
    if (this.#take(':')) {
      const to = this.#pipe();
      this.#expect(']');
      return { t: 'slice', of, to };
    }
    const key = this.#pipe();
    if (this.#take(':')) {
      if (this.#take(']')) return { t: 'slice', of, from: key };
      const to = this.#pipe();
      this.#expect(']');
      return { t: 'slice', of, from: key, to };
    }
    this.#expect(']');
    return { t: 'index', of, key };
  }

  #primary(): Term {
    const token = this.#peek();
    if (token === '"') return this.#string('text');
    if (token.startsWith('@')) {
      this.#next();
      return this.#peek() === '"' ? this.#string(token.slice(1)) : { t: 'format', name: token.slice(1) };
    }
    this.#next();
    if (/^(?:\d|\.\d)/.test(token)) return { t: 'value', value: Number(token) };
    if (/^\.[A-Za-z_]/.test(token)) return { t: 'index', of: { t: 'identity' }, key: text(token.slice(1)) };
    if (token.startsWith('$')) {
      const name = token === '$' ? `$${this.#next()}` : token;
      return name === '$__loc__'
        ? {
            t: 'object',
            entries: [
              [text('file'), text('<top-level>')],
              [text('line'), { t: 'value', value: 1 }],
            ],
          }
        : { t: 'variable', name };
    }
    switch (token) {
      case '.':
        if (this.#peek() === '"') return { t: 'index', of: { t: 'identity' }, key: this.#string('text') };
        return { t: 'identity' };
      case '..':
        return { t: 'recurse' };
      case '(': {
        const inner = this.#pipe();
        this.#expect(')');
        return inner;
      }
      case '[': {
        if (this.#take(']')) return { t: 'array' };
        const of = this.#pipe();
        this.#expect(']');
        return { t: 'array', of };
      }
      case '{':
        return this.#object();
      case '-':
        return { t: 'negate', a: this.#postfix() };
      case 'if':
        return this.#if();
      case 'try': {
        const body = this.#postTry();
        return { t: 'try', body, handler: this.#take('catch') ? this.#postTry() : undefined };
      }
      case 'reduce':
      case 'foreach':
        return this.#fold(token);
      case 'def': {
        this.#at -= 3;
        const made = this.#definition();
        return { t: 'define', made, body: this.#pipe() };
      }
      case 'null':
        return { t: 'value', value: null };
      case 'true':
        return { t: 'value', value: true };
      case 'false':
        return { t: 'value', value: false };
      case 'break':
        return { t: 'break', name: this.#next() };
    }
    if (!/^[A-Za-z_]/.test(token) || KEYWORDS.has(token)) {
      this.#at -= token.length;
      throw this.#wrong();
    }
    const args: Term[] = [];
    if (this.#take('(')) {
      do args.push(this.#pipe());
      while (this.#take(';'));
      this.#expect(')');
    }
    return { t: 'call', name: token, args };
  }

  #postTry(): Term {
    let term = this.#primary();
    for (;;) {
      const token = this.#peek();
      if (token === '[') {
        this.#next();
        term = this.#bracket(term);
      } else if (/^\.[A-Za-z_]/.test(token)) {
        this.#next();
        term = { t: 'index', of: term, key: text(token.slice(1)) };
      } else return term;
    }
  }

  #if(): Term {
    const test = this.#pipe();
    this.#expect('then');
    const yes = this.#pipe();
    if (this.#take('elif')) return { t: 'if', test, yes, no: this.#if() };
    const no = this.#take('else') ? this.#pipe() : undefined;
    this.#expect('end');
    return { t: 'if', test, yes, no };
  }

  #fold(t: 'reduce' | 'foreach'): Term {
    const source = this.#postTry();
    this.#expect('as');
    const pattern = this.#pattern();
    this.#expect('(');
    const parts = [this.#pipe()];
    while (this.#take(';')) parts.push(this.#pipe());
    this.#expect(')');
    return { t, source, pattern, parts };
  }

  #pattern(): Pattern {
    const token = this.#next();
    if (token.startsWith('$')) return { t: 'name', name: token };
    if (token === '[') {
      const items = [this.#pattern()];
      while (this.#take(',')) items.push(this.#pattern());
      this.#expect(']');
      return { t: 'list', items };
    }
    if (token !== '{') throw this.#wrong();
    const entries: [Term, string | undefined, Pattern | undefined][] = [];
    do {
      const key = this.#peek();
      if (key.startsWith('$')) {
        this.#next();
        entries.push([text(key.slice(1)), key, this.#take(':') ? this.#pattern() : undefined]);
        continue;
      }
      let name: Term;
      if (key === '(') {
        this.#next();
        name = this.#pipe();
        this.#expect(')');
      } else name = key === '"' ? this.#string('text') : text(this.#next());
      this.#expect(':');
      entries.push([name, undefined, this.#pattern()]);
    } while (this.#take(','));
    this.#expect('}');
    return { t: 'object', entries };
  }

  #object(): Term {
    const entries: [Term, Term][] = [];
    while (!this.#take('}')) {
      const token = this.#peek();
      let key: Term;
      let short: Term | undefined;
      if (token === '"' || token.startsWith('@')) {
        key = this.#primary();
        short = { t: 'index', of: { t: 'identity' }, key };
      } else if (token === '(') {
        this.#next();
        key = this.#pipe();
        this.#expect(')');
      } else if (token.startsWith('$')) {
        this.#next();
        key = text(token.slice(1));
        short = { t: 'variable', name: token };
      } else if (/^[A-Za-z_\d]/.test(token)) {
        this.#next();
        key = text(token);
        short = { t: 'index', of: { t: 'identity' }, key };
      } else throw this.#wrong();
      if (this.#take(':')) entries.push([key, this.#objectValue()]);
      else if (short) entries.push([key, short]);
      else throw this.#wrong();
      if (!this.#take(',') && this.#peek() !== '}') throw this.#wrong();
    }
    return { t: 'object', entries };
  }

  /** Parses the value of an object's key, which may contain pipes but no commas. */
  #objectValue(): Term {
    let a = this.#alternative();
    while (this.#take('|')) a = { t: 'pipe', a, b: this.#alternative() };
    return a;
  }

  #string(format: string): Term {
    this.#expect('"');
    const parts: (string | Term)[] = [];
    let plain = '';
    for (;;) {
      const char = this.#source[this.#at++];
      if (char === undefined) throw new BadProgram('syntax error, unterminated string literal');
      if (char === '"') break;
      if (char !== '\\') {
        plain += char;
        continue;
      }
      const next = this.#source[this.#at++] ?? '';
      if (next === '(') {
        parts.push(plain);
        plain = '';
        parts.push(this.#pipe());
        this.#expect(')');
      } else if (next === 'u') {
        plain += String.fromCharCode(parseInt(this.#source.slice(this.#at, this.#at + 4), 16));
        this.#at += 4;
      } else plain += { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }[next] ?? next;
    }
    parts.push(plain);
    return { t: 'string', format, parts: parts.filter((part) => part !== '') };
  }
}

function text(value: string): Term {
  return { t: 'string', format: 'text', parts: [value] };
}
