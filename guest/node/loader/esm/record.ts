import type { EsmCode } from '../esm-code/types.ts';

export type Getter = () => unknown;
export type Getters = Record<string, Getter>;
export type Steps = Generator<undefined, void> | AsyncGenerator<undefined, void>;

/** One module of the graph. */
export interface ModuleRecord {
  readonly url: string;
  readonly code?: EsmCode;
  /** Returns the code that tracks each `await`, where that is needed. That is known only once the whole graph is read. */
  readonly following?: () => EsmCode | undefined;
  readonly name: string;
  /** The record of each request, in order. */
  requested: ModuleRecord[];
  /** An accessor for each of its exports, including re-exports. */
  readonly bindings: Record<string, unknown>;
  /** The getter of each exported name. Filled in while linking. */
  readonly exports: Map<string, Getter>;
  namespace?: object;
  /** The namespace that `require` returns, with `__esModule`. */
  marked?: object;
  state: 'new' | 'linking' | 'linked' | 'evaluating' | 'evaluated';
  steps?: Steps;
  /** Runs a synthetic module, and returns getters of its exports. */
  readonly run?: () => Getters;
  /** The exported names of a synthetic module, known before it runs. */
  readonly names?: readonly string[];
  /** The path of a CommonJS script. */
  readonly script?: string;
  isAsync: boolean;
  /** The offset in its text where it currently awaits. */
  readonly at: { place: number };
  /** Set once it is being evaluated asynchronously. */
  done?: Promise<void>;
  failed?: { readonly error: unknown };
}

/** The modules of a process, keyed by their URL. */
export class ModuleMap {
  readonly #records = new Map<string, ModuleRecord>();

  get(url: string): ModuleRecord | undefined {
    return this.#records.get(url);
  }

  add(url: string, more: Partial<ModuleRecord>): ModuleRecord {
    const record: ModuleRecord = {
      url,
      name: url,
      requested: [],
      bindings: { __proto__: null },
      exports: new Map(),
      state: 'new',
      isAsync: false,
      at: { place: 0 },
      ...more,
    };
    this.#records.set(url, record);
    return record;
  }

  delete(url: string): void {
    this.#records.delete(url);
  }

  /** Drops the modules that have not run, so that the next import of them fails with the same error. */
  dropUnevaluated(): void {
    for (const [url, { code, state }] of this.#records)
      if (code && state !== 'evaluated' && state !== 'evaluating') this.#records.delete(url);
  }
}

/** The record of a module's request with this number. */
export function requestedBy({ requested }: ModuleRecord, index: number): ModuleRecord {
  const found = requested[index];
  if (found === undefined) throw new Error('a module asks for one that it has not named');
  return found;
}
