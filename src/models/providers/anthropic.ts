import { createAnthropic } from '@ai-sdk/anthropic';
import { BROWSER_HEADER } from './anthropic-headers.ts';
import { PROVIDERS } from './ids.ts';
import { IMAGES_AND_PDF } from '../traits.ts';
import type { ProviderModule } from './load.ts';

export const languageModel: ProviderModule['languageModel'] = (access, model) =>
  createAnthropic({ ...access, headers: { ...access.headers, ...BROWSER_HEADER } })(model);

/** Each step repeats the conversation, so the API is asked to cache it. Compatible servers may refuse the option. */
export const providerOptions: ProviderModule['providerOptions'] = (_model, baseURL) =>
  baseURL === PROVIDERS.anthropic.baseURL ? { anthropic: { cacheControl: { type: 'ephemeral' } } } : {};

export const traits: ProviderModule['traits'] = (_model, baseURL) => ({
  files: IMAGES_AND_PDF,
  filesInResults: true,
  marksCache: baseURL === PROVIDERS.anthropic.baseURL,
});
