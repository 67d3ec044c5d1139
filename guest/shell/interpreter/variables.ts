import { evaluate } from './arithmetic.ts';
import { ShellError } from './errors.ts';
import { parseReference, type Reference } from './reference.ts';

export type Attribute = 'exported' | 'readonly' | 'integer' | 'lower' | 'upper' | 'nameref';

export class Variable {
  value: string | undefined;
  /** The elements of an indexed array; holes are unset elements. */
  list: string[] | undefined;
  /** The entries of an associative array. */
  map: Map<string, string> | undefined;
  readonly attributes: Set<Attribute>;
  /** Computes the present value of a variable that the shell provides. */
  compute: ((variables: Variables) => string | string[]) | undefined;
  assigned: ((variables: Variables, value: string) => void) | undefined;

  constructor(value?: string, attributes: Iterable<Attribute> = []) {
    this.value = value;
    this.attributes = new Set(attributes);
  }

  copy(): Variable {
    const copy = new Variable(this.value, this.attributes);
    if (this.list) copy.list = this.list.slice();
    if (this.map) copy.map = new Map(this.map);
    copy.compute = this.compute;
    copy.assigned = this.assigned;
    return copy;
  }

  get isSet(): boolean {
    if (this.compute) return true;
    if (this.list) return this.list.length > 0;
    return this.map ? this.map.size > 0 : this.value !== undefined;
  }
}

type Scope = Map<string, Variable>;

/** The entries of an associative array in bash's order, which follows from its hash table. */
export function inOrder(map: ReadonlyMap<string, string>): [string, string][] {
  let buckets = 1024;
  while (map.size > buckets * 2) buckets *= 4;
  const placed = [...map].map((entry, at) => ({ entry, at, bucket: hashOf(entry[0]) & (buckets - 1) }));
  // Within a bucket, the newest entry comes first.
  return placed.sort((a, b) => a.bucket - b.bucket || b.at - a.at).map(({ entry }) => entry);
}

const encoder = new TextEncoder();

/** The FNV-1 hash, which bash uses. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (const byte of encoder.encode(key)) hash = Math.imul(hash, 0x01000193) ^ byte;
  return hash;
}

/** The variables of one shell: the global ones, and the local ones of its running functions. */
export class Variables {
  #scopes: Scope[];
  /** The cached environment of programs; dropped when an exported variable changes. */
  #exports: ReadonlyMap<string, string> | undefined;
  /** The shell that owns these variables; computed variables read its state. */
  owner: object | undefined;
  /** `set -u`. */
  unsetFails = false;
  /** `set -a`. */
  exportsAll = false;

  constructor(scopes: Scope[] = [new Map()]) {
    this.#scopes = scopes;
  }

  copy(): Variables {
    const copy = new Variables(
      this.#scopes.map((scope) => {
        const own: Scope = new Map();
        for (const [name, variable] of scope) own.set(name, variable.copy());
        return own;
      }),
    );
    copy.exportsAll = this.exportsAll;
    copy.unsetFails = this.unsetFails;
    return copy;
  }

  push(): void {
    this.#scopes.push(new Map());
  }

  pop(): void {
    if ((this.#scopes.pop()?.size ?? 0) > 0) this.#exports = undefined;
  }

  /** Drops all local scopes. */
  keepGlobal(): void {
    this.#scopes.length = 1;
    this.#exports = undefined;
  }

  /** Finds a variable without following namerefs. */
  own(name: string): Variable | undefined {
    for (let at = this.#scopes.length - 1; at >= 0; at--) {
      const variable = this.#scopes[at]?.get(name);
      if (variable) return variable;
    }
    return undefined;
  }

  resolve(name: string): Reference {
    let place: Reference = { name };
    for (let steps = 0; steps < 10; steps++) {
      const variable = this.own(place.name);
      if (!variable?.attributes.has('nameref') || !variable.value) return place;
      const next = parseReference(variable.value);
      if (!next) return place;
      place = next.subscript === undefined ? { ...next, subscript: place.subscript } : next;
    }
    throw new ShellError(`warning: ${name}: circular name reference`);
  }

  find(name: string): Variable | undefined {
    const variable = this.own(name);
    return variable?.attributes.has('nameref') ? this.own(this.resolve(name).name) : variable;
  }

  /** The value of `$name`; for an array, its first element. */
  get(name: string): string | undefined {
    const variable = this.own(name);
    if (!variable) return undefined;
    if (variable.attributes.has('nameref')) {
      const place = this.resolve(name);
      if (place.name === name) return variable.value;
      return place.subscript === undefined ? this.get(place.name) : this.element(place.name, place.subscript);
    }
    if (variable.compute) {
      const value = variable.compute(this);
      return typeof value === 'string' ? value : value[0];
    }
    if (variable.list) return variable.list[0];
    return variable.map ? variable.map.get('0') : variable.value;
  }

  /** Returns one element. The subscript has been expanded already. */
  element(name: string, subscript: string): string | undefined {
    const place = this.resolve(name);
    const variable = this.own(place.name);
    if (!variable) return undefined;
    if (variable.map) return variable.map.get(subscript);
    const list = this.#listOf(variable);
    return list[this.index(variable, subscript, place.name)];
  }

  #listOf(variable: Variable): readonly string[] {
    if (variable.compute) {
      const value = variable.compute(this);
      return typeof value === 'string' ? [value] : value;
    }
    return variable.list ?? (variable.value === undefined ? [] : [variable.value]);
  }

  /** Evaluates a subscript; negative ones count from the end. */
  index(variable: Variable | undefined, subscript: string, name: string): number {
    const plain = /^\d+$/.test(subscript) ? Number(subscript) : Number(evaluate(this, subscript));
    if (plain >= 0) return plain;
    const list = variable ? this.#listOf(variable) : [];
    if (plain + list.length < 0) throw new ShellError(`${name}[${subscript}]: bad array subscript`);
    return plain + list.length;
  }

  /** The keys and values of an array in order; a plain variable counts as an array of one element. */
  entries(name: string): [string, string][] {
    const place = this.resolve(name);
    const variable = this.own(place.name);
    if (!variable) return [];
    if (variable.map) return inOrder(variable.map);
    const found: [string, string][] = [];
    this.#listOf(variable).forEach((value, index) => found.push([String(index), value]));
    return found;
  }

  values(name: string): string[] {
    const place = this.resolve(name);
    const variable = this.own(place.name);
    if (!variable) return [];
    if (variable.map) return inOrder(variable.map).map(([, value]) => value);
    return this.#listOf(variable).filter(() => true);
  }

  /** Sets the variable, or the element that a nameref leads to. */
  set(name: string, value: string, append = false): void {
    const variable = this.own(name);
    if (
      variable &&
      variable.attributes.size === 0 &&
      !append &&
      !variable.assigned &&
      !variable.list &&
      !variable.map
    ) {
      variable.value = value;
      if (this.exportsAll) this.mark(name, 'exported');
      return;
    }
    const place = variable ? this.resolve(name) : { name };
    if (place.subscript !== undefined) return this.setElement(place.name, place.subscript, value, append);
    const target = this.#writable(place.name);
    if (target.assigned) return target.assigned(this, value);
    if (target.map) {
      target.map.set('0', this.#shaped(target, value, append ? target.map.get('0') : undefined));
    } else if (target.list) {
      target.list[0] = this.#shaped(target, value, append ? target.list[0] : undefined);
    } else {
      target.value = this.#shaped(target, value, append ? target.value : undefined);
    }
    this.#changed(target);
  }

  /** Sets the variable `name` or the element `name[subscript]`. */
  setReference({ name, subscript }: Reference, value: string, append = false): void {
    if (subscript === undefined) this.set(name, value, append);
    else this.setElement(name, subscript, value, append);
  }

  setElement(name: string, subscript: string, value: string, append = false): void {
    const place = this.resolve(name);
    const target = this.#writable(place.name);
    if (target.map) {
      target.map.set(subscript, this.#shaped(target, value, append ? target.map.get(subscript) : undefined));
      return;
    }
    const list = this.#makeList(target);
    const index = this.index(target, subscript, place.name);
    list[index] = this.#shaped(target, value, append ? list[index] : undefined);
  }

  #makeList(target: Variable): string[] {
    if (!target.list) {
      target.list = target.value === undefined ? [] : [target.value];
      target.value = undefined;
    }
    return target.list;
  }

  /** Replaces an indexed array. */
  setList(name: string, values: readonly string[]): void {
    const target = this.#writable(this.resolve(name).name);
    if (target.map) throw new ShellError(`${name}: cannot convert associative to indexed array`);
    target.value = undefined;
    target.list = [...values];
  }

  /** Turns a variable into an array; its value stays unless `emptied`. */
  makeArray(name: string, associative: boolean, emptied = false): Variable {
    const target = this.#writable(this.resolve(name).name);
    if (associative) {
      if (target.list) throw new ShellError(`${name}: cannot convert indexed to associative array`);
      target.map ??= new Map(target.value === undefined ? [] : [['0', target.value]]);
      target.value = undefined;
      if (emptied) target.map.clear();
    } else {
      if (target.map) throw new ShellError(`${name}: cannot convert associative to indexed array`);
      this.#makeList(target);
      if (emptied) target.list = [];
    }
    return target;
  }

  /** Returns the variable of the nearest scope that has it, or a new global one. */
  #writable(name: string): Variable {
    let variable = this.own(name);
    if (!variable) {
      variable = new Variable();
      this.#scopes[0]?.set(name, variable);
    }
    if (variable.attributes.has('readonly')) throw new ShellError(`${name}: readonly variable`);
    if (this.exportsAll) variable.attributes.add('exported');
    return variable;
  }

  #shaped(target: Variable, value: string, before: string | undefined): string {
    const { attributes } = target;
    if (attributes.has('integer')) {
      const sum = BigInt(evaluate(this, value));
      return String(before === undefined ? sum : BigInt.asIntN(64, BigInt(evaluate(this, before)) + sum));
    }
    const text = before === undefined ? value : before + value;
    if (attributes.has('lower')) return text.toLowerCase();
    return attributes.has('upper') ? text.toUpperCase() : text;
  }

  #changed(variable: Variable): void {
    if (variable.attributes.has('exported')) this.#exports = undefined;
  }

  /** Returns the variable of the innermost scope, and creates it where it is missing. */
  declareLocal(name: string): Variable {
    const scope = this.#scopes.at(-1) ?? new Map<string, Variable>();
    let variable = scope.get(name);
    if (!variable) {
      const outer = this.own(name);
      if (outer?.attributes.has('readonly') && this.#scopes[0]?.get(name) === outer)
        throw new ShellError(`${name}: readonly variable`);
      variable = new Variable(undefined, outer?.attributes.has('exported') ? ['exported'] : []);
      scope.set(name, variable);
      this.#exports = undefined;
    }
    return variable;
  }

  declareGlobal(name: string): Variable {
    const scope = this.#scopes[0] ?? new Map<string, Variable>();
    const variable = scope.get(name) ?? new Variable();
    scope.set(name, variable);
    return variable;
  }

  /** Adds a variable of the shell itself to the global scope. */
  provide(name: string, variable: Variable): void {
    this.#scopes[0]?.set(name, variable);
  }

  mark(name: string, attribute: Attribute, on = true): void {
    const variable = this.own(name) ?? this.declareGlobal(name);
    if (on) variable.attributes.add(attribute);
    else variable.attributes.delete(attribute);
    this.#exports = undefined;
  }

  forgetExports(): void {
    this.#exports = undefined;
  }

  unset(name: string, subscript?: string): void {
    const place = subscript === undefined ? this.resolve(name) : { name: this.resolve(name).name, subscript };
    const variable = this.own(place.name);
    if (!variable) return;
    if (variable.attributes.has('readonly'))
      throw new ShellError(`unset: ${place.name}: cannot unset: readonly variable`);
    if (place.subscript !== undefined && (variable.map || variable.list)) {
      if (variable.map) variable.map.delete(place.subscript);
      else if (variable.list) {
        const index = this.index(variable, place.subscript, place.name);
        if (index === variable.list.length - 1) {
          variable.list.pop();
          while (variable.list.length > 0 && !(variable.list.length - 1 in variable.list))
            variable.list.length--;
        } else delete variable.list[index];
      }
      return;
    }
    this.unsetOwn(place.name);
  }

  /**
   * Unsets a variable. A local one of the present function only loses its value, and still hides the outer
   * variable.
   */
  unsetOwn(name: string): void {
    this.#exports = undefined;
    for (let at = this.#scopes.length - 1; at >= 0; at--) {
      const variable = this.#scopes[at]?.get(name);
      if (!variable) continue;
      if (at > 0 && at === this.#scopes.length - 1) {
        const empty = new Variable();
        this.#scopes[at]?.set(name, empty);
      } else this.#scopes[at]?.delete(name);
      return;
    }
  }

  names(): string[] {
    return [...new Set(this.#scopes.flatMap((scope) => [...scope.keys()]))].sort();
  }

  localNames(): string[] {
    return [...(this.#scopes.at(-1)?.keys() ?? [])];
  }

  /** The environment of programs. */
  exported(): ReadonlyMap<string, string> {
    if (this.#exports) return this.#exports;
    const found = new Map<string, string>();
    for (const scope of this.#scopes) {
      for (const [name, variable] of scope) {
        if (variable.attributes.has('exported') && variable.value !== undefined)
          found.set(name, variable.value);
        else found.delete(name);
      }
    }
    this.#exports = found;
    return found;
  }
}
