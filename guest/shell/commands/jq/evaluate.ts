import { applyFormat } from './formats.ts';
import { brief, isTrue, JqError, kind, type Json, type JsonObject } from './json.ts';
import { operate } from './operators.ts';
import type { Definition, Pattern, Term } from './parse.ts';
import { indexed, iterated, pathValue, sliced, withoutPaths, withPath, type At } from './paths.ts';

type Stream = Generator<At, void, undefined>;
type TermOf<T extends Term['t']> = Extract<Term, { t: T }>;

interface Closure {
  readonly body: Term;
  readonly parameters: readonly string[];
  readonly scope: Scope | undefined;
  /** A definition is visible in its own body; an argument is not. */
  readonly isDefinition: boolean;
}

/** A name that is visible at a place of the program, linked to the scope around it. */
export class Scope {
  readonly name: string;
  readonly value: Json | Closure;
  readonly outer: Scope | undefined;

  constructor(name: string, value: Json | Closure, outer: Scope | undefined) {
    this.name = name;
    this.value = value;
    this.outer = outer;
  }
}

class Break extends Error {
  readonly label: object;

  constructor(label: object) {
    super('break');
    this.label = label;
  }
}

export type Native = (machine: JqMachine, input: Json, args: readonly Json[]) => Iterable<Json>;

/** Built-in functions by `name/arity`. They run for every combination of argument values. */
export type Natives = ReadonlyMap<string, Native>;

function isClosure(value: Json | Closure): value is Closure {
  return typeof value === 'object' && value !== null && 'body' in value;
}

export class JqMachine {
  readonly natives: Natives;
  readonly environment: JsonObject;
  /** The remaining input values. */
  readonly inputs: Iterator<Json>;
  readonly zone: string;
  readonly named: JsonObject;
  readonly positional: readonly Json[];

  constructor(setting: {
    readonly natives: Natives;
    readonly environment: JsonObject;
    readonly inputs: Iterator<Json>;
    readonly zone: string;
    readonly named: JsonObject;
    readonly positional: readonly Json[];
  }) {
    this.natives = setting.natives;
    this.environment = setting.environment;
    this.inputs = setting.inputs;
    this.zone = setting.zone;
    this.named = setting.named;
    this.positional = setting.positional;
  }

  *values(term: Term, scope: Scope | undefined, input: Json): Generator<Json, void, undefined> {
    for (const { value } of this.run(term, scope, { value: input })) yield value;
  }

  run(term: Term, scope: Scope | undefined, input: At): Stream {
    switch (term.t) {
      case 'identity':
        return this.#identity(input);
      case 'recurse':
        return this.#recurse(input);
      case 'value':
      case 'string':
      case 'format':
      case 'array':
      case 'object':
      case 'variable':
        return this.#construct(term, scope, input);
      case 'index':
        return this.#index(term, scope, input);
      case 'slice':
        return this.#slice(term, scope, input);
      case 'iterate':
        return this.#iterate(term, scope, input);
      case 'try':
        return this.#try(term.body, term.handler, scope, input);
      case 'pipe':
        return this.#pipe(term.a, term.b, scope, input);
      case 'comma':
        return this.#comma(term.a, term.b, scope, input);
      case 'alternative':
        return this.#alternative(term.a, term.b, scope, input);
      case 'and':
        return this.#logical(term.a, term.b, false, scope, input);
      case 'or':
        return this.#logical(term.a, term.b, true, scope, input);
      case 'binary':
        return this.#binary(term, scope, input);
      case 'negate':
        return this.#negate(term, scope, input);
      case 'update':
        return this.#update(term, scope, input);
      case 'call':
        return this.#call(term.name, term.args, scope, input);
      case 'if':
        return this.#if(term, scope, input);
      case 'as':
        return this.#as(term, scope, input);
      case 'reduce':
        return this.#reduce(term, scope, input);
      case 'foreach':
        return this.#foreach(term, scope, input);
      case 'define':
        return this.run(term.body, define(term.made, scope), input);
      case 'label':
        return this.#label(term, scope, input);
      case 'break':
        return this.#break(term, scope);
    }
  }

  *#identity(input: At): Stream {
    yield input;
  }

  /** Terms that make values, which have no paths. */
  *#construct(
    term: TermOf<'value' | 'string' | 'format' | 'array' | 'object' | 'variable'>,
    scope: Scope | undefined,
    input: At,
  ): Stream {
    switch (term.t) {
      case 'value':
        yield plain(term.value);
        return;
      case 'string':
        for (const text of this.#string(term.parts, term.format, scope, input.value, 0, ''))
          yield plain(text);
        return;
      case 'format':
        yield plain(applyFormat(term.name, input.value));
        return;
      case 'array':
        yield plain(term.of ? [...this.values(term.of, scope, input.value)] : []);
        return;
      case 'object':
        for (const object of this.#object(term.entries, 0, scope, input.value)) yield plain(object);
        return;
      case 'variable':
        yield plain(this.variable(term.name, scope));
    }
  }

  *#index(term: TermOf<'index'>, scope: Scope | undefined, input: At): Stream {
    for (const of of this.run(term.of, scope, input))
      for (const key of this.values(term.key, scope, input.value)) yield indexed(of, key);
  }

  *#slice(term: TermOf<'slice'>, scope: Scope | undefined, input: At): Stream {
    for (const of of this.run(term.of, scope, input))
      for (const to of term.to ? this.values(term.to, scope, input.value) : [null])
        for (const from of term.from ? this.values(term.from, scope, input.value) : [null])
          yield sliced(of, from, to);
  }

  *#iterate(term: TermOf<'iterate'>, scope: Scope | undefined, input: At): Stream {
    for (const of of this.run(term.of, scope, input)) yield* iterated(of);
  }

  *#pipe(a: Term, b: Term, scope: Scope | undefined, input: At): Stream {
    for (const between of this.run(a, scope, input)) yield* this.run(b, scope, between);
  }

  *#comma(a: Term, b: Term, scope: Scope | undefined, input: At): Stream {
    yield* this.run(a, scope, input);
    yield* this.run(b, scope, input);
  }

  /** `and` and `or`: a left value equal to `decides` is the result, and the right side is not evaluated. */
  *#logical(left: Term, right: Term, decides: boolean, scope: Scope | undefined, input: At): Stream {
    for (const a of this.values(left, scope, input.value)) {
      if (isTrue(a) === decides) yield plain(decides);
      else for (const b of this.values(right, scope, input.value)) yield plain(isTrue(b));
    }
  }

  *#binary(term: TermOf<'binary'>, scope: Scope | undefined, input: At): Stream {
    for (const b of this.values(term.b, scope, input.value))
      for (const a of this.values(term.a, scope, input.value)) yield plain(operate(term.op, a, b));
  }

  *#negate(term: TermOf<'negate'>, scope: Scope | undefined, input: At): Stream {
    for (const a of this.values(term.a, scope, input.value)) {
      if (typeof a !== 'number') throw new JqError(`${kind(a)} (${brief(a)}) cannot be negated`);
      yield plain(-a);
    }
  }

  *#if(term: TermOf<'if'>, scope: Scope | undefined, input: At): Stream {
    for (const test of this.values(term.test, scope, input.value)) {
      if (isTrue(test)) yield* this.run(term.yes, scope, input);
      else if (term.no) yield* this.run(term.no, scope, input);
      else yield input;
    }
  }

  *#as(term: TermOf<'as'>, scope: Scope | undefined, input: At): Stream {
    for (const value of this.values(term.source, scope, input.value)) {
      const [first] = term.patterns;
      if (!first) return;
      for (const bound of this.#bind(first, value, scope, input.value))
        yield* this.run(term.body, bound, input);
    }
  }

  *#label(term: TermOf<'label'>, scope: Scope | undefined, input: At): Stream {
    const label = new Map<string, Json>();
    try {
      yield* this.run(term.body, new Scope(`*${term.name}`, label, scope), input);
    } catch (error) {
      if (!(error instanceof Break) || error.label !== label) throw error;
    }
  }

  *#break(term: TermOf<'break'>, scope: Scope | undefined): Stream {
    const label = lookup(`*${term.name}`, scope);
    if (label instanceof Map) throw new Break(label);
    throw new JqError(`$*label-${term.name} is not defined`);
  }

  variable(name: string, scope: Scope | undefined): Json {
    if (name === '$ENV') return this.environment;
    const found = lookup(name, scope);
    if (found !== undefined && !isClosure(found)) return found;
    if (name === '$__prog_args') return [...this.positional];
    if (name === '$ARGS')
      return new Map<string, Json>([
        ['positional', [...this.positional]],
        ['named', this.named],
      ]);
    throw new JqError(`${name} is not defined`);
  }

  *#recurse(input: At): Stream {
    yield input;
    if (Array.isArray(input.value) || input.value instanceof Map)
      for (const inner of iterated(input)) yield* this.#recurse(inner);
  }

  *#string(
    parts: readonly (string | Term)[],
    format: string,
    scope: Scope | undefined,
    input: Json,
    at: number,
    before: string,
  ): Generator<string, void, undefined> {
    const part = parts[at];
    if (part === undefined) yield before;
    else if (typeof part === 'string')
      yield* this.#string(parts, format, scope, input, at + 1, before + part);
    else
      for (const value of this.values(part, scope, input))
        yield* this.#string(parts, format, scope, input, at + 1, before + applyFormat(format, value));
  }

  *#try(body: Term, handler: Term | undefined, scope: Scope | undefined, input: At): Stream {
    try {
      yield* this.run(body, scope, input);
    } catch (error) {
      if (!(error instanceof JqError)) throw error;
      if (error.value instanceof Map && error.value.has('__jq')) throw error;
      if (handler) yield* this.run(handler, scope, { value: error.value });
    }
  }

  *#alternative(a: Term, b: Term, scope: Scope | undefined, input: At): Stream {
    let any = false;
    try {
      for (const found of this.run(a, scope, input)) {
        if (!isTrue(found.value)) continue;
        any = true;
        yield found;
      }
    } catch (error) {
      if (!(error instanceof JqError)) throw error;
    }
    if (!any) yield* this.run(b, scope, input);
  }

  *#object(
    entries: readonly (readonly [Term, Term])[],
    at: number,
    scope: Scope | undefined,
    input: Json,
  ): Generator<JsonObject, void, undefined> {
    const entry = entries[at];
    if (!entry) {
      yield new Map<string, Json>();
      return;
    }
    for (const key of this.values(entry[0], scope, input)) {
      if (typeof key !== 'string') throw new JqError(`Object keys must be strings`);
      for (const value of this.values(entry[1], scope, input))
        for (const rest of this.#object(entries, at + 1, scope, input)) {
          const made: JsonObject = new Map<string, Json>([[key, value]]);
          for (const [name, one] of rest) made.set(name, one);
          yield made;
        }
    }
  }

  *#bind(
    pattern: Pattern,
    value: Json,
    scope: Scope | undefined,
    input: Json,
  ): Generator<Scope | undefined, void, undefined> {
    if (pattern.t === 'name') {
      yield new Scope(pattern.name, value, scope);
      return;
    }
    if (pattern.t === 'list') {
      const all = (at: number, outer: Scope | undefined): Generator<Scope | undefined, void, undefined> =>
        this.#bindAll(
          pattern.items.length,
          at,
          outer,
          (i) => {
            const item = pattern.items[i];
            return item && { pattern: item, value: indexed({ value }, i).value };
          },
          input,
        );
      yield* all(0, scope);
      return;
    }
    yield* this.#bindEntries(pattern.entries, 0, value, scope, input);
  }

  *#bindAll(
    count: number,
    at: number,
    scope: Scope | undefined,
    pick: (at: number) => { readonly pattern: Pattern; readonly value: Json } | undefined,
    input: Json,
  ): Generator<Scope | undefined, void, undefined> {
    const one = at < count ? pick(at) : undefined;
    if (!one) {
      yield scope;
      return;
    }
    for (const bound of this.#bind(one.pattern, one.value, scope, input))
      yield* this.#bindAll(count, at + 1, bound, pick, input);
  }

  *#bindEntries(
    entries: Extract<Pattern, { t: 'object' }>['entries'],
    at: number,
    value: Json,
    scope: Scope | undefined,
    input: Json,
  ): Generator<Scope | undefined, void, undefined> {
    const entry = entries[at];
    if (!entry) {
      yield scope;
      return;
    }
    const [key, name, inner] = entry;
    for (const one of this.values(key, scope, input)) {
      const found = indexed({ value }, one).value;
      const named = name === undefined ? scope : new Scope(name, found, scope);
      if (!inner) yield* this.#bindEntries(entries, at + 1, value, named, input);
      else
        for (const bound of this.#bind(inner, found, named, input))
          yield* this.#bindEntries(entries, at + 1, value, bound, input);
    }
  }

  *#reduce(term: Extract<Term, { t: 'reduce' | 'foreach' }>, scope: Scope | undefined, input: At): Stream {
    const [start, step] = term.parts;
    if (!start || !step) return;
    for (const first of this.values(start, scope, input.value)) {
      let state: Json = first;
      for (const item of this.values(term.source, scope, input.value))
        for (const bound of this.#bind(term.pattern, item, scope, input.value)) {
          let last: Json = null;
          for (const next of this.values(step, bound, state)) last = next;
          state = last;
        }
      yield plain(state);
    }
  }

  *#foreach(term: Extract<Term, { t: 'reduce' | 'foreach' }>, scope: Scope | undefined, input: At): Stream {
    const [start, step, show] = term.parts;
    if (!start || !step) return;
    for (const first of this.values(start, scope, input.value)) {
      let state: Json = first;
      for (const item of this.values(term.source, scope, input.value))
        for (const bound of this.#bind(term.pattern, item, scope, input.value))
          for (const next of this.values(step, bound, state)) {
            state = next;
            if (!show) yield plain(next);
            else for (const shown of this.values(show, bound, next)) yield plain(shown);
          }
    }
  }

  /** Yields the paths that a term takes from a value. */
  *paths(term: Term, scope: Scope | undefined, input: Json): Generator<readonly Json[], void, undefined> {
    for (const { path } of this.run(term, scope, { value: input, path: [] })) {
      if (!path) throw new JqError('Invalid path expression');
      yield path;
    }
  }

  *#update(term: Extract<Term, { t: 'update' }>, scope: Scope | undefined, input: At): Stream {
    const { op, a, b } = term;
    if (op === '|=') {
      let result = input.value;
      const removed: (readonly Json[])[] = [];
      for (const path of [...this.paths(a, scope, input.value)]) {
        const next = this.values(b, scope, pathValue(result, path)).next();
        if (next.done === true) removed.push(path);
        else result = withPath(result, path, next.value);
      }
      yield plain(withoutPaths(result, removed));
      return;
    }
    for (const value of this.values(b, scope, input.value)) {
      let result = input.value;
      for (const path of [...this.paths(a, scope, input.value)]) {
        const before = pathValue(result, path);
        const after =
          op === '='
            ? value
            : op === '//='
              ? isTrue(before)
                ? before
                : value
              : operate(op.slice(0, -1), before, value);
        result = withPath(result, path, after);
      }
      yield plain(result);
    }
  }

  *#call(name: string, args: readonly Term[], scope: Scope | undefined, input: At): Stream {
    const key = `${name}/${args.length}`;
    for (let at = scope; at; at = at.outer) {
      if (at.name !== key || !isClosure(at.value)) continue;
      yield* this.#apply(at.value, at, args, scope, input);
      return;
    }
    const special = this.#special(key, args, scope, input);
    if (special) {
      yield* special;
      return;
    }
    const native = this.natives.get(key);
    if (!native) throw new JqError(`${key} is not defined`);
    for (const given of this.#combinations(args, 0, scope, input.value))
      for (const value of native(this, input.value, given)) yield plain(value);
  }

  *#combinations(
    args: readonly Term[],
    at: number,
    scope: Scope | undefined,
    input: Json,
  ): Generator<readonly Json[], void, undefined> {
    const arg = args[at];
    if (!arg) {
      yield [];
      return;
    }
    for (const value of this.values(arg, scope, input))
      for (const rest of this.#combinations(args, at + 1, scope, input)) yield [value, ...rest];
  }

  *#apply(
    closure: Closure,
    found: Scope,
    args: readonly Term[],
    caller: Scope | undefined,
    input: At,
  ): Stream {
    let scope = closure.isDefinition ? found : closure.scope;
    const values = closure.parameters
      .map((name, at) => ({ name, arg: args[at] }))
      .filter(({ name }) => name.startsWith('$'));
    closure.parameters.forEach((name, at) => {
      const arg = args[at];
      if (!arg) return;
      const bare = name.replace(/^\$/, '');
      scope = new Scope(
        `${bare}/0`,
        { body: arg, parameters: [], scope: caller, isDefinition: false },
        scope,
      );
    });
    if (values.length === 0) {
      yield* this.run(closure.body, scope, input);
      return;
    }
    const terms = values.map(({ arg }) => arg).filter((arg) => arg !== undefined);
    for (const given of this.#combinations(terms, 0, caller, input.value)) {
      let inner = scope;
      values.forEach(({ name }, at) => (inner = new Scope(name, given[at] ?? null, inner)));
      yield* this.run(closure.body, inner, input);
    }
  }

  /** Runs functions that take their argument as a program, or that pass paths on. */
  #special(key: string, args: readonly Term[], scope: Scope | undefined, input: At): Stream | undefined {
    const [first, second] = args;
    switch (key) {
      case 'empty/0':
        return none();
      case 'error/0':
        throw new JqError(input.value);
      case 'path/1':
        return first && this.#mapped(this.paths(first, scope, input.value));
      case 'getpath/1':
        return first && this.#getpath(first, scope, input);
      case 'select/1':
        return first && this.#select(first, scope, input);
      case 'recurse/0':
        return this.#recurse(input);
      case 'first/1':
        return first && this.#first(first, scope, input);
      case 'limit/2':
        return first && second && this.#limit(first, second, scope, input);
      case 'isempty/1':
        return first && one(plain(this.run(first, scope, { value: input.value }).next().done === true));
      case 'delpaths/1':
        return undefined;
      case 'input_line_number/0':
        return one(plain(0));
      default:
        return undefined;
    }
  }

  *#mapped(paths: Iterable<readonly Json[]>): Stream {
    for (const path of paths) yield plain([...path]);
  }

  *#getpath(arg: Term, scope: Scope | undefined, input: At): Stream {
    for (const path of this.values(arg, scope, input.value)) {
      if (!Array.isArray(path)) throw new JqError('Path must be specified as an array');
      let value: Json;
      try {
        value = pathValue(input.value, path);
      } catch (error) {
        if (!(error instanceof JqError) || input.path) throw error;
        throw error;
      }
      yield { value, path: input.path && [...input.path, ...path] };
    }
  }

  *#select(test: Term, scope: Scope | undefined, input: At): Stream {
    for (const found of this.values(test, scope, input.value)) if (isTrue(found)) yield input;
  }

  *#first(term: Term, scope: Scope | undefined, input: At): Stream {
    for (const found of this.run(term, scope, input)) {
      yield found;
      return;
    }
  }

  *#limit(count: Term, term: Term, scope: Scope | undefined, input: At): Stream {
    for (const most of this.values(count, scope, input.value)) {
      let left = typeof most === 'number' ? most : 0;
      if (left <= 0) continue;
      for (const found of this.run(term, scope, input)) {
        yield found;
        if (--left <= 0) break;
      }
    }
  }
}

function* none(): Stream {}

function* one(at: At): Stream {
  yield at;
}

export function define(made: Definition, scope: Scope | undefined): Scope {
  const { name, parameters, body } = made;
  return new Scope(`${name}/${parameters.length}`, { body, parameters, scope, isDefinition: true }, scope);
}

function lookup(name: string, scope: Scope | undefined): Json | Closure | undefined {
  for (let at = scope; at; at = at.outer) if (at.name === name) return at.value;
  return undefined;
}

/** A value without a path, since it is not a place in the input. */
function plain(value: Json): At {
  return { value };
}
