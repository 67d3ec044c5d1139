import { Complaint } from '../../kit/complaint.ts';
import { decode, encode, lineBatches, open, optionsOf, readAll, writing, type Writer } from '../../kit/io.ts';
import type { ProgramCall } from '../../program.ts';
import {
  add,
  compare,
  divide,
  fromText,
  multiply,
  negated,
  power,
  remainder,
  rescaled,
  squareRoot,
  toText,
  whole,
  ZERO,
  type Decimal,
} from './decimal.ts';
import { arcTangent, bessel, cosine, exponential, logarithm, sine } from './series.ts';

interface Routine {
  readonly parameters: readonly string[];
  readonly locals: readonly string[];
  readonly body: string;
}

class Returned {
  readonly value: Decimal;

  constructor(value: Decimal) {
    this.value = value;
  }
}

type Leave = 'break' | 'continue' | Returned | undefined;

const TOKEN =
  /\s*(?:\/\*[^]*?\*\/\s*|#[^\n]*)*(\n|"[^"]*"|[0-9A-F]*\.?[0-9A-F]+|[0-9A-F]+\.|[a-z][a-z0-9_]*|\+\+|--|&&|\|\||[-+*/%^<>=!]=|[^\s])/y;

/** Runs a program from its text. A statement is parsed each time it runs, since programs are short. */
class Calculator {
  readonly #out: Writer;
  readonly #say: (message: string) => Promise<void>;
  readonly #library: boolean;
  #source = '';
  #at = 0;
  #variables = new Map<string, Decimal>();
  readonly #routines = new Map<string, Routine>();
  #scale = 0;
  #inBase = 10;
  #outBase = 10;
  #last: Decimal = ZERO;
  #skipping = false;
  #printed = '';
  #column = 0;
  readonly #lineLength: number;
  over = false;

  constructor(out: Writer, library: boolean, lineLength: number, say: (message: string) => Promise<void>) {
    this.#lineLength = lineLength;
    this.#out = out;
    this.#library = library;
    this.#say = say;
    if (library) this.#scale = 20;
  }

  async run(source: string): Promise<void> {
    this.#source = source.replaceAll('\\\n', '');
    this.#at = 0;
    while (!this.over && this.#peek() !== '') {
      try {
        if (this.#take('\n') || this.#take(';')) continue;
        this.#statement();
      } catch (error) {
        if (!(error instanceof Complaint)) throw error;
        await this.#flush();
        await this.#say(error.message);
        const end = this.#source.indexOf('\n', this.#at);
        this.#at = end < 0 ? this.#source.length : end + 1;
      }
      await this.#flush();
    }
    await this.#flush();
  }

  async #flush(): Promise<void> {
    const text = this.#printed;
    this.#printed = '';
    if (text !== '') await this.#out.write(text);
  }

  #scan(): [string, number] {
    // A line break ends a statement; other white space only separates.
    const line = /[ \t\r]*(?:#[^\n]*)?\n/y;
    line.lastIndex = this.#at;
    if (line.test(this.#source)) return ['\n', line.lastIndex];
    TOKEN.lastIndex = this.#at;
    const token = TOKEN.exec(this.#source)?.[1] ?? '';
    return [token, token === '' ? this.#source.length : TOKEN.lastIndex];
  }

  #peek(): string {
    return this.#scan()[0];
  }

  #take(token: string): boolean {
    const [found, end] = this.#scan();
    if (found !== token) return false;
    this.#at = end;
    return true;
  }

  #next(): string {
    const [token, end] = this.#scan();
    this.#at = end;
    return token;
  }

  #expect(token: string): void {
    if (!this.#take(token)) throw new Complaint('(standard_in) 1: syntax error');
  }

  #lines(): void {
    while (this.#take('\n'));
  }

  #skip(work: () => void): void {
    const before = this.#skipping;
    this.#skipping = true;
    try {
      work();
    } finally {
      this.#skipping = before;
    }
  }

  #statement(): Leave {
    this.#lines();
    const token = this.#peek();
    if (token === '{') return this.#block();
    if (token.startsWith('"')) {
      this.#next();
      this.#print(token.slice(1, -1));
      return undefined;
    }
    switch (token) {
      case 'define':
        this.#define();
        return undefined;
      case 'auto':
        while (!['\n', ';', ''].includes(this.#peek())) this.#next();
        return undefined;
      case 'if':
        return this.#if();
      case 'while':
        return this.#while();
      case 'for':
        return this.#for();
      case 'break':
      case 'continue':
        this.#next();
        return this.#skipping ? undefined : token;
      case 'quit':
      case 'halt':
        this.#next();
        if (!this.#skipping) this.over = true;
        return undefined;
      case 'return': {
        this.#next();
        const value = ['\n', ';', '}', ''].includes(this.#peek()) ? ZERO : this.#expression();
        return this.#skipping ? undefined : new Returned(value);
      }
      case 'print':
        this.#next();
        do {
          const what = this.#peek();
          if (what.startsWith('"')) {
            this.#next();
            this.#print(
              what
                .slice(1, -1)
                .replace(/\\(.)/g, (_all, c: string) => ({ n: '\n', t: '\t', q: '"', '\\': '\\' })[c] ?? c),
            );
          } else this.#print(toText(this.#expression(), this.#outBase));
        } while (this.#take(','));
        return undefined;
    }
    const start = this.#at;
    const value = this.#expression();
    const isAssignment = /^\s*(?:[a-z]\w*(?:\[[^\]]*\])?|scale|ibase|obase|last)\s*(?:[-+*/%^]?=)(?!=)/.test(
      this.#source.slice(start, this.#at),
    );
    if (!isAssignment && !this.#skipping) {
      this.#last = value;
      this.#print(`${toText(value, this.#outBase)}\n`);
    }
    return undefined;
  }

  #print(text: string): void {
    if (this.#skipping) return;
    for (const piece of text.split(/(?<=\n)/)) this.#printRow(piece);
  }

  /** Breaks what is longer than a line of the output, as GNU bc does. */
  #printRow(text: string): void {
    let rest = text;
    for (let room = this.#room; room >= 0 && rest.replace('\n', '').length > room; room = this.#room) {
      this.#printed += `${rest.slice(0, room)}\\\n`;
      rest = rest.slice(room);
      this.#column = 0;
    }
    this.#printed += rest;
    this.#column = rest.endsWith('\n') ? 0 : this.#column + rest.length;
  }

  /** How many characters the present line has left; less than none where lines have any length. */
  get #room(): number {
    return this.#lineLength === 0 ? -1 : Math.max(0, this.#lineLength - 2 - this.#column);
  }

  #block(): Leave {
    this.#expect('{');
    let leave: Leave;
    while (!this.#take('}')) {
      if (this.#take('\n') || this.#take(';')) continue;
      if (this.#peek() === '') throw new Complaint('(standard_in) 1: syntax error');
      if (leave) this.#skip(() => void this.#statement());
      else leave = this.#statement();
    }
    return leave;
  }

  #truth(): boolean {
    this.#expect('(');
    const value = this.#peek() === ')' ? whole(1) : this.#expression();
    this.#expect(')');
    return value.digits !== 0n;
  }

  #if(): Leave {
    this.#next();
    const yes = this.#truth();
    let leave: Leave;
    if (yes) leave = this.#statement();
    else this.#skip(() => void this.#statement());
    const before = this.#at;
    while (this.#take('\n') || this.#take(';'));
    if (!this.#take('else')) {
      this.#at = before;
      return leave;
    }
    if (yes) this.#skip(() => void this.#statement());
    else leave = this.#statement();
    return leave;
  }

  #while(): Leave {
    this.#next();
    const start = this.#at;
    for (;;) {
      this.#at = start;
      if (!this.#truth() || this.#skipping) {
        this.#skip(() => void this.#statement());
        return undefined;
      }
      const leave = this.#statement();
      if (leave === 'break') return undefined;
      if (leave instanceof Returned) return leave;
    }
  }

  #for(): Leave {
    this.#next();
    this.#expect('(');
    if (this.#peek() !== ';') this.#expression();
    this.#expect(';');
    const test = this.#at;
    for (;;) {
      this.#at = test;
      const isOn = this.#peek() === ';' || this.#expression().digits !== 0n;
      this.#expect(';');
      const step = this.#at;
      this.#skip(() => {
        if (this.#peek() !== ')') this.#expression();
      });
      this.#expect(')');
      if (!isOn || this.#skipping) {
        this.#skip(() => void this.#statement());
        return undefined;
      }
      const leave = this.#statement();
      const after = this.#at;
      if (leave instanceof Returned) return leave;
      if (leave === 'break') return undefined;
      this.#at = step;
      if (this.#peek() !== ')') this.#expression();
      this.#at = after;
    }
  }

  #define(): void {
    this.#next();
    this.#take('void');
    const name = this.#next();
    const list = (): string[] => {
      const names: string[] = [];
      while (!this.#take(')')) {
        names.push(this.#next());
        if (this.#take('[')) this.#expect(']');
        this.#take(',');
      }
      return names;
    };
    this.#expect('(');
    const parameters = list();
    this.#lines();
    const start = this.#at;
    this.#skip(() => void this.#block());
    const body = this.#source.slice(start, this.#at);
    const locals = /^\s*\{\s*auto\s+([^;\n]*)/.exec(body)?.[1]?.split(/\s*,\s*/) ?? [];
    this.#routines.set(name, {
      parameters,
      locals: locals.map((local) => local.trim().replace('[]', '')),
      body,
    });
  }

  #expression(): Decimal {
    let a = this.#and();
    while (this.#take('||')) {
      const b = this.#and();
      a = whole(a.digits !== 0n || b.digits !== 0n ? 1 : 0);
    }
    return a;
  }

  #and(): Decimal {
    let a = this.#not();
    while (this.#take('&&')) {
      const b = this.#not();
      a = whole(a.digits !== 0n && b.digits !== 0n ? 1 : 0);
    }
    return a;
  }

  #not(): Decimal {
    if (this.#take('!')) return whole(this.#not().digits === 0n ? 1 : 0);
    const a = this.#sum();
    const op = this.#peek();
    if (!['<', '<=', '>', '>=', '==', '!='].includes(op)) return a;
    this.#next();
    const order = compare(a, this.#sum());
    const holds = {
      '<': order < 0,
      '<=': order <= 0,
      '>': order > 0,
      '>=': order >= 0,
      '==': order === 0,
      '!=': order !== 0,
    }[op];
    return whole(holds ? 1 : 0);
  }

  #sum(): Decimal {
    let a = this.#product();
    for (;;) {
      if (this.#take('+')) a = add(a, this.#product());
      else if (this.#take('-')) a = add(a, negated(this.#product()));
      else return a;
    }
  }

  #product(): Decimal {
    let a = this.#power();
    for (let op = this.#peek(); op === '*' || op === '/' || op === '%'; op = this.#peek()) {
      this.#next();
      a = this.#operate(op, a, this.#power());
    }
    return a;
  }

  #operate(op: string, a: Decimal, b: Decimal): Decimal {
    if (op === '+') return add(a, b);
    if (op === '-') return add(a, negated(b));
    if (op === '*') return multiply(a, b, this.#scale);
    if (op === '^') return power(a, Number(rescaled(b, 0).digits), this.#scale);
    if (b.digits === 0n) {
      if (this.#skipping) return ZERO;
      throw new Complaint(`Runtime error (func=(main), adr=5): ${op === '/' ? 'Divide' : 'Modulo'} by zero`);
    }
    return op === '/' ? divide(a, b, this.#scale) : remainder(a, b, this.#scale);
  }

  #power(): Decimal {
    if (this.#take('-')) return negated(this.#power());
    const a = this.#primary();
    return this.#take('^') ? this.#operate('^', a, this.#power()) : a;
  }

  #primary(): Decimal {
    const token = this.#next();
    if (/^[0-9A-F.]/.test(token)) return fromText(token.replace(/\.$/, ''), this.#inBase);
    if (token === '(') {
      const value = this.#expression();
      this.#expect(')');
      return value;
    }
    if (token === '++' || token === '--') {
      const name = this.#place(this.#next());
      const value = add(this.#get(name), whole(token === '++' ? 1 : -1));
      this.#set(name, value);
      return value;
    }
    if (!/^[a-z]/.test(token)) throw new Complaint('(standard_in) 1: syntax error');
    if (this.#peek() === '(' && token !== 'last') return this.#call(token);
    const name = this.#place(token);
    const op = this.#peek();
    if (op === '=' || /^[-+*/%^]=$/.test(op)) {
      this.#next();
      const value = this.#expression();
      const after = op === '=' ? value : this.#operate(op.charAt(0), this.#get(name), value);
      this.#set(name, after);
      return after;
    }
    const before = this.#get(name);
    if (this.#take('++')) this.#set(name, add(before, whole(1)));
    else if (this.#take('--')) this.#set(name, add(before, whole(-1)));
    return before;
  }

  #place(name: string): string {
    if (!this.#take('[')) return name;
    const at = toText(rescaled(this.#expression(), 0), 10);
    this.#expect(']');
    return `${name}[${at}]`;
  }

  #get(name: string): Decimal {
    if (name === 'scale') return whole(this.#scale);
    if (name === 'ibase') return whole(this.#inBase);
    if (name === 'obase') return whole(this.#outBase);
    return name === 'last' ? this.#last : (this.#variables.get(name) ?? ZERO);
  }

  #set(name: string, value: Decimal): void {
    if (this.#skipping) return;
    const amount = Number(rescaled(value, 0).digits);
    if (name === 'scale') this.#scale = amount;
    else if (name === 'ibase') this.#inBase = Math.min(16, Math.max(2, amount));
    else if (name === 'obase') this.#outBase = Math.max(2, amount);
    else this.#variables.set(name, value);
  }

  #call(name: string): Decimal {
    this.#expect('(');
    const args: Decimal[] = [];
    while (!this.#take(')')) {
      args.push(this.#expression());
      this.#take(',');
    }
    const [a = ZERO] = args;
    if (this.#skipping) return ZERO;
    switch (name) {
      case 'sqrt':
        if (a.digits < 0n)
          throw new Complaint('Runtime error (func=(main), adr=3): Square root of a negative number');
        return squareRoot(a, this.#scale);
      case 'length':
        return whole((a.digits < 0n ? -a.digits : a.digits).toString().length);
      case 'scale':
        return whole(a.scale);
    }
    const routine = this.#routines.get(name);
    if (!routine) {
      const real = this.#library ? this.#real(name, args) : undefined;
      if (real) return real;
      throw new Complaint(`Runtime error (func=(main), adr=5): Function ${name} not defined.`);
    }
    return this.#run(routine, args);
  }

  #run({ parameters, locals, body }: Routine, args: readonly Decimal[]): Decimal {
    const before = { source: this.#source, at: this.#at, variables: this.#variables };
    this.#variables = new Map(before.variables);
    for (const local of locals) this.#variables.set(local, ZERO);
    parameters.forEach((name, at) => this.#variables.set(name, args[at] ?? ZERO));
    [this.#source, this.#at] = [body, 0];
    try {
      const leave = this.#block();
      return leave instanceof Returned ? leave.value : ZERO;
    } finally {
      const own = new Set([...parameters, ...locals]);
      for (const [name, value] of this.#variables) if (!own.has(name)) before.variables.set(name, value);
      this.#variables = before.variables;
      [this.#source, this.#at] = [before.source, before.at];
    }
  }

  /** Computes a function of `-l`; undefined if there is none of that name. */
  #real(name: string, args: readonly Decimal[]): Decimal | undefined {
    const [a = ZERO, b = ZERO] = args;
    if (name === 'j') return bessel(a, b, this.#scale);
    return REAL[name]?.(a, this.#scale);
  }
}

const REAL: Readonly<Record<string, (x: Decimal, scale: number) => Decimal>> = {
  s: sine,
  c: cosine,
  a: arcTangent,
  l: logarithm,
  e: exponential,
};

function lineLengthOf(given = '70'): number {
  const length = parseInt(given, 10) || 0;
  return length === 0 || length >= 3 ? length : 70;
}

/** Whether a text is complete, or more lines have to follow. */
function isWhole(text: string): boolean {
  if (/\\\n$/.test(text)) return false;
  const bare = text.replace(/"[^"]*"|\/\*[^]*?\*\/|#[^\n]*/g, '');
  if (/"|\/\*/.test(bare)) return false;
  const depth = (bare.match(/[{(]/g)?.length ?? 0) - (bare.match(/[})]/g)?.length ?? 0);
  // A head such as `while (x)` needs a body after it.
  return depth <= 0 && !/(?:^|[;{}\n])\s*(?:(?:if|while|for|define)\b[^\n;]*\)|else)\s*$/.test(bare);
}

export const bc = writing(async (call: ProgramCall, out) => {
  const { has, operands } = optionsOf(call, {
    short: 'lqswi',
    long: ['mathlib=l', 'quiet=q', 'standard=s', 'warn=w', 'interactive=i'],
  });
  const calculator = new Calculator(
    out,
    has.has('l'),
    lineLengthOf(call.env.get('BC_LINE_LENGTH')),
    async (message) => {
      await out.flush();
      await call.stderr.write(encode(`${message}\n`));
    },
  );
  for (const name of operands) await calculator.run(decode(await readAll(await open(call, name), out)));
  let text = '';
  for await (const { lines, ended } of lineBatches(call.stdin, out)) {
    for (const [at, line] of lines.entries()) {
      if (calculator.over) return 0;
      text += line + (ended || at < lines.length - 1 ? '\n' : '');
      if (!isWhole(text)) continue;
      await calculator.run(text);
      text = '';
    }
  }
  if (!calculator.over) await calculator.run(text);
  return 0;
});
