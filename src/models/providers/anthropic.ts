import { createAnthropic } from '@ai-sdk/anthropic';
import { BROWSER_HEADER } from './anthropic-headers.ts';
import { PROVIDERS } from './ids.ts';
import type { ProviderModule } from './load.ts';

export const languageModel: ProviderModule['languageModel'] = (access, model) =>
  createAnthropic({ ...access, headers: BROWSER_HEADER })(model);

/** Each step repeats the conversation: let the API remember it. Servers that only look like Anthropic may refuse that. */
export const providerOptions: ProviderModule['providerOptions'] = (_model, baseURL) =>
  baseURL === PROVIDERS.anthropic.baseURL ? { anthropic: { cacheControl: { type: 'ephemeral' } } } : {};
