import type { ToolRecord } from './tool-log.ts';

/** What the calls of one tool came to since the page was opened. */
export interface ToolMetrics {
  readonly tool: string;
  readonly count: number;
  /** Milliseconds, of calls that ran. */
  readonly avgDuration: number;
  /** 95 of 100 calls took no longer; of the newest {@link KEPT_DURATIONS}. */
  readonly p95: number;
  readonly errors: number;
  readonly timeouts: number;
  readonly denials: number;
  /** How long it took to be made ready: the first time with its parts loaded, and the last time. Milliseconds. */
  readonly startup: { readonly first: number; readonly last: number } | null;
}

export const KEPT_DURATIONS = 500;

/** Counts for one tool. */
export class Counts {
  #count = 0;
  #errors = 0;
  #timeouts = 0;
  #denials = 0;
  #ran = 0;
  #total = 0;
  #durations: number[] = [];
  #startup: { first: number; last: number } | null = null;

  add({ outcome, duration, timedOut }: Pick<ToolRecord, 'outcome' | 'duration' | 'timedOut'>): void {
    this.#count++;
    if (timedOut) this.#timeouts++;
    if (outcome === 'denied') this.#denials++;
    if (outcome === 'failed' || outcome === 'invalid') this.#errors++;
    if (outcome !== 'ok' && outcome !== 'failed') return;
    this.#ran++;
    this.#total += duration;
    this.#durations = [...this.#durations, duration].slice(-KEPT_DURATIONS);
  }

  started(duration: number): void {
    this.#startup = { first: this.#startup?.first ?? duration, last: duration };
  }

  metrics(tool: string): ToolMetrics {
    return {
      tool,
      count: this.#count,
      avgDuration: this.#ran === 0 ? 0 : this.#total / this.#ran,
      p95: percentile(this.#durations, 0.95),
      errors: this.#errors,
      timeouts: this.#timeouts,
      denials: this.#denials,
      startup: this.#startup && { ...this.#startup },
    };
  }
}

/** The smallest of `values` that a `share` of them does not exceed; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
