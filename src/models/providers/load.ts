import { parseURL } from '../addresses.ts';
import type { ProviderOptions } from '../call-settings.ts';
import type { Fetch } from '../fetch.ts';
import type { Traits } from '../traits.ts';
import type { LanguageModelV4 } from '../types.ts';
import type { RemoteProvider } from './ids.ts';

export interface ProviderAccess {
  /** Without a trailing slash. */
  readonly baseURL: string;
  /** Empty where the server wants none. */
  readonly apiKey: string;
  readonly fetch: Fetch;
}

export interface ProviderModule {
  readonly languageModel: (access: ProviderAccess, model: string) => LanguageModelV4;
  /** What this provider is always asked, unless a request says otherwise. */
  readonly providerOptions: (model: string, baseURL: string, cacheKey?: string) => ProviderOptions;
  readonly traits: (model: string, baseURL: string) => Traits;
}

/** Each provider is its own chunk, loaded when one of its models is called. */
export function loadProvider(provider: RemoteProvider, baseURL: string): Promise<ProviderModule> {
  switch (provider) {
    case 'openai':
      return isOpenAI(baseURL) ? import('./openai.ts') : import('./openai-compatible.ts');
    case 'anthropic':
      return import('./anthropic.ts');
    case 'google':
      return import('./google.ts');
    case 'openrouter':
    case 'openai-compatible':
      return import('./openai-compatible.ts');
  }
}

/** Its newer protocol is spoken by OpenAI, in any region; proxies and look-alikes speak the older one. */
function isOpenAI(baseURL: string): boolean {
  return /(^|\.)api\.openai\.com$/.test(parseURL(baseURL)?.hostname ?? '');
}
