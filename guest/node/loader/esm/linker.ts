import type { Sources } from '../../errors/sources.ts';
import { pointedAt, setArrow } from '../../errors/uncaught.ts';
import type { AwaitTracking } from '../await-code.ts';
import { positionAt, type Position } from '../edits.ts';
import type { EsmCode, NamedImport } from '../esm-code/types.ts';
import { evaluate } from '../evaluate.ts';
import { exportedNames, namespaceObject, resolveExport } from './exports.ts';
import {
  requestedBy,
  type Getter,
  type Getters,
  type ModuleMap,
  type ModuleRecord,
  type Steps,
} from './record.ts';

export interface LinkerContext {
  readonly modules: ModuleMap;
  readonly sources: Sources;
  readonly awaits: AwaitTracking;
  /** Returns the `import()` of a module with this URL. */
  readonly importFrom: (url: string) => unknown;
  /** Returns the `import.meta` of a module. */
  readonly metaOf: (record: ModuleRecord) => object;
}

/** Joins the exports of each module of a graph to the imports of the others. */
export class Linker {
  readonly #context: LinkerContext;

  constructor(context: LinkerContext) {
    this.#context = context;
  }

  /** Links a module with all that it imports, before any of them runs. */
  link(record: ModuleRecord): ModuleRecord {
    if (record.state !== 'new') return record;
    try {
      this.#instantiate(record);
      addReexports(record);
      // The second pass resolves `export *` in cycles, which needs all other names.
      addReexports(record);
      this.#checkImports(record);
    } catch (error) {
      this.#context.modules.dropUnevaluated();
      throw error;
    }
    return record;
  }

  /** Creates the getters of a graph's exports, so that modules in a cycle see each other before any of them runs. */
  #instantiate(record: ModuleRecord): void {
    if (record.state !== 'new') return;
    record.state = 'linking';
    const { code } = record;
    if (code) {
      for (const each of record.requested) this.#instantiate(each);
      this.#instantiateSource(record, code);
    } else instantiateSynthetic(record);
    record.state = 'linked';
  }

  #instantiateSource(record: ModuleRecord, code: EsmCode): void {
    const { awaits, importFrom, metaOf } = this.#context;
    const meta = metaOf(record);
    const { text } = record.following?.() ?? code;
    const make = evaluate(text.code, record.name) as (...args: unknown[]) => Steps;
    let getters: Getters = {};
    record.steps = make(
      (its: Getters) => (getters = its),
      meta,
      importFrom(record.url),
      record.at,
      awaits.take,
      awaits.each,
      ...record.requested.map(({ bindings }) => bindings),
      ...code.namespaces.map((from) => namespaceObject(requestedBy(record, from))),
    );
    // The first step passes on the getters.
    void record.steps.next();
    for (const name of code.exports) record.exports.set(name, getters[name] ?? (() => undefined));
    const own = record.exports.get('default');
    if (own) record.exports.set('default', () => readDefault(own));
  }

  /** Throws where an imported name does not exist. */
  #checkImports(record: ModuleRecord, seen = new Set<ModuleRecord>()): void {
    if (seen.has(record)) return;
    seen.add(record);
    for (const each of record.requested) this.#checkImports(each, seen);
    for (const named of record.code?.imports ?? []) {
      const found = resolveExport(requestedBy(record, named.from), named.name);
      if (typeof found !== 'function') throw this.#missing(record, named, found === 'ambiguous');
    }
  }

  #missing(record: ModuleRecord, { from, name, start, end }: NamedImport, isAmbiguous: boolean): Error {
    const target = requestedBy(record, from);
    const specifier = record.code?.requests[from]?.specifier ?? '';
    const { line, column } = this.#positionIn(record, start);
    const text = this.#context.sources.line(record.name, line) ?? '';
    const error = new SyntaxError(
      isAmbiguous
        ? `The requested module '${specifier}' contains conflicting star exports for name '${name}'`
        : target.names && /\.c?js$/.test(target.url)
          ? scriptHint(specifier, name, text)
          : `The requested module '${specifier}' does not provide an export named '${name}'`,
    );
    setArrow(error, pointedAt(record.name, line, text, column, end - start).trimEnd());
    return error;
  }

  #positionIn({ name }: ModuleRecord, start: number): Position {
    return positionAt(this.#context.sources.text(name) ?? '', start);
  }
}

function instantiateSynthetic(record: ModuleRecord): void {
  let getters: Getters | undefined;
  for (const name of record.names ?? []) record.exports.set(name, () => getters?.[name]?.());
  define(record);
  record.steps = (function* (): Generator<undefined, void> {
    getters = record.run?.();
    yield;
  })();
}

/** Adds the names that are re-exported from other modules, once each module of the graph has its own. */
function addReexports(record: ModuleRecord, seen = new Set<ModuleRecord>()): void {
  if (seen.has(record)) return;
  seen.add(record);
  for (const each of record.requested) addReexports(each, seen);
  if (!record.code || record.state !== 'linked') return;
  const resolved = new Map<string, Getter>();
  for (const name of exportedNames(record)) {
    const found = resolveExport(record, name);
    if (typeof found === 'function') resolved.set(name, found);
  }
  for (const [name, get] of resolved) record.exports.set(name, get);
  define(record);
}

function define(record: ModuleRecord): void {
  for (const [name, get] of record.exports)
    Object.defineProperty(record.bindings, name, {
      get,
      set: refuseAssignment,
      enumerable: true,
      configurable: true,
    });
}

function refuseAssignment(): never {
  throw new TypeError('Assignment to constant variable.');
}

function scriptHint(specifier: string, name: string, line: string): string {
  const [names] = /\{.*\}/.exec(line) ?? [];
  const taken = names === undefined ? '' : `const ${names.replace(/\s+as\s+/g, ': ')} = pkg;\n`;
  return `Named export '${name}' not found. The requested module '${specifier}' is a CommonJS module, which may not support all module.exports as named exports.\nCommonJS modules can always be imported via the default export, for example using:\n\nimport pkg from '${specifier}';\n${taken}`;
}

/** Reads a default export. An anonymous one has an internal name, which errors must not show. */
function readDefault(get: Getter): unknown {
  try {
    return get();
  } catch (error) {
    if (error instanceof ReferenceError) {
      const named = (text: string) => text.replace("'__vtr_default'", "'default'");
      error.message = named(error.message);
      Object.defineProperty(error, 'stack', {
        value: named(error.stack ?? ''),
        configurable: true,
        writable: true,
      });
    }
    throw error;
  }
}
