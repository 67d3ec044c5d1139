import type { EditedText } from '../edits.ts';

/** A module that a module imports or re-exports from. */
export interface ModuleRequest {
  readonly specifier: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The offset in the source of the first statement that names it. */
  readonly start: number;
}

/** An import of `name` from request number `from`. `start` and `end` are its offsets in the source. */
export interface NamedImport {
  readonly from: number;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Re-exports `name` of request number `from` as `exported`. Where `name` is null, it is the whole namespace. */
export interface Reexport {
  readonly exported: string;
  readonly from: number;
  readonly name: string | null;
}

/** An ECMAScript module, turned into a function whose parameters are its imports. */
export interface EsmCode {
  readonly text: EditedText;
  readonly requests: readonly ModuleRequest[];
  readonly imports: readonly NamedImport[];
  readonly reexports: readonly Reexport[];
  /** The numbers of the requests of `export * from`. */
  readonly stars: readonly number[];
  /** The names that the module itself exports. */
  readonly exports: readonly string[];
  readonly isAsync: boolean;
  /** The numbers of the requests whose namespaces are parameters of the function. */
  readonly namespaces: readonly number[];
}
