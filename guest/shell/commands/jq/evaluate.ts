import { applyFormat } from './formats.ts';
import { compare, isTrue, JqError, kind, printed, type Json, type JsonObject } from './json.ts';
import type { Definition, Pattern, Term } from './parse.ts';

/** A value, and the way to it where that is asked for. */
export interface At {
  readonly value: Json;
  readonly path?: readonly Json[] | undefined;
}

type Stream = Generator<At, void, undefined>;

interface Closure {
  readonly body: Term;
  readonly parameters: readonly string[];
  readonly scope: Scope | undefined;
  /** A definition sees itself; an argument does not. */
  readonly isDefinition: boolean;
}

/** Names seen from a place of the program. */
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

/** Built-in functions of values, by `name/arity`; every combination of arguments is tried. */
export type Natives = ReadonlyMap<string, Native>;

function isClosure(value: Json | Closure): value is Closure {
  return typeof value === 'object' && value !== null && 'body' in value;
}

export class JqMachine {
  readonly natives: Natives;
  readonly environment: JsonObject;
  /** What is left of the input. */
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

  *run(term: Term, scope: Scope | undefined, input: At): Stream {
    switch (term.t) {
      case 'identity':
        yield input;
        return;
      case 'recurse':
        yield* this.#recurse(input);
        return;
      case 'value':
        yield plain(term.value, input);
        return;
      case 'string':
        for (const text of this.#string(term.parts, term.format, scope, input.value, 0, ''))
          yield plain(text, input);
        return;
      case 'format':
        yield plain(applyFormat(term.name, input.value), input);
        return;
      case 'index':
        for (const of of this.run(term.of, scope, input))
          for (const key of this.values(term.key, scope, input.value)) yield indexed(of, key);
        return;
      case 'slice':
        for (const of of this.run(term.of, scope, input))
          for (const to of term.to ? this.values(term.to, scope, input.value) : [null])
            for (const from of term.from ? this.values(term.from, scope, input.value) : [null])
              yield sliced(of, from, to);
        return;
      case 'iterate':
        for (const of of this.run(term.of, scope, input)) yield* iterated(of);
        return;
      case 'try':
        yield* this.#try(term.body, term.handler, scope, input);
        return;
      case 'pipe':
        for (const between of this.run(term.a, scope, input)) yield* this.run(term.b, scope, between);
        return;
      case 'comma':
        yield* this.run(term.a, scope, input);
        yield* this.run(term.b, scope, input);
        return;
      case 'alternative':
        yield* this.#alternative(term.a, term.b, scope, input);
        return;
      case 'and':
      case 'or':
        for (const a of this.values(term.a, scope, input.value)) {
          if (isTrue(a) === (term.t === 'or')) yield plain(term.t === 'or', input);
          else for (const b of this.values(term.b, scope, input.value)) yield plain(isTrue(b), input);
        }
        return;
      case 'binary':
        for (const b of this.values(term.b, scope, input.value))
          for (const a of this.values(term.a, scope, input.value)) yield plain(operate(term.op, a, b), input);
        return;
      case 'negate':
        for (const a of this.values(term.a, scope, input.value)) {
          if (typeof a !== 'number') throw new JqError(`${kind(a)} (${brief(a)}) cannot be negated`);
          yield plain(-a, input);
        }
        return;
      case 'update':
        yield* this.#update(term, scope, input);
        return;
      case 'array':
        yield plain(term.of ? [...this.values(term.of, scope, input.value)] : [], input);
        return;
      case 'object':
        for (const object of this.#object(term.entries, 0, scope, input.value)) yield plain(object, input);
        return;
      case 'variable':
        yield plain(this.variable(term.name, scope), input);
        return;
      case 'call':
        yield* this.#call(term.name, term.args, scope, input);
        return;
      case 'if':
        for (const test of this.values(term.test, scope, input.value)) {
          if (isTrue(test)) yield* this.run(term.yes, scope, input);
          else if (term.no) yield* this.run(term.no, scope, input);
          else yield input;
        }
        return;
      case 'as':
        for (const value of this.values(term.source, scope, input.value)) {
          const [first] = term.patterns;
          if (!first) return;
          for (const bound of this.#bind(first, value, scope, input.value))
            yield* this.run(term.body, bound, input);
        }
        return;
      case 'reduce':
        yield* this.#reduce(term, scope, input);
        return;
      case 'foreach':
        yield* this.#foreach(term, scope, input);
        return;
      case 'define':
        yield* this.run(term.body, define(term.made, scope), input);
        return;
      case 'label': {
        const label = new Map<string, Json>();
        try {
          yield* this.run(term.body, new Scope(`*${term.name}`, label, scope), input);
        } catch (error) {
          if (!(error instanceof Break) || error.label !== label) throw error;
        }
        return;
      }
      case 'break': {
        const label = lookup(`*${term.name}`, scope);
        if (label instanceof Map) throw new Break(label);
        throw new JqError(`$*label-${term.name} is not defined`);
      }
    }
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
      yield plain(state, input);
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
            if (!show) yield plain(next, input);
            else for (const shown of this.values(show, bound, next)) yield plain(shown, input);
          }
    }
  }

  /** All ways that a term goes from a value. */
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
      yield plain(withoutPaths(result, removed), input);
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
      yield plain(result, input);
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
      for (const value of native(this, input.value, given)) yield plain(value, input);
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

  /** Functions that look at their argument as a program, or pass ways on. */
  #special(key: string, args: readonly Term[], scope: Scope | undefined, input: At): Stream | undefined {
    const [first, second] = args;
    switch (key) {
      case 'empty/0':
        return none();
      case 'error/0':
        throw new JqError(input.value);
      case 'path/1':
        return first && this.#mapped(this.paths(first, scope, input.value), input);
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
        return (
          first && one(plain(this.run(first, scope, { value: input.value }).next().done === true, input))
        );
      case 'delpaths/1':
        return undefined;
      case 'input_line_number/0':
        return one(plain(0, input));
      default:
        return undefined;
    }
  }

  *#mapped(paths: Iterable<readonly Json[]>, input: At): Stream {
    for (const path of paths) yield plain([...path], input);
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

/** A value that is no place in the input: only constants may stand where ways are asked for. */
function plain(value: Json, _input: At): At {
  return { value };
}

export function brief(value: Json): string {
  const text = printed(value);
  return text.length > 11 ? `${text.slice(0, 10)}...` : text;
}

export function indexed({ value, path }: At, key: Json): At {
  const way = path && [...path, key];
  if (value === null && (typeof key === 'string' || typeof key === 'number' || key === null))
    return { value: null, path: way };
  if (value instanceof Map && typeof key === 'string') return { value: value.get(key) ?? null, path: way };
  if (Array.isArray(value) && typeof key === 'number') {
    const at = Math.floor(key);
    return { value: value[at < 0 ? at + value.length : at] ?? null, path: way };
  }
  if (Array.isArray(value) && Array.isArray(key)) {
    const found = value.flatMap((_item, at) =>
      compare(value.slice(at, at + key.length), key) === 0 && key.length > 0 ? [at] : [],
    );
    return { value: found, path: way };
  }
  if (key instanceof Map && (value === null || Array.isArray(value)))
    return sliced({ value, path }, key.get('start') ?? null, key.get('end') ?? null);
  if (typeof key === 'string') throw new JqError(`Cannot index ${kind(value)} with "${key}"`);
  throw new JqError(`Cannot index ${kind(value)} with ${kind(key)}`);
}

function bounds(length: number, from: Json, to: Json): [number, number] {
  const place = (value: Json, instead: number, round: (x: number) => number) => {
    if (value === null) return instead;
    if (typeof value !== 'number')
      throw new JqError('Start and end indices of an array slice must be numbers');
    const at = round(value);
    return Math.min(length, Math.max(0, at < 0 ? at + length : at));
  };
  return [place(from, 0, Math.floor), place(to, length, Math.ceil)];
}

function sliced({ value, path }: At, from: Json, to: Json): At {
  const way = path && [
    ...path,
    new Map<string, Json>([
      ['start', from],
      ['end', to],
    ]),
  ];
  if (value === null) return { value: null, path: way };
  if (typeof value === 'string') {
    const chars = [...value];
    return { value: chars.slice(...bounds(chars.length, from, to)).join(''), path: way };
  }
  if (!Array.isArray(value)) throw new JqError(`Cannot index ${kind(value)} with object`);
  return { value: value.slice(...bounds(value.length, from, to)), path: way };
}

function* iterated({ value, path }: At): Stream {
  if (Array.isArray(value))
    for (const [at, item] of value.entries()) yield { value: item, path: path && [...path, at] };
  else if (value instanceof Map)
    for (const [key, item] of value) yield { value: item, path: path && [...path, key] };
  else throw new JqError(`Cannot iterate over ${kind(value)}${value === null ? '' : ` (${brief(value)})`}`);
}

export function pathValue(value: Json, path: readonly Json[]): Json {
  let found: Json = value;
  for (const key of path) {
    if (found === null) return null;
    found = indexed({ value: found }, key).value;
  }
  return found;
}

export function withPath(value: Json, path: readonly Json[], after: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return after;
  const inner = withPath(indexed({ value }, key).value, rest, after);
  if (typeof key === 'string') {
    const made: JsonObject = new Map(value instanceof Map ? value : []);
    return made.set(key, inner);
  }
  const list = Array.isArray(value) ? [...value] : [];
  if (typeof key === 'number') {
    const at = key < 0 ? key + list.length : key;
    if (at < 0) throw new JqError('Out of bounds negative array index');
    while (list.length < at) list.push(null);
    list[at] = inner;
    return list;
  }
  if (key instanceof Map) {
    const [from, to] = bounds(list.length, key.get('start') ?? null, key.get('end') ?? null);
    if (!Array.isArray(inner)) throw new JqError('A slice of an array can only be assigned another array');
    list.splice(from, Math.max(0, to - from), ...inner);
    return list;
  }
  throw new JqError(`Invalid path component`);
}

export function withoutPaths(value: Json, paths: readonly (readonly Json[])[]): Json {
  const order = [...paths].sort((a, b) => compare([...b], [...a]));
  return order.reduce<Json>((result, path) => withoutPath(result, path), value);
}

function withoutPath(value: Json, [key, ...rest]: readonly Json[]): Json {
  if (value === null || key === undefined) return null;
  if (rest.length > 0) {
    const inner = indexed({ value }, key).value;
    return inner === null ? value : withPath(value, [key], withoutPath(inner, rest));
  }
  if (value instanceof Map && typeof key === 'string') {
    const made = new Map(value);
    made.delete(key);
    return made;
  }
  if (Array.isArray(value) && typeof key === 'number') {
    const at = key < 0 ? key + value.length : key;
    return value.filter((_item, i) => i !== at);
  }
  if (Array.isArray(value) && key instanceof Map) {
    const [from, to] = bounds(value.length, key.get('start') ?? null, key.get('end') ?? null);
    return value.filter((_item, i) => i < from || i >= to);
  }
  throw new JqError(`Cannot delete field at ${kind(key)} index of ${kind(value)}`);
}

function merged(a: JsonObject, b: JsonObject): JsonObject {
  const made = new Map(a);
  for (const [key, value] of b) {
    const before = made.get(key);
    made.set(key, before instanceof Map && value instanceof Map ? merged(before, value) : value);
  }
  return made;
}

export function operate(op: string, a: Json, b: Json): Json {
  switch (op) {
    case '==':
      return compare(a, b) === 0;
    case '!=':
      return compare(a, b) !== 0;
    case '<':
      return compare(a, b) < 0;
    case '<=':
      return compare(a, b) <= 0;
    case '>':
      return compare(a, b) > 0;
    case '>=':
      return compare(a, b) >= 0;
    case '+':
      if (a === null) return b;
      if (b === null) return a;
      if (typeof a === 'number' && typeof b === 'number') return a + b;
      if (typeof a === 'string' && typeof b === 'string') return a + b;
      if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
      if (a instanceof Map && b instanceof Map) return new Map([...a, ...b]);
      throw cannot(a, b, 'added');
    case '-':
      if (typeof a === 'number' && typeof b === 'number') return a - b;
      if (Array.isArray(a) && Array.isArray(b))
        return a.filter((item) => !b.some((other) => compare(item, other) === 0));
      throw cannot(a, b, 'subtracted');
    case '*':
      if (typeof a === 'number' && typeof b === 'number') return a * b;
      if (typeof a === 'string' && typeof b === 'number')
        return b <= 0 ? null : a.repeat(Math.max(1, Math.ceil(b)));
      if (typeof a === 'number' && typeof b === 'string') return operate(op, b, a);
      if (a instanceof Map && b instanceof Map) return merged(a, b);
      throw cannot(a, b, 'multiplied');
    case '/':
      if (typeof a === 'number' && typeof b === 'number') {
        if (b === 0) throw cannot(a, b, 'divided because the divisor is zero');
        return a / b;
      }
      if (typeof a === 'string' && typeof b === 'string') return a === '' ? [] : a.split(b);
      throw cannot(a, b, 'divided');
    case '%': {
      if (typeof a !== 'number' || typeof b !== 'number') throw cannot(a, b, 'divided');
      const by = Math.abs(Math.trunc(b));
      if (by === 0) throw cannot(a, b, 'divided because the divisor is zero');
      return Math.trunc(a) % by;
    }
  }
  throw new JqError(`unknown operator ${op}`);
}

function cannot(a: Json, b: Json, what: string): JqError {
  return new JqError(`${kind(a)} (${brief(a)}) and ${kind(b)} (${brief(b)}) cannot be ${what}`);
}
