import { createGoogle } from '@ai-sdk/google';
import { ALL_MEDIA } from '../traits.ts';
import type { ProviderModule } from './load.ts';

export const languageModel: ProviderModule['languageModel'] = (access, model) => createGoogle(access)(model);

/** Models that think say what only when asked; older ones refuse the question. */
export const providerOptions: ProviderModule['providerOptions'] = (model) =>
  /gemini-(2\.5|[3-9])/.test(model) && !/image|tts|audio/.test(model)
    ? { google: { thinkingConfig: { includeThoughts: true } } }
    : {};

/** Results with files in them came with the third generation. */
export const traits: ProviderModule['traits'] = (model) => ({
  files: ALL_MEDIA,
  filesInResults: /gemini-[3-9]/.test(model),
  gemini: true,
});
