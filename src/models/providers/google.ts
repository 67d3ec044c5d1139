import { createGoogle } from '@ai-sdk/google';
import { ALL_MEDIA } from '../traits.ts';
import type { ProviderModule } from './load.ts';

export const languageModel: ProviderModule['languageModel'] = (access, model) => createGoogle(access)(model);

/** Thinking models return their thoughts only on request; older models refuse the option. */
export const providerOptions: ProviderModule['providerOptions'] = (model) =>
  /gemini-(2\.5|[3-9])/.test(model) && !/image|tts|audio/.test(model)
    ? { google: { thinkingConfig: { includeThoughts: true } } }
    : {};

/** Files in results are supported since Gemini 3. */
export const traits: ProviderModule['traits'] = (model) => ({
  files: ALL_MEDIA,
  filesInResults: /gemini-[3-9]/.test(model),
  gemini: true,
});
