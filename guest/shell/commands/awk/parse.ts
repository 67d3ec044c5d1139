import { Complaint } from '../../kit/complaint.ts';
import { tokensOf, type Token } from './lex.ts';
import type { AwkFunction, AwkProgram, Case, Expr, LValue, Redirect, Rule, Statement } from './tree.ts';

export function parseAwk(source: string): AwkProgram {
  return new Parser(tokensOf(source)).program();
}

const COMPARISONS = new Set(['<', '<=', '==', '!=', '>', '>=']);
const ASSIGNMENTS = new Set(['=', '+=', '-=', '*=', '/=', '%=', '^=']);

/** Operators that an expression cannot contain in its place: `>` in print, `in` in the head of a for. */
interface Without {
  readonly greater?: boolean;
  readonly in?: boolean;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get #token(): Token {
    const token = this.#tokens[this.#at] ?? this.#tokens.at(-1);
    if (!token) throw new Complaint('empty program');
    return token;
  }

  #is(text: string, kind: Token['kind'] = 'op'): boolean {
    return this.#token.kind === kind && this.#token.text === text;
  }

  #isKeyword(text: string): boolean {
    return this.#is(text, 'keyword');
  }

  #take(text: string, kind: Token['kind'] = 'op'): boolean {
    if (!this.#is(text, kind)) return false;
    this.#at++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw this.#wrong();
  }

  #wrong(): Complaint {
    const { line, text } = this.#token;
    const shown = text === '\n' ? 'newline or end of string' : text;
    return new Complaint(`cmd. line:${line}: syntax error at or near ${shown}`);
  }

  #newlines(): void {
    while (this.#token.kind === 'newline') this.#at++;
  }

  #separators(): void {
    while (this.#token.kind === 'newline' || this.#is(';')) this.#at++;
  }

  program(): AwkProgram {
    const rules: Rule[] = [];
    const functions = new Map<string, AwkFunction>();
    for (this.#separators(); this.#token.kind !== 'end'; this.#separators()) {
      if (this.#isKeyword('function') || this.#isKeyword('func')) {
        const made = this.#function();
        functions.set(made.name, made);
      } else rules.push(this.#rule());
    }
    return { rules, functions };
  }

  #function(): AwkFunction {
    this.#at++;
    const name = this.#token.text;
    if (this.#token.kind !== 'name' && this.#token.kind !== 'call') throw this.#wrong();
    this.#at++;
    this.#expect('(');
    const parameters: string[] = [];
    while (!this.#take(')')) {
      this.#newlines();
      parameters.push(this.#name());
      this.#take(',');
      this.#newlines();
    }
    this.#newlines();
    return { name, parameters, body: this.#block() };
  }

  #name(): string {
    const { kind, text } = this.#token;
    if (kind !== 'name' && kind !== 'call') throw this.#wrong();
    this.#at++;
    return text;
  }

  #rule(): Rule {
    if (this.#take('BEGIN', 'keyword')) return { kind: 'begin', body: this.#ruleBody() };
    if (this.#take('END', 'keyword')) return { kind: 'end', body: this.#ruleBody() };
    if (this.#is('{')) return { kind: 'always', body: this.#block() };
    const from = this.#expr({});
    let to: Expr | undefined;
    if (this.#take(',')) {
      this.#newlines();
      to = this.#expr({});
    }
    const body = this.#is('{') ? this.#block() : undefined;
    return { kind: to ? 'range' : 'pattern', from, to, body };
  }

  #ruleBody(): Statement {
    this.#newlines();
    return this.#block();
  }

  #block(): Statement {
    this.#expect('{');
    const body: Statement[] = [];
    for (this.#separators(); !this.#take('}'); this.#separators()) {
      if (this.#token.kind === 'end') throw this.#wrong();
      body.push(this.#statement());
    }
    return { t: 'block', body };
  }

  /** Parses the body of if, while and for, on this line or the next. */
  #body(): Statement {
    this.#newlines();
    if (this.#take(';')) return { t: 'block', body: [] };
    return this.#statement();
  }

  #endOfSimple(): void {
    if (this.#take(';')) return;
    if (this.#token.kind === 'newline') {
      this.#at++;
      return;
    }
    if (!this.#is('}') && this.#token.kind !== 'end') throw this.#wrong();
  }

  #statement(): Statement {
    if (this.#is('{')) return this.#block();
    const { kind, text } = this.#token;
    if (kind === 'keyword') {
      switch (text) {
        case 'if': {
          this.#at++;
          const test = this.#parenthesized();
          const yes = this.#body();
          const before = this.#at;
          this.#separators();
          if (this.#take('else', 'keyword')) return { t: 'if', test, yes, no: this.#body() };
          this.#at = before;
          return { t: 'if', test, yes };
        }
        case 'while': {
          this.#at++;
          const test = this.#parenthesized();
          return { t: 'while', test, body: this.#body() };
        }
        case 'do': {
          this.#at++;
          const body = this.#body();
          this.#separators();
          if (!this.#take('while', 'keyword')) throw this.#wrong();
          const test = this.#parenthesized();
          this.#endOfSimple();
          return { t: 'do', body, test };
        }
        case 'for':
          return this.#for();
        case 'switch':
          return this.#switch();
      }
    }
    const statement = this.#simple();
    this.#endOfSimple();
    return statement;
  }

  #parenthesized(): Expr {
    this.#expect('(');
    const expr = this.#expr({});
    this.#expect(')');
    return expr;
  }

  #for(): Statement {
    this.#at++;
    this.#expect('(');
    if (this.#token.kind === 'name' && this.#tokens[this.#at + 1]?.text === 'in') {
      const start = this.#at;
      const key: LValue = { t: 'var', name: this.#name() };
      this.#at++;
      if (this.#token.kind === 'name' && this.#tokens[this.#at + 1]?.text === ')') {
        const name = this.#name();
        this.#expect(')');
        return { t: 'each', key, name, body: this.#body() };
      }
      this.#at = start;
    }
    const init = this.#is(';') ? undefined : this.#simple();
    this.#expect(';');
    this.#newlines();
    const test = this.#is(';') ? undefined : this.#expr({});
    this.#expect(';');
    this.#newlines();
    const step = this.#is(')') ? undefined : this.#simple();
    this.#expect(')');
    return { t: 'for', init, test, step, body: this.#body() };
  }

  #switch(): Statement {
    this.#at++;
    const of = this.#parenthesized();
    this.#newlines();
    this.#expect('{');
    const cases: Case[] = [];
    for (this.#separators(); !this.#take('}'); this.#separators()) {
      let value: Expr | undefined;
      if (this.#take('case', 'keyword')) value = this.#unary({});
      else if (!this.#take('default', 'keyword')) throw this.#wrong();
      this.#expect(':');
      const body: Statement[] = [];
      for (this.#separators(); !this.#isCaseEnd(); this.#separators()) body.push(this.#statement());
      cases.push({ value, body });
    }
    return { t: 'switch', of, cases };
  }

  #isCaseEnd(): boolean {
    return (
      this.#is('}') || this.#isKeyword('case') || this.#isKeyword('default') || this.#token.kind === 'end'
    );
  }

  #simple(): Statement {
    const { kind, text } = this.#token;
    if (kind === 'keyword') {
      switch (text) {
        case 'print':
        case 'printf':
          return this.#print(text);
        case 'break':
        case 'continue':
        case 'next':
        case 'nextfile':
          this.#at++;
          return { t: text };
        case 'exit':
        case 'return':
          this.#at++;
          return { t: text, value: this.#endsSimple() ? undefined : this.#expr({}) };
        case 'delete': {
          this.#at++;
          const name = this.#name();
          if (!this.#take('[')) return { t: 'delete', name };
          return { t: 'delete', name, subs: this.#subscripts() };
        }
      }
    }
    return { t: 'expr', expr: this.#expr({}) };
  }

  #endsSimple(): boolean {
    return this.#is(';') || this.#is('}') || this.#token.kind === 'newline' || this.#token.kind === 'end';
  }

  #print(t: 'print' | 'printf'): Statement {
    this.#at++;
    const ends = () => this.#endsSimple() || this.#is('>') || this.#is('>>') || this.#is('|');
    let args: readonly Expr[] = [];
    if (!ends()) {
      args = this.#list({ greater: true });
      const [only] = args;
      if (args.length === 1 && only?.t === 'group') args = only.list;
    }
    let redirect: Redirect | undefined;
    const kind = this.#token.text;
    if (this.#token.kind === 'op' && (kind === '>' || kind === '>>' || kind === '|')) {
      this.#at++;
      redirect = { kind, to: this.#concatenation({ greater: true }) };
    }
    return { t, args, redirect };
  }

  #list(without: Without): Expr[] {
    const list = [this.#expr(without)];
    while (this.#take(',')) {
      this.#newlines();
      list.push(this.#expr(without));
    }
    return list;
  }

  #subscripts(): Expr[] {
    const subs = this.#list({});
    this.#expect(']');
    return subs;
  }

  #expr(without: Without): Expr {
    const left = this.#choice(without);
    const { kind, text } = this.#token;
    if (kind === 'op' && ASSIGNMENTS.has(text) && isLValue(left)) {
      this.#at++;
      this.#newlines();
      return { t: 'assign', op: text.slice(0, -1), to: left, value: this.#expr(without) };
    }
    return left;
  }

  #choice(without: Without): Expr {
    const test = this.#or(without);
    if (!this.#take('?')) return test;
    this.#newlines();
    const yes = this.#expr(without);
    this.#newlines();
    this.#expect(':');
    this.#newlines();
    return { t: 'choice', test, yes, no: this.#expr(without) };
  }

  #or(without: Without): Expr {
    let a = this.#and(without);
    while (this.#take('||')) {
      this.#newlines();
      a = { t: 'or', a, b: this.#and(without) };
    }
    return a;
  }

  #and(without: Without): Expr {
    let a = this.#membership(without);
    while (this.#take('&&')) {
      this.#newlines();
      a = { t: 'and', a, b: this.#membership(without) };
    }
    return a;
  }

  #membership(without: Without): Expr {
    let a = this.#matching(without);
    while (!without.in && this.#take('in', 'keyword'))
      a = { t: 'in', subs: a.t === 'group' ? a.list : [a], name: this.#name() };
    return a;
  }

  #matching(without: Without): Expr {
    let a = this.#comparison(without);
    for (;;) {
      const negated = this.#is('!~');
      if (!negated && !this.#is('~')) return a;
      this.#at++;
      a = { t: 'match', negated, a, b: this.#comparison(without) };
    }
  }

  #comparison(without: Without): Expr {
    let a = this.#piped(without);
    const { kind, text } = this.#token;
    if (kind === 'op' && COMPARISONS.has(text) && !(without.greater && text === '>')) {
      this.#at++;
      a = { t: 'binary', op: text, a, b: this.#piped(without) };
    }
    return a;
  }

  /** Parses `"command" | getline`, which binds looser than concatenation. */
  #piped(without: Without): Expr {
    let a = this.#concatenation(without);
    while (this.#is('|') && this.#tokens[this.#at + 1]?.text === 'getline') {
      this.#at += 2;
      a = { t: 'getline', from: 'command', source: a, to: this.#optionalLValue() };
    }
    return a;
  }

  #concatenation(without: Without): Expr {
    let a = this.#additive(without);
    while (this.#startsOperand(without)) a = { t: 'binary', op: ' ', a, b: this.#additive(without) };
    return a;
  }

  #startsOperand(without: Without): boolean {
    const { kind, text } = this.#token;
    if (kind === 'keyword') return false;
    if (kind === 'op')
      return ['$', '!', '(', '++', '--', '-', '+'].includes(text) && !(text === '!' && without.in);
    return kind !== 'newline' && kind !== 'end' && kind !== 'regex';
  }

  #additive(without: Without): Expr {
    let a = this.#multiplicative(without);
    while (this.#is('+') || this.#is('-')) {
      const op = this.#token.text;
      this.#at++;
      a = { t: 'binary', op, a, b: this.#multiplicative(without) };
    }
    return a;
  }

  #multiplicative(without: Without): Expr {
    let a = this.#unary(without);
    while (this.#is('*') || this.#is('/') || this.#is('%')) {
      const op = this.#token.text;
      this.#at++;
      a = { t: 'binary', op, a, b: this.#unary(without) };
    }
    return a;
  }

  #unary(without: Without): Expr {
    for (const op of ['!', '-', '+']) if (this.#take(op)) return { t: 'unary', op, a: this.#unary(without) };
    return this.#power(without);
  }

  #power(without: Without): Expr {
    const a = this.#postfix();
    if (!this.#take('^')) return a;
    const negated = this.#take('-');
    const b = negated ? { t: 'unary' as const, op: '-', a: this.#power(without) } : this.#unary(without);
    return { t: 'binary', op: '^', a, b };
  }

  #postfix(): Expr {
    const a = this.#primary();
    if (!isLValue(a)) return a;
    if (this.#take('++')) return { t: 'step', by: 1, prefix: false, to: a };
    if (this.#take('--')) return { t: 'step', by: -1, prefix: false, to: a };
    return a;
  }

  #optionalLValue(): LValue | undefined {
    if (!this.#is('$') && this.#token.kind !== 'name') return undefined;
    const found = this.#primary();
    return isLValue(found) ? found : undefined;
  }

  #primary(): Expr {
    const { kind, text, value } = this.#token;
    this.#at++;
    switch (kind) {
      case 'number':
        return { t: 'number', value: value ?? 0 };
      case 'string':
        return { t: 'string', value: text };
      case 'regex':
        return { t: 'regex', source: text };
      case 'name':
        if (this.#take('[')) return { t: 'index', name: text, subs: this.#subscripts() };
        return { t: 'var', name: text };
      case 'call':
        return { t: 'call', name: text, args: this.#arguments() };
      case 'builtin':
        return { t: 'builtin', name: text, args: this.#is('(') ? this.#arguments() : [] };
      case 'keyword':
        if (text === 'getline') {
          const to = this.#optionalLValue();
          if (!this.#take('<')) return { t: 'getline', from: 'main', to };
          return { t: 'getline', from: 'file', source: this.#postfix(), to };
        }
        break;
      case 'op':
        if (text === '$') {
          if (this.#is('++') || this.#is('--')) return { t: 'field', of: this.#primary() };
          if (this.#take('-')) return { t: 'field', of: { t: 'unary', op: '-', a: this.#primary() } };
          return { t: 'field', of: this.#primary() };
        }
        if (text === '++' || text === '--') {
          const to = this.#primary();
          if (isLValue(to)) return { t: 'step', by: text === '++' ? 1 : -1, prefix: true, to };
          break;
        }
        if (text === '(') {
          this.#newlines();
          const list = this.#list({});
          this.#newlines();
          this.#expect(')');
          const [only] = list;
          // The parentheses are kept in the tree: `(a) = 1` is no assignment, and `(x)++` no increment.
          return list.length === 1 && only && !isLValue(only) ? only : { t: 'group', list };
        }
        break;
      case 'newline':
      case 'end':
        break;
    }
    this.#at--;
    throw this.#wrong();
  }

  #arguments(): Expr[] {
    this.#expect('(');
    this.#newlines();
    if (this.#take(')')) return [];
    const list = this.#list({});
    this.#newlines();
    this.#expect(')');
    return list;
  }
}

function isLValue(expr: Expr): expr is LValue {
  return expr.t === 'var' || expr.t === 'index' || expr.t === 'field';
}
