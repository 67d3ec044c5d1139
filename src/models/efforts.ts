import type { Effort } from '../session/log/effort.ts';
import { PROVIDERS, type RemoteProvider } from './providers/ids.ts';

const LOW_TO_HIGH: readonly Effort[] = ['low', 'medium', 'high'];

/**
 * The reasoning efforts of a model, lowest first; empty where it offers no choice or none is known. Taken from the
 * catalogue of the pinned SDK. The providers' own pages are
 * https://developers.openai.com/api/docs/guides/reasoning, https://platform.claude.com/docs/en/build-with-claude/effort
 * and https://ai.google.dev/gemini-api/docs/thinking. OpenRouter's model list has its own field for this.
 */
export function effortsOf(provider: RemoteProvider, model: string): readonly Effort[] {
  if (provider === 'openrouter') return [];
  switch (PROVIDERS[provider].protocol) {
    case 'openai':
      return openAIEfforts(model);
    case 'anthropic':
      return claudeEfforts(model);
    case 'google':
      return geminiEfforts(model);
    case 'openai-compatible':
      return /gpt-oss/i.test(model) ? LOW_TO_HIGH : openAIEfforts(model);
  }
}

/** The efforts of OpenRouter's reasoning models: OpenRouter translates them for each provider. */
export const LISTED_EFFORTS = LOW_TO_HIGH;

function openAIEfforts(model: string): readonly Effort[] {
  if (/^o[134](-|$)/.test(model)) return /^o1-(mini|preview)/.test(model) ? [] : LOW_TO_HIGH;
  const [, major, minor = '0', variant = ''] = /^gpt-(\d+)(?:\.(\d+))?(?:-(?!\d{4}-)(.+))?/.exec(model) ?? [];
  const version = Number(major);
  // It is not published which efforts the chat and pro models take.
  if (!(version >= 5) || /chat|pro/.test(variant)) return [];
  if (version > 5) return [...LOW_TO_HIGH, 'xhigh', 'max'];
  if (variant.startsWith('codex')) return LOW_TO_HIGH;
  if (Number(minor) === 0) return ['minimal', ...LOW_TO_HIGH];
  if (Number(minor) === 1) return ['none', ...LOW_TO_HIGH];
  return ['none', ...LOW_TO_HIGH, 'xhigh', ...(Number(minor) >= 6 ? (['max'] as const) : [])];
}

function claudeEfforts(model: string): readonly Effort[] {
  const [, , major = '0', minor = '0'] =
    /claude-(sonnet|opus|haiku|fable)-(\d)(?:-(\d)(?!\d))?/.exec(model) ?? [];
  const version = Number(`${major}.${minor}`);
  if (version < 4) return [];
  // Thinking cannot be switched off in these models.
  const least: readonly Effort[] = /(sonnet|opus)-5-5|fable-5/.test(model) ? [] : ['none'];
  if (version < 4.6) return [...least, ...LOW_TO_HIGH];
  return [...least, ...LOW_TO_HIGH, ...(version > 4.6 ? (['xhigh'] as const) : []), 'max'];
}

function geminiEfforts(model: string): readonly Effort[] {
  if (/image|tts|audio|live/.test(model)) return [];
  if (/gemini-2\.5-flash/.test(model)) return ['none', ...LOW_TO_HIGH];
  return /gemini-(2\.5|[3-9])/.test(model) ? LOW_TO_HIGH : [];
}
