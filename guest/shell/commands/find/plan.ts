export type Comparison = { readonly sign: '+' | '-' | ''; readonly amount: number };

export type Node =
  | { readonly t: 'and' | 'or' | 'list'; readonly a: Node; readonly b: Node }
  | { readonly t: 'not'; readonly a: Node }
  | { readonly t: 'constant'; readonly value: boolean }
  | { readonly t: 'text'; readonly of: 'name' | 'path' | 'link'; readonly regex: RegExp }
  | { readonly t: 'type'; readonly letters: readonly string[] }
  | { readonly t: 'empty' }
  | { readonly t: 'size'; readonly compare: Comparison; readonly unit: number }
  | { readonly t: 'age'; readonly compare: Comparison; readonly unit: number }
  | { readonly t: 'newer'; readonly file: string }
  | { readonly t: 'after'; readonly seconds: number }
  | { readonly t: 'perm'; readonly how: '-' | '/' | ''; readonly bits: number }
  | { readonly t: 'same'; readonly file: string }
  | { readonly t: 'can'; readonly bit: number }
  | { readonly t: 'links' | 'owner'; readonly compare: Comparison }
  | { readonly t: 'prune' | 'quit' | 'delete' | 'ls' }
  | { readonly t: 'print'; readonly end: string; readonly file?: string }
  | { readonly t: 'printf'; readonly format: string; readonly file?: string }
  | {
      readonly t: 'exec';
      readonly words: readonly string[];
      readonly all: boolean;
      readonly inFolder: boolean;
      readonly asks: boolean;
    };

export interface Plan {
  readonly paths: readonly string[];
  readonly root: Node;
  readonly follows: boolean;
  readonly depthFirst: boolean;
  /** True where the expression runs commands, which may change files that are still to be visited. */
  readonly runs: boolean;
  readonly least: number;
  readonly most: number;
}
