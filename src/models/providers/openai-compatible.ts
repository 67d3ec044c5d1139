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

/** OpenRouter marks a conversation with Claude for the cache when it is asked to; with others it needs no asking. */
export const providerOptions: ProviderModule['providerOptions'] = (model, baseURL) =>
  isOpenRouter(baseURL) && isClaude(model) ? { [NAME]: { cache_control: { type: 'ephemeral' } } } : {};

export const traits: ProviderModule['traits'] = (model, baseURL) => ({
  files: isOpenRouter(baseURL) ? IMAGES_AND_PDF : IMAGES_ONLY,
  filesInResults: false,
  mistral: isMistral(model),
  gemini: isGemini(model),
  // They refuse a whole request for the field that others want it in.
  withoutReasoning: isMistral(model) || /(^|\.)(groq\.com|cerebras\.ai)$/.test(hostOf(baseURL)),
});

function isOpenRouter(baseURL: string): boolean {
  return baseURL === PROVIDERS.openrouter.baseURL;
}

function hostOf(baseURL: string): string {
  return URL.canParse(baseURL) ? new URL(baseURL).hostname : '';
}
