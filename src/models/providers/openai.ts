import { createOpenAI } from '@ai-sdk/openai';
import { IMAGES_AND_PDF } from '../traits.ts';
import type { ProviderModule } from './load.ts';

export const languageModel: ProviderModule['languageModel'] = (access, model) =>
  createOpenAI(access).responses(model);

/**
 * Conversations stay in the tab; what the model thought comes back encrypted, to be sent with the next step. Requests of
 * one conversation go to where its beginning is in a cache.
 */
export const providerOptions: ProviderModule['providerOptions'] = (_model, _baseURL, cacheKey) => ({
  openai: { store: false, ...(cacheKey !== undefined && { promptCacheKey: cacheKey }) },
});

export const traits: ProviderModule['traits'] = () => ({ files: IMAGES_AND_PDF, filesInResults: true });
