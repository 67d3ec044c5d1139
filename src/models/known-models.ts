import type { ModelFacts, Price, Rates } from '../session/log/cost.ts';
import { PROVIDERS, type RemoteProvider } from './providers/ids.ts';

interface KnownModel extends ModelFacts {
  readonly id: string;
  readonly name: string;
  /** A price change that the provider has announced; `from` is in milliseconds since the epoch. */
  readonly later?: { readonly from: number; readonly price: Price };
}

const rates = (input: number, output: number, cacheRead: number, cacheWrite = input): Rates => ({
  input,
  output,
  cacheRead,
  cacheWrite,
});

/** OpenAI bills a request over 272,000 tokens at twice the input price and one and a half times the output price. */
const openAI = (short: Rates): Price => ({
  ...short,
  long: {
    above: 272_000,
    ...rates(short.input * 2, short.output * 1.5, (short.cacheRead ?? 0) * 2, (short.cacheWrite ?? 0) * 2),
  },
});

/**
 * The models on offer until a list has been fetched: ids that the pinned SDK knows, the default first. Limits and list
 * prices (standard tier, US dollars) come from the pinned SDK and the public catalogue https://models.dev, as of
 * 2026-11-22; the providers' own pages are https://developers.openai.com/api/docs/pricing,
 * https://platform.claude.com/docs/en/about-claude/pricing and https://ai.google.dev/gemini-api/docs/pricing.
 * Anthropic's cache writes are the five-minute ones. OpenAI's context limits exclude the tokens reserved for the answer.
 */
export const KNOWN_MODELS: Partial<Record<RemoteProvider, readonly KnownModel[]>> = {
  openai: [
    {
      id: 'gpt-6.1-sol',
      name: 'GPT-6.1 Sol',
      contextLimit: 922_000,
      outputLimit: 128_000,
      price: openAI(rates(2, 10, 0.1, 2.5)),
    },
    {
      id: 'gpt-6.1-terra',
      name: 'GPT-6.1 Terra',
      contextLimit: 922_000,
      outputLimit: 128_000,
      price: openAI(rates(1, 5, 0.05, 1.25)),
    },
    {
      id: 'gpt-5.4',
      name: 'GPT-5.4',
      contextLimit: 922_000,
      outputLimit: 128_000,
      price: openAI(rates(2.5, 15, 0.25)),
    },
    {
      id: 'gpt-5.4-mini',
      name: 'GPT-5.4 mini',
      contextLimit: 272_000,
      outputLimit: 128_000,
      price: rates(0.75, 4.5, 0.075),
    },
  ],
  anthropic: [
    {
      id: 'claude-sonnet-5-5',
      name: 'Claude Sonnet 5.5',
      contextLimit: 1_000_000,
      outputLimit: 128_000,
      price: rates(2, 10, 0.1, 2.5),
    },
    {
      id: 'claude-opus-5-5',
      name: 'Claude Opus 5.5',
      contextLimit: 1_000_000,
      outputLimit: 128_000,
      price: rates(4, 20, 0.2, 5),
    },
    {
      id: 'claude-haiku-5-5',
      name: 'Claude Haiku 5.5',
      contextLimit: 1_000_000,
      outputLimit: 128_000,
      price: { ...rates(0.1, 0.5, 0.01, 0.125), long: { above: 100_000, ...rates(0.5, 2.5, 0.05, 0.625) } },
    },
    {
      id: 'claude-sonnet-4-6',
      name: 'Claude Sonnet 4.6',
      contextLimit: 1_000_000,
      outputLimit: 64_000,
      price: rates(3, 15, 0.3, 3.75),
    },
  ],
  google: [
    {
      id: 'gemini-3.8-flash',
      name: 'Gemini 3.8 Flash',
      contextLimit: 1_048_576,
      outputLimit: 65_536,
      price: rates(0.75, 3.75, 0.075),
      later: { from: Date.UTC(2027, 0, 1), price: rates(1.5, 7.5, 0.15) },
    },
    {
      id: 'gemini-3.5-flash-lite',
      name: 'Gemini 3.5 Flash-Lite',
      contextLimit: 1_048_576,
      outputLimit: 65_536,
      price: rates(0.3, 2.5, 0.03),
    },
    {
      id: 'gemini-2.5-pro',
      name: 'Gemini 2.5 Pro',
      contextLimit: 1_048_576,
      outputLimit: 65_536,
      price: { ...rates(1.25, 10, 0.125), long: { above: 200_000, ...rates(2.5, 15, 0.25) } },
    },
  ],
};

/**
 * The known facts of a model of this exact name, or of a dated snapshot of it, at the provider's own address. Other
 * servers that offer a model of that name have their own prices and limits.
 */
export function knownFacts(
  provider: RemoteProvider,
  model: string,
  baseURL: string | undefined,
  now: number,
): ModelFacts {
  if (baseURL !== PROVIDERS[provider].baseURL) return {};
  const plain = model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  const known = KNOWN_MODELS[provider]?.find(({ id }) => id === plain);
  if (!known) return {};
  const { contextLimit, outputLimit, price, later } = known;
  const current = later && now >= later.from ? later.price : price;
  return {
    ...(contextLimit !== undefined && { contextLimit }),
    ...(outputLimit !== undefined && { outputLimit }),
    ...(current && { price: current }),
  };
}

/** The smallest context window of each model family, in tokens. What the provider's list says overrides it. */
const CONTEXT_LIMITS: readonly (readonly [RegExp, number])[] = [
  [/gpt-4\.1/, 1_047_576],
  [/gpt-4o/, 128_000],
  [/gpt-[5-9]/, 272_000],
  [/claude-/, 200_000],
  [/gemini-/, 1_048_576],
];

export function knownContextLimit(model: string): number | undefined {
  return CONTEXT_LIMITS.find(([family]) => family.test(model))?.[1];
}
