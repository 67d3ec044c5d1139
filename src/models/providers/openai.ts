import { createOpenAI } from '@ai-sdk/openai';
import { IMAGES_AND_PDF } from '../traits.ts';
import type { ProviderModule } from './load.ts';

export const languageModel: ProviderModule['languageModel'] = (access, model) =>
  createOpenAI(access).responses(model);

/**
 * OpenAI stores nothing: reasoning comes back encrypted and is sent again with the next step. The cache key routes the
 * requests of one conversation to the server that has its beginning cached.
 */
export const providerOptions: ProviderModule['providerOptions'] = (_model, _baseURL, cacheKey) => ({
  openai: { store: false, ...(cacheKey !== undefined && { promptCacheKey: cacheKey }) },
});

export const traits: ProviderModule['traits'] = () => ({ files: IMAGES_AND_PDF, filesInResults: true });
