import type { Effort } from '../session/effort.ts';
import type { RemoteProvider } from './providers/ids.ts';

const LOW_TO_HIGH: readonly Effort[] = ['low', 'medium', 'high'];

/**
 * What a model of this name offers, from the least on; none where it offers no choice or that is not known. As the
 * catalogue of the pinned SDK has it; the providers' own pages are
 * https://developers.openai.com/api/docs/guides/reasoning, https://platform.claude.com/docs/en/build-with-claude/effort
 * and https://ai.google.dev/gemini-api/docs/thinking. OpenRouter's list says it of its models.
 */
export function effortsOf(provider: RemoteProvider, model: string): readonly Effort[] {
  switch (provider) {
    case 'openai':
      return ofOpenAI(model);
    case 'anthropic':
      return ofClaude(model);
    case 'google':
      return ofGemini(model);
    case 'openai-compatible':
      return /gpt-oss/i.test(model) ? LOW_TO_HIGH : ofOpenAI(model);
    case 'openrouter':
      return [];
  }
}

/** For models of OpenRouter's that think: it turns these into what each provider knows. */
export const LISTED_EFFORTS = LOW_TO_HIGH;

function ofOpenAI(model: string): readonly Effort[] {
  if (/^o[134](-|$)/.test(model)) return /^o1-(mini|preview)/.test(model) ? [] : LOW_TO_HIGH;
  const [, major, minor = '0', variant = ''] = /^gpt-(\d+)(?:\.(\d+))?(?:-(?!\d{4}-)(.+))?/.exec(model) ?? [];
  const version = Number(major);
  // Which of them these take is not published.
  if (!(version >= 5) || /chat|pro/.test(variant)) return [];
  if (version > 5) return [...LOW_TO_HIGH, 'xhigh', 'max'];
  if (variant.startsWith('codex')) return LOW_TO_HIGH;
  if (Number(minor) === 0) return ['minimal', ...LOW_TO_HIGH];
  if (Number(minor) === 1) return ['none', ...LOW_TO_HIGH];
  return ['none', ...LOW_TO_HIGH, 'xhigh', ...(Number(minor) >= 6 ? (['max'] as const) : [])];
}

function ofClaude(model: string): readonly Effort[] {
  const [, , major = '0', minor = '0'] =
    /claude-(sonnet|opus|haiku|fable)-(\d)(?:-(\d)(?!\d))?/.exec(model) ?? [];
  const version = Number(`${major}.${minor}`);
  if (version < 4) return [];
  // These always think.
  const least: readonly Effort[] = /(sonnet|opus)-5-5|fable-5/.test(model) ? [] : ['none'];
  if (version < 4.6) return [...least, ...LOW_TO_HIGH];
  return [...least, ...LOW_TO_HIGH, ...(version > 4.6 ? (['xhigh'] as const) : []), 'max'];
}

function ofGemini(model: string): readonly Effort[] {
  if (/image|tts|audio|live/.test(model)) return [];
  if (/gemini-2\.5-flash/.test(model)) return ['none', ...LOW_TO_HIGH];
  return /gemini-(2\.5|[3-9])/.test(model) ? LOW_TO_HIGH : [];
}
