import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ProviderModule } from './load.ts';

export const languageModel: ProviderModule['languageModel'] = (access, model) =>
  createOpenAICompatible({ name: 'compatible', ...access, includeUsage: true }).chatModel(model);

export const providerOptions: ProviderModule['providerOptions'] = () => ({});
