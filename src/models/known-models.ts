import type { RemoteProvider } from './providers/ids.ts';

/** What is offered before a list could be fetched: ids that the pinned SDK knows, the one to start with first. */
export const KNOWN_MODELS: Partial<Record<RemoteProvider, readonly (readonly [id: string, name: string])[]>> =
  {
    openai: [
      ['gpt-6.1-sol', 'GPT-6.1 Sol'],
      ['gpt-6.1-terra', 'GPT-6.1 Terra'],
      ['gpt-5.4', 'GPT-5.4'],
      ['gpt-5.4-mini', 'GPT-5.4 mini'],
    ],
    anthropic: [
      ['claude-sonnet-5-5', 'Claude Sonnet 5.5'],
      ['claude-opus-5-5', 'Claude Opus 5.5'],
      ['claude-haiku-5-5', 'Claude Haiku 5.5'],
      ['claude-sonnet-4-6', 'Claude Sonnet 4.6'],
    ],
    google: [
      ['gemini-3.8-flash', 'Gemini 3.8 Flash'],
      ['gemini-3.5-flash-lite', 'Gemini 3.5 Flash-Lite'],
      ['gemini-2.5-pro', 'Gemini 2.5 Pro'],
    ],
  };

/** Tokens, for families that never had less; the provider's own word goes first. */
const CONTEXT_LIMITS: readonly (readonly [RegExp, number])[] = [
  [/gpt-4\.1/, 1_047_576],
  [/gpt-4o/, 128_000],
  [/gpt-[5-9]/, 400_000],
  [/claude-/, 200_000],
  [/gemini-/, 1_048_576],
];

export function knownContextLimit(model: string): number | undefined {
  return CONTEXT_LIMITS.find(([family]) => family.test(model))?.[1];
}
