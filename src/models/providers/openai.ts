import { createOpenAI } from '@ai-sdk/openai';
import type { ProviderModule } from './load.ts';

export const languageModel: ProviderModule['languageModel'] = (access, model) =>
  createOpenAI(access).responses(model);

/** Conversations stay in the tab; what the model thought comes back encrypted, to be sent with the next step. */
export const providerOptions: ProviderModule['providerOptions'] = () => ({ openai: { store: false } });
