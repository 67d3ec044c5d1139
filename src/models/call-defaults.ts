import type { CallSettings } from './call-settings.ts';
import type { RemoteProvider } from './providers/ids.ts';

/** How many tokens one answer may have, even where the model could write more. */
export const MAX_OUTPUT_TOKENS = 32_000;
/** Gemini 2.5's thinking tokens count as output: https://ai.google.dev/gemini-api/docs/thinking. */
const GEMINI_THINKING_TOKENS = 32_768;

/** The settings for a model of this name that apply unless the request overrides them. */
export function callDefaults(
  provider: RemoteProvider,
  model: string,
  outputLimit: number | undefined,
): CallSettings {
  const most = maxOutputTokens(provider, model, outputLimit);
  return { ...(most !== undefined && { maxOutputTokens: most }), ...samplingOf(model) };
}

/** Nothing is asked for where the limit is unknown, as a server may refuse more than it. The SDK knows Claude's limits. */
function maxOutputTokens(
  provider: RemoteProvider,
  model: string,
  limit: number | undefined,
): number | undefined {
  const wanted = /gemini-2\.5/.test(model) ? MAX_OUTPUT_TOKENS + GEMINI_THINKING_TOKENS : MAX_OUTPUT_TOKENS;
  if (limit !== undefined) return Math.min(limit, wanted);
  return provider === 'anthropic' && /claude/.test(model) ? MAX_OUTPUT_TOKENS : undefined;
}

/**
 * The sampling settings that a model's maker recommends. None for other models: some refuse such settings (reasoning
 * models of OpenAI and Anthropic, newer Gemini and Kimi). The tests name the sources.
 */
function samplingOf(model: string): CallSettings {
  const id = model.toLowerCase();
  // Qwen itself recommends 0.6 with thinking and 0.7 without; 0.55 has worked well in other agents.
  if (id.includes('qwen')) return { temperature: 0.55 };
  if (SAMPLED_GEMINI.test(id)) return { temperature: 1, topP: 0.95, topK: 64 };
  if (/glm-4\.[6-9]/.test(id)) return { temperature: 1 };
  if (id.includes('minimax-m2')) return { temperature: 1, topP: 0.95, topK: 40 };
  if (/kimi-k2(\.\d|-thinking)/.test(id)) return { temperature: 1 };
  if (id.includes('kimi-k2')) return { temperature: 0.6 };
  return {};
}

/** Later Gemini models refuse sampling settings or do better without them. */
const SAMPLED_GEMINI = /gemini-(2\.5|3-(flash|pro)|3\.1|3\.5-flash(?!-lite))/;
