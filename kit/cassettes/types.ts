/** Whether a test asks a real model, or takes recorded answers; `auto` records what is not there yet. */
export type CassetteMode = 'record' | 'replay' | 'auto';

/** What differs from one run to the next without a meaning, and the placeholder that stands in its place. */
export interface Volatile {
  readonly pattern: RegExp;
  readonly placeholder: string;
}
