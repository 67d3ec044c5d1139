import { fatal, fill, gensub, lengthOf, matchIn, PLAIN, replaceIn, sortInto } from './builtins.ts';
import { KNOWN, SLOT, type AwkMachine } from './machine.ts';
import type { AwkFunction, Expr, LValue } from './tree.ts';
import { compare, Field, isTrue, numberOf, type AwkArray, type Value } from './values.ts';

/** A compiled expression. Where it has to wait, `later` is present and only `later` may be used. */
export interface Code {
  readonly run: () => Value;
  readonly later?: () => Promise<Value>;
}

export interface AssignableCode extends Code {
  /** Evaluates the subscripts once, and gives access to the place. */
  readonly resolve: () => Reference;
  readonly resolveLater?: () => Promise<Reference>;
}

interface Reference {
  get(): Value;
  set(value: Value): void;
}

const never = (): never => {
  throw fatal('this has to wait');
};

export function valueOf(code: Code): Value | Promise<Value> {
  return code.later ? code.later() : code.run();
}

/** Applies `f` to the values of expressions, and waits only where one of them has to. */
export function over(codes: readonly Code[], f: (...values: Value[]) => Value): Code {
  const [a, b] = codes;
  if (codes.some(({ later }) => later)) {
    return {
      run: never,
      async later() {
        const values: Value[] = [];
        for (const code of codes) values.push(await valueOf(code));
        return f(...values);
      },
    };
  }
  if (codes.length === 1 && a) return { run: () => f(a.run()) };
  if (codes.length === 2 && a && b) return { run: () => f(a.run(), b.run()) };
  return { run: () => f(...codes.map((code) => code.run())) };
}

function waiting(later: () => Promise<Value>): Code {
  return { run: never, later };
}

/** Says which parameters of which functions are arrays, judged by their use. */
export type ArrayParameters = ReadonlyMap<string, readonly boolean[]>;

export interface Callable {
  readonly made: AwkFunction;
  waits: boolean;
  run: (args: (Value | AwkArray)[]) => Value;
  later: (args: (Value | AwkArray)[]) => Promise<Value>;
}

/** Compiles expressions. Inside a function, a name means a parameter first. */
export class Expressions {
  readonly machine: AwkMachine;
  readonly functions: ReadonlyMap<string, Callable>;
  readonly #arrays: ArrayParameters;
  readonly #slots = new Map<string, number>();
  #parameters: readonly string[] = [];

  constructor(machine: AwkMachine, functions: ReadonlyMap<string, Callable>, arrays: ArrayParameters) {
    this.machine = machine;
    this.functions = functions;
    this.#arrays = arrays;
    KNOWN.forEach((name, at) => this.#slots.set(name, at));
  }

  within<T>(parameters: readonly string[], make: () => T): T {
    this.#parameters = parameters;
    try {
      return make();
    } finally {
      this.#parameters = [];
    }
  }

  slot(name: string): number {
    let slot = this.#slots.get(name);
    if (slot === undefined) this.#slots.set(name, (slot = this.#slots.size));
    return slot;
  }

  /** Gives access to the array of a name, which is created where it is missing. */
  array(name: string): () => AwkArray {
    const { machine } = this;
    const parameter = this.#parameters.indexOf(name);
    const at = parameter >= 0 ? parameter : this.slot(name);
    return () => {
      const slots = parameter >= 0 ? machine.frame : machine.globals;
      const found = slots[at];
      if (found instanceof Map) return found;
      if (found !== undefined) throw fatal(`attempt to use scalar \`${name}' as an array`);
      const made: AwkArray = new Map<string, Value | AwkArray>();
      slots[at] = made;
      return made;
    };
  }

  place(to: LValue): AssignableCode {
    const { machine } = this;
    if (to.t === 'field') {
      const of = this.code(to.of);
      const spot = (at: number): Reference => ({
        get: () => machine.field(at),
        set: (value) => machine.setField(at, value),
      });
      const get = over([of], (at) => machine.field(numberOf(at)));
      return {
        ...get,
        resolve: () => spot(numberOf(of.run())),
        ...(of.later && { resolveLater: async () => spot(numberOf(await valueOf(of))) }),
      };
    }
    if (to.t === 'index') {
      const array = this.array(to.name);
      const key = this.key(to.subs);
      const spot = (at: string): Reference => {
        const found = array();
        return {
          get: () => scalar(found.get(at)),
          set: (value) => void found.set(at, value),
        };
      };
      return {
        ...over([key], (at) => {
          const found = array();
          const name = machine.text(at);
          // Reading an element creates it.
          if (!found.has(name)) found.set(name, undefined);
          return scalar(found.get(name));
        }),
        resolve: () => spot(machine.text(key.run())),
        ...(key.later && { resolveLater: async () => spot(machine.text(await valueOf(key))) }),
      };
    }
    const { name } = to;
    const parameter = this.#parameters.indexOf(name);
    let spot: Reference;
    if (parameter < 0 && name === 'NF') {
      spot = {
        get: () => machine.fieldCount,
        set: (value) => void (machine.fieldCount = numberOf(value)),
      };
    } else if (parameter >= 0) {
      spot = {
        get: () => scalar(machine.frame[parameter]),
        set: (value) => void (machine.frame[parameter] = value),
      };
    } else {
      const at = this.slot(name);
      spot = {
        get: () => scalar(machine.globals[at]),
        set: (value) => void (machine.globals[at] = value),
      };
    }
    return { run: spot.get, resolve: () => spot };
  }

  /** Joins subscripts by SUBSEP. */
  key(subs: readonly Expr[]): Code {
    const codes = subs.map((sub) => this.code(sub));
    const { machine } = this;
    if (codes.length === 1) return over(codes, (sub) => machine.text(sub));
    return over(codes, (...parts) => parts.map((part) => machine.text(part)).join(machine.known('SUBSEP')));
  }

  /** Compiles an expression in the place of a regular expression: a literal one, or the text of its value. */
  regex(expr: Expr, flags = 'g'): { readonly code: Code; readonly regex: (value: Value) => RegExp } {
    const { machine } = this;
    const only = expr.t === 'group' && expr.list.length === 1 ? expr.list[0] : expr;
    if (only?.t === 'regex') {
      const { source } = only;
      return { code: { run: () => '' }, regex: machine.constantRegex(source, flags) };
    }
    return { code: this.code(expr), regex: (value) => machine.regex(machine.text(value), flags) };
  }

  /** Compiles a change of a place: `f` returns the new value and the value of the whole expression. */
  #change(
    to: LValue,
    value: Code,
    f: (before: Value, value: Value) => readonly [after: Value, worth: Value],
  ): Code {
    const place = this.place(to);
    const apply = (spot: Reference, given: Value): Value => {
      const [after, worth] = f(spot.get(), given);
      spot.set(after);
      return worth;
    };
    if (!place.resolveLater && !value.later)
      return {
        run() {
          const given = value.run();
          return apply(place.resolve(), given);
        },
      };
    return waiting(async () => {
      const given = await valueOf(value);
      return apply(place.resolveLater ? await place.resolveLater() : place.resolve(), given);
    });
  }

  code(expr: Expr): Code {
    const { machine } = this;
    switch (expr.t) {
      case 'number':
      case 'string': {
        const { value } = expr;
        return { run: () => value };
      }
      case 'regex': {
        const { source } = expr;
        const regex = machine.constantRegex(source);
        return { run: () => (regex().test(machine.record) ? 1 : 0) };
      }
      case 'var':
      case 'index':
      case 'field': {
        const { run, later } = this.place(expr);
        return later ? { run, later } : { run };
      }
      case 'group': {
        const [only] = expr.list;
        if (expr.list.length !== 1 || !only)
          throw fatal('syntax error: a list stands where a value is meant');
        return this.code(only);
      }
      case 'assign': {
        const value = this.code(expr.value);
        if (expr.op === '') return this.#change(expr.to, value, (_before, given) => [given, given]);
        const operate = ARITHMETIC[expr.op] ?? never;
        return this.#change(expr.to, value, (before, given) => {
          const after = operate(numberOf(before), numberOf(given));
          return [after, after];
        });
      }
      case 'step':
        return this.#change(expr.to, { run: () => undefined }, (value) => {
          const before = numberOf(value);
          const after = before + expr.by;
          return [after, expr.prefix ? after : before];
        });
      case 'choice':
        return this.#choose(this.code(expr.test), this.code(expr.yes), this.code(expr.no));
      case 'and':
        return this.#choose(this.code(expr.a), this.#truth(this.code(expr.b)), { run: () => 0 });
      case 'or':
        return this.#choose(this.code(expr.a), { run: () => 1 }, this.#truth(this.code(expr.b)));
      case 'in': {
        const array = this.array(expr.name);
        return over([this.key(expr.subs)], (key) => (array().has(machine.text(key)) ? 1 : 0));
      }
      case 'match': {
        const { code, regex } = this.regex(expr.b);
        const { negated } = expr;
        return over([this.code(expr.a), code], (text, pattern) =>
          regex(pattern).test(machine.text(text)) === negated ? 0 : 1,
        );
      }
      case 'unary': {
        const a = this.code(expr.a);
        if (expr.op === '!') return over([a], (value) => (isTrue(value) ? 0 : 1));
        return expr.op === '-' ? over([a], (value) => -numberOf(value)) : over([a], numberOf);
      }
      case 'binary':
        return this.#binary(expr.op, this.code(expr.a), this.code(expr.b));
      case 'call':
        return this.#call(expr.name, expr.args);
      case 'builtin':
        return this.#builtin(expr.name, expr.args);
      case 'getline':
        return this.#getline(expr);
    }
  }

  #truth(code: Code): Code {
    return over([code], (value) => (isTrue(value) ? 1 : 0));
  }

  #choose(test: Code, yes: Code, no: Code): Code {
    if (!test.later && !yes.later && !no.later)
      return { run: () => (isTrue(test.run()) ? yes.run() : no.run()) };
    return waiting(async () => (isTrue(await valueOf(test)) ? await valueOf(yes) : await valueOf(no)));
  }

  #binary(op: string, a: Code, b: Code): Code {
    const { machine } = this;
    switch (op) {
      case ' ':
        return over([a, b], (x, y) => machine.text(x) + machine.text(y));
      case '<':
        return over([a, b], (x, y) => (compare(x, y, machine.convert) < 0 ? 1 : 0));
      case '<=':
        return over([a, b], (x, y) => (compare(x, y, machine.convert) <= 0 ? 1 : 0));
      case '==':
        return over([a, b], (x, y) => (compare(x, y, machine.convert) === 0 ? 1 : 0));
      case '!=':
        return over([a, b], (x, y) => (compare(x, y, machine.convert) !== 0 ? 1 : 0));
      case '>':
        return over([a, b], (x, y) => (compare(x, y, machine.convert) > 0 ? 1 : 0));
      case '>=':
        return over([a, b], (x, y) => (compare(x, y, machine.convert) >= 0 ? 1 : 0));
    }
    const operate = ARITHMETIC[op] ?? never;
    return over([a, b], (x, y) => operate(numberOf(x), numberOf(y)));
  }

  #call(name: string, args: readonly Expr[]): Code {
    const callable = this.functions.get(name);
    if (!callable) throw fatal(`function \`${name}' not defined`);
    const isArray = this.#arrays.get(name) ?? [];
    if (args.length > callable.made.parameters.length)
      throw fatal(`function \`${name}' called with more arguments than declared`);
    const given = args.map((arg, at) => {
      const inner = arg.t === 'group' && arg.list.length === 1 ? arg.list[0] : arg;
      if (isArray[at] && inner?.t === 'var') return { array: this.array(inner.name) };
      return { code: this.code(arg) };
    });
    const waits = callable.waits || given.some(({ code }) => code?.later);
    if (!waits)
      return { run: () => callable.run(given.map(({ array, code }) => (array ? array() : code.run()))) };
    return waiting(async () => {
      const values: (Value | AwkArray)[] = [];
      for (const { array, code } of given) values.push(array ? array() : await valueOf(code));
      return callable.later(values);
    });
  }

  #nameOf(expr: Expr | undefined): string {
    const inner = expr?.t === 'group' ? expr.list[0] : expr;
    if (inner?.t !== 'var') throw fatal('an array is needed here');
    return inner.name;
  }

  #builtin(name: string, args: readonly Expr[]): Code {
    const { machine } = this;
    const codes = () => args.map((arg) => this.code(arg));
    switch (name) {
      case 'length':
        return this.#length(args);
      case 'split':
      case 'patsplit':
        return this.#split(name, args);
      case 'sub':
      case 'gsub':
        return this.#sub(name, args);
      case 'gensub':
        return this.#gensub(args);
      case 'match':
        return this.#match(args);
      case 'asort':
      case 'asorti':
        return this.#sort(name, args);
      case 'isarray':
      case 'typeof':
        return this.#typeOf(name, args);
      case 'rand':
        return { run: () => random(machine) };
      case 'srand':
        return over(codes(), (seed) => seeded(machine, seed));
      case 'close':
        return this.#outside(codes(), (target) => machine.streams.close(machine.text(target)));
      case 'system':
        return this.#outside(codes(), (command) => machine.streams.system(machine.text(command)));
      case 'fflush':
        return this.#outside(codes(), async () => (await machine.streams.flush(), 0));
    }
    const plain = PLAIN[name];
    if (!plain) throw fatal(`function \`${name}' not defined`);
    return over(codes(), (...values) => plain(machine, ...values));
  }

  #length([first]: readonly Expr[]): Code {
    const { machine } = this;
    if (!first) return { run: () => lengthOf(machine.record) };
    const inner = first.t === 'group' ? first.list[0] : first;
    if (inner?.t !== 'var') return over([this.code(first)], (text) => lengthOf(machine.text(text)));
    const code = this.code(inner);
    const found = this.#variable(inner.name);
    return {
      run() {
        const value = found();
        return value instanceof Map ? value.size : lengthOf(machine.text(code.run()));
      },
    };
  }

  /** Returns a function that finds the variable or parameter of this name, which may be an array. */
  #variable(name: string): () => Value | AwkArray {
    const { machine } = this;
    const parameter = this.#parameters.indexOf(name);
    if (parameter >= 0) return () => machine.frame[parameter];
    const slot = this.slot(name);
    return () => machine.globals[slot];
  }

  #sub(name: string, [pattern, by, into]: readonly Expr[]): Code {
    const { machine } = this;
    if (!pattern || !by) throw fatal(`${name} needs an expression and a text`);
    const { code, regex } = this.regex(pattern);
    const target: LValue =
      into && (into.t === 'var' || into.t === 'index' || into.t === 'field')
        ? into
        : { t: 'field', of: { t: 'number', value: 0 } };
    const isPlace = !into || target === into;
    const place = isPlace ? this.place(target) : undefined;
    const text = this.code(into ?? target);
    return over([code, this.code(by), text], (found, replacement, given) => {
      const [after, count] = replaceIn(
        machine.text(given),
        regex(found),
        machine.text(replacement),
        name === 'gsub',
      );
      if (count > 0) place?.resolve().set(after);
      return count;
    });
  }

  #gensub([pattern, by, how, given]: readonly Expr[]): Code {
    const { machine } = this;
    if (!pattern || !by || !how) throw fatal('gensub needs three arguments');
    const { code, regex } = this.regex(pattern);
    const text = given ? this.code(given) : { run: () => machine.record };
    return over([code, this.code(by), this.code(how), text], (found, replacement, which, target) =>
      gensub(machine.text(target), regex(found), machine.text(replacement), machine.text(which)),
    );
  }

  #match([given, pattern, into]: readonly Expr[]): Code {
    const { machine } = this;
    if (!given || !pattern) throw fatal('match needs a text and an expression');
    const { code, regex } = this.regex(pattern);
    const groups = into ? this.array(this.#nameOf(into)) : undefined;
    return over([this.code(given), code], (text, found) =>
      matchIn(machine, machine.text(text), regex(found), groups?.()),
    );
  }

  #sort(name: string, [source, into, order]: readonly Expr[]): Code {
    const { machine } = this;
    const from = this.array(this.#nameOf(source));
    const to = into ? this.array(this.#nameOf(into)) : from;
    return over(order ? [this.code(order)] : [], (how) =>
      sortInto(from(), to(), name === 'asorti', how === undefined ? '' : machine.text(how)),
    );
  }

  #typeOf(name: string, [first]: readonly Expr[]): Code {
    const found = first?.t === 'var' ? this.#variable(first.name) : () => undefined;
    const isArray = () => found() instanceof Map;
    if (name === 'isarray') return { run: () => (isArray() ? 1 : 0) };
    const code = first ? this.code(first) : { run: () => undefined };
    return { run: () => (isArray() ? 'array' : kindOf(code.run())) };
  }

  #outside(codes: readonly Code[], f: (value: Value) => Promise<number>): Code {
    return waiting(async () => {
      const [first] = codes;
      return f(first && (await valueOf(first)));
    });
  }

  #split(name: string, [text, into, by, separators]: readonly Expr[]): Code {
    const { machine } = this;
    if (!text) throw fatal(`${name} needs a text`);
    const array = this.array(this.#nameOf(into));
    const kept = separators ? this.array(this.#nameOf(separators)) : undefined;
    const isPattern = by?.t === 'regex';
    const { code, regex } = by
      ? this.regex(by)
      : {
          code: { run: () => machine.known('FS') },
          regex: () => /(?:)/g,
        };
    return over([this.code(text), code], (given, pattern) => {
      const whole = machine.text(given);
      const found: string[] = [];
      if (name === 'patsplit') {
        const pieces = [...whole.matchAll(regex(pattern))].map(([piece]) => piece);
        return fill(
          array(),
          pieces.map((piece) => new Field(piece)),
        );
      }
      const pieces = machine.splitBy(whole, isPattern ? regex(pattern) : machine.text(pattern), found);
      if (kept) fill(kept(), found);
      return fill(
        array(),
        pieces.map((piece) => new Field(piece)),
      );
    });
  }

  #getline(expr: Extract<Expr, { t: 'getline' }>): Code {
    const { machine } = this;
    const { from } = expr;
    const source = expr.source ? this.code(expr.source) : undefined;
    const place = expr.to ? this.place(expr.to) : undefined;
    const count = (...names: ('NR' | 'FNR')[]) => {
      for (const name of names) {
        const value = machine.globals[SLOT[name]];
        machine.globals[SLOT[name]] = (value instanceof Map ? 0 : numberOf(value)) + 1;
      }
    };
    return waiting(async () => {
      if (from === 'main') {
        const before = place && machine.record;
        if (!(await machine.nextRecord())) return 0;
        if (!place) return 1;
        const line = machine.record;
        machine.setRecord(before ?? '');
        place.resolve().set(new Field(line));
        return 1;
      }
      const name = machine.text(source && (await valueOf(source)));
      const reader = await machine.streams.input(from, name);
      if (!reader) return -1;
      const record = await reader.next(machine.recordEnd);
      if (!record) return 0;
      if (from === 'command') count('NR');
      if (place)
        (place.resolveLater ? await place.resolveLater() : place.resolve()).set(new Field(record.text));
      else machine.setRecord(record.text);
      return 1;
    });
  }
}

function scalar(value: Value | AwkArray): Value {
  if (value instanceof Map) throw fatal('attempt to use an array in a scalar context');
  return value;
}

function kindOf(value: Value): string {
  if (value === undefined) return 'untyped';
  if (typeof value === 'object') return value.number === null ? 'string' : 'strnum';
  return typeof value;
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/'(a, b) {
    if (b === 0) throw fatal('division by zero attempted');
    return a / b;
  },
  '%'(a, b) {
    if (b === 0) throw fatal("division by zero attempted in `%'");
    return a % b;
  },
  '^': (a, b) => a ** b,
};

const seeds = new WeakMap<AwkMachine, { seed: number; state: number }>();

function seedsOf(machine: AwkMachine) {
  let found = seeds.get(machine);
  if (!found) seeds.set(machine, (found = { seed: 0, state: 0x9e3779b9 }));
  return found;
}

/** Returns the same numbers in every run unless srand is called. */
function random(machine: AwkMachine): number {
  const seed = seedsOf(machine);
  seed.state = (seed.state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed.state ^ (seed.state >>> 15), 1 | seed.state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

function seeded(machine: AwkMachine, value: Value): number {
  const seed = seedsOf(machine);
  const before = seed.seed;
  seed.seed = value === undefined ? Math.floor(Date.now() / 1000) : numberOf(value);
  seed.state = seed.seed | 0;
  return before;
}
