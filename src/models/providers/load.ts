import { parseURL } from '../addresses.ts';
import type { ProviderOptions } from '../call-settings.ts';
import type { Fetch } from '../fetch.ts';
import type { Traits } from '../traits.ts';
import type { LanguageModelV4 } from '../types.ts';
import { PROVIDERS, type Protocol, type RemoteProvider } from './ids.ts';

export interface ProviderAccess {
  /** Has no trailing slash. */
  readonly baseURL: string;
  /** Empty where the server needs none. */
  readonly apiKey: string;
  readonly fetch: Fetch;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ProviderModule {
  readonly languageModel: (access: ProviderAccess, model: string) => LanguageModelV4;
  /** The default options for this provider, which a request may override. */
  readonly providerOptions: (model: string, baseURL: string, cacheKey?: string) => ProviderOptions;
  readonly traits: (model: string, baseURL: string) => Traits;
}

/** The protocol that is spoken at this address. */
export function protocolOf(provider: RemoteProvider, baseURL: string): Protocol {
  const { protocol } = PROVIDERS[provider];
  return protocol === 'openai' && !isOpenAI(baseURL) ? 'openai-compatible' : protocol;
}

/** Each protocol is its own chunk, loaded when one of its models is called. */
export function loadProvider(provider: RemoteProvider, baseURL: string): Promise<ProviderModule> {
  switch (protocolOf(provider, baseURL)) {
    case 'openai':
      return import('./openai.ts');
    case 'anthropic':
      return import('./anthropic.ts');
    case 'google':
      return import('./google.ts');
    case 'openai-compatible':
      return import('./openai-compatible.ts');
  }
}

/** OpenAI speaks its newer protocol in every region; proxies and compatible servers speak the older one. */
function isOpenAI(baseURL: string): boolean {
  return /(^|\.)api\.openai\.com$/.test(parseURL(baseURL)?.hostname ?? '');
}
