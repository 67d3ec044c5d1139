import type { Kept } from './store.ts';

/** A question of a page to its worker. It comes with a port for the answers. */
export type Question =
  /** Asks how much is kept. */
  | { readonly kind: 'kept' }
  /** Downloads what is missing, and reports progress. */
  | { readonly kind: 'download' }
  /** Ends the download and keeps nothing more, because what is kept is about to be removed. */
  | { readonly kind: 'stop' };

export type Answer =
  | { readonly kind: 'kept'; readonly kept: Kept; readonly done: boolean }
  | { readonly kind: 'failed'; readonly why: string };
