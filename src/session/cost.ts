import type { Effort } from './effort.ts';
import type { Usage } from './parts.ts';

/** US dollars per million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  /** Where the provider keeps a cache and tells its price; without one, tokens of the cache cost as input does. */
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export interface Price extends Rates {
  /** What all of a request costs whose input, cache included, is more than `above` tokens. */
  readonly long?: Rates & { readonly above: number };
}

/**
 * US dollars for one call; `undefined` where nothing was counted. Input counts include what came from the cache or went
 * into it; output counts include reasoning, which costs as output does.
 */
export function costOf(usage: Usage, price: Price): number | undefined {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const input = inputTokens ?? 0;
  const rates = price.long && input > price.long.above ? price.long : price;
  const fresh = Math.max(0, input - cacheReadTokens - cacheWriteTokens);
  const dollars =
    fresh * rates.input +
    cacheReadTokens * (rates.cacheRead ?? rates.input) +
    cacheWriteTokens * (rates.cacheWrite ?? rates.input) +
    (outputTokens ?? 0) * rates.output;
  // Twelve digits: what a sum of many tiny amounts needs, without the noise of binary fractions.
  return Number((dollars / 1e6).toFixed(12));
}

/** What is known of a model beyond its name. Absent: not known. */
export interface ModelFacts {
  /** Tokens that fit into a request. */
  readonly contextLimit?: number;
  /** Tokens that one answer may have. */
  readonly outputLimit?: number;
  readonly price?: Price;
  /** How much it can be asked to think, from the least on; absent or empty where there is no choice. */
  readonly efforts?: readonly Effort[];
}
