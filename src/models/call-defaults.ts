import type { CallSettings } from './call-settings.ts';
import type { RemoteProvider } from './providers/ids.ts';

/** Of one answer, tokens, whatever more a model could write. */
export const MOST_OUTPUT = 32_000;
/** What Gemini 2.5 may think counts as its answer: https://ai.google.dev/gemini-api/docs/thinking. */
const GEMINI_THOUGHTS = 32_768;

/** What is asked of a model of this name where the request says nothing else. `outputLimit`: as far as it is known. */
export function callDefaults(
  provider: RemoteProvider,
  model: string,
  outputLimit: number | undefined,
): CallSettings {
  const most = mostOutput(provider, model, outputLimit);
  return { ...(most !== undefined && { maxOutputTokens: most }), ...samplingOf(model) };
}

/** A server whose limit is not known might refuse what is more than that; of Claude the SDK knows them. */
function mostOutput(provider: RemoteProvider, model: string, limit: number | undefined): number | undefined {
  const wanted = /gemini-2\.5/.test(model) ? MOST_OUTPUT + GEMINI_THOUGHTS : MOST_OUTPUT;
  if (limit !== undefined) return Math.min(limit, wanted);
  return provider === 'anthropic' && /claude/.test(model) ? MOST_OUTPUT : undefined;
}

/**
 * Temperature and the like that whoever made a model recommends; none for others, among them models that refuse such
 * settings (OpenAI's and Anthropic's that think, newer Gemini and Kimi). Pages: see the tests.
 */
function samplingOf(model: string): CallSettings {
  const id = model.toLowerCase();
  // No page of Qwen's has this very number (0.6 where it thinks, 0.7 where not); other agents have done well with it.
  if (id.includes('qwen')) return { temperature: 0.55 };
  if (SAMPLED_GEMINI.test(id)) return { temperature: 1, topP: 0.95, topK: 64 };
  if (/glm-4\.[6-9]/.test(id)) return { temperature: 1 };
  if (id.includes('minimax-m2')) return { temperature: 1, topP: 0.95, topK: 40 };
  if (/kimi-k2(\.\d|-thinking)/.test(id)) return { temperature: 1 };
  if (id.includes('kimi-k2')) return { temperature: 0.6 };
  return {};
}

/** Later ones take no such settings, or are best without. */
const SAMPLED_GEMINI = /gemini-(2\.5|3-(flash|pro)|3\.1|3\.5-flash(?!-lite))/;
