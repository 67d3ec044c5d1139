import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { IMAGES_AND_PDF, IMAGES_ONLY, isClaude, isGemini, isMistral } from '../traits.ts';
import { PROVIDERS } from './ids.ts';
import type { ProviderModule } from './load.ts';

const NAME = 'compatible';

export const languageModel: ProviderModule['languageModel'] = (access, model) =>
  createOpenAICompatible({
    name: NAME,
    ...access,
    includeUsage: true,
    ...(isOpenRouter(access.baseURL) && { transformRequestBody: forOpenRouter }),
  }).chatModel(model);

/** https://openrouter.ai/docs/use-cases/reasoning-tokens */
function forOpenRouter({ reasoning_effort: effort, ...body }: Record<string, unknown>) {
  return effort === undefined ? body : { ...body, reasoning: { effort } };
}

/** OpenRouter caches conversations with Claude only on request, and those with other models by itself. */
export const providerOptions: ProviderModule['providerOptions'] = (model, baseURL) =>
  isOpenRouter(baseURL) && isClaude(model) ? { [NAME]: { cache_control: { type: 'ephemeral' } } } : {};

export const traits: ProviderModule['traits'] = (model, baseURL) => ({
  files: isOpenRouter(baseURL) ? IMAGES_AND_PDF : IMAGES_ONLY,
  filesInResults: false,
  mistral: isMistral(model),
  gemini: isGemini(model),
  // These refuse the whole request over the field in which others expect the reasoning.
  withoutReasoning: isMistral(model) || /(^|\.)(groq\.com|cerebras\.ai)$/.test(hostOf(baseURL)),
});

function isOpenRouter(baseURL: string): boolean {
  return baseURL === PROVIDERS.openrouter.baseURL;
}

function hostOf(baseURL: string): string {
  return URL.canParse(baseURL) ? new URL(baseURL).hostname : '';
}
