export type LValue =
  | { readonly t: 'var'; readonly name: string }
  | { readonly t: 'index'; readonly name: string; readonly subs: readonly Expr[] }
  | { readonly t: 'field'; readonly of: Expr };

export type Expr =
  | LValue
  | { readonly t: 'number'; readonly value: number }
  | { readonly t: 'string'; readonly value: string }
  | { readonly t: 'regex'; readonly source: string }
  /** `op` is empty for plain assignment. */
  | { readonly t: 'assign'; readonly op: string; readonly to: LValue; readonly value: Expr }
  | { readonly t: 'choice'; readonly test: Expr; readonly yes: Expr; readonly no: Expr }
  | { readonly t: 'and' | 'or'; readonly a: Expr; readonly b: Expr }
  | { readonly t: 'in'; readonly subs: readonly Expr[]; readonly name: string }
  | { readonly t: 'match'; readonly negated: boolean; readonly a: Expr; readonly b: Expr }
  | { readonly t: 'binary'; readonly op: string; readonly a: Expr; readonly b: Expr }
  | { readonly t: 'unary'; readonly op: string; readonly a: Expr }
  | { readonly t: 'step'; readonly by: 1 | -1; readonly prefix: boolean; readonly to: LValue }
  | { readonly t: 'call'; readonly name: string; readonly args: readonly Expr[] }
  | { readonly t: 'builtin'; readonly name: string; readonly args: readonly Expr[] }
  | {
      readonly t: 'getline';
      readonly from: 'main' | 'file' | 'command';
      readonly source?: Expr | undefined;
      readonly to?: LValue | undefined;
    }
  | { readonly t: 'group'; readonly list: readonly Expr[] };

export interface Redirect {
  readonly kind: '>' | '>>' | '|';
  readonly to: Expr;
}

export type Statement =
  | { readonly t: 'expr'; readonly expr: Expr }
  | {
      readonly t: 'print' | 'printf';
      readonly args: readonly Expr[];
      readonly redirect?: Redirect | undefined;
    }
  | { readonly t: 'block'; readonly body: readonly Statement[] }
  | { readonly t: 'if'; readonly test: Expr; readonly yes: Statement; readonly no?: Statement | undefined }
  | { readonly t: 'while'; readonly test: Expr; readonly body: Statement }
  | { readonly t: 'do'; readonly body: Statement; readonly test: Expr }
  | {
      readonly t: 'for';
      readonly init?: Statement | undefined;
      readonly test?: Expr | undefined;
      readonly step?: Statement | undefined;
      readonly body: Statement;
    }
  | { readonly t: 'each'; readonly key: LValue; readonly name: string; readonly body: Statement }
  | { readonly t: 'switch'; readonly of: Expr; readonly cases: readonly Case[] }
  | { readonly t: 'break' | 'continue' | 'next' | 'nextfile' }
  | { readonly t: 'exit' | 'return'; readonly value?: Expr | undefined }
  | { readonly t: 'delete'; readonly name: string; readonly subs?: readonly Expr[] | undefined };

export interface Case {
  /** The value is undefined for `default`. */
  readonly value?: Expr | undefined;
  readonly body: readonly Statement[];
}

export interface Rule {
  readonly kind: 'begin' | 'end' | 'always' | 'pattern' | 'range';
  readonly from?: Expr | undefined;
  readonly to?: Expr | undefined;
  /** A rule without a body prints the record. */
  readonly body?: Statement | undefined;
}

export interface AwkFunction {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: Statement;
}

export interface AwkProgram {
  readonly rules: readonly Rule[];
  readonly functions: ReadonlyMap<string, AwkFunction>;
}
