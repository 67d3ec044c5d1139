import type { Effort } from './effort.ts';
import type { Usage } from './parts.ts';

/** US dollars per million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  /** Set if the provider prices its cache separately. Otherwise cached tokens cost as much as input. */
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export interface Price extends Rates {
  /** The rates for the whole request if its input, cache included, is more than `above` tokens. */
  readonly long?: Rates & { readonly above: number };
}

/**
 * US dollars for one call; `undefined` if nothing was counted. Input counts include tokens read from the
 * cache or written to it; output counts include reasoning, which costs as much as output.
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
  // Twelve digits are enough for a sum of many tiny amounts, and leave out the noise of binary fractions.
  return Number((dollars / 1e6).toFixed(12));
}

/** The known properties of a model; an absent one is unknown. */
export interface ModelFacts {
  /** The model refuses requests that set a temperature. */
  readonly takesNoTemperature?: true;
  /** The model's list says that it takes no pictures. */
  readonly seesNoPictures?: true;
  /** The model reads little and follows short instructions only: it gets a short system prompt. */
  readonly isSmall?: true;
  /** How many tokens fit into a request. */
  readonly contextLimit?: number;
  /** How many tokens one answer may have. */
  readonly outputLimit?: number;
  readonly price?: Price;
  /** The thinking efforts that can be chosen, lowest first; absent or empty if there is no choice. */
  readonly efforts?: readonly Effort[];
}
