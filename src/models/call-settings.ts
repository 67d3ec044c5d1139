import * as z from 'zod';
import type { JsonObject } from '../base/json.ts';

const providerOptionsSchema = z.record(z.string(), z.record(z.string(), z.json()));

/** The settings that a model call understands; other keys of a request's settings are ignored here. */
const callSettingsSchema = z.object({
  maxOutputTokens: z.int().positive().optional(),
  temperature: z.number().optional(),
  topP: z.number().optional(),
  topK: z.number().optional(),
  presencePenalty: z.number().optional(),
  frequencyPenalty: z.number().optional(),
  stopSequences: z.array(z.string()).optional(),
  seed: z.int().optional(),
  reasoning: z
    .enum(['provider-default', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
    .optional(),
  providerOptions: providerOptionsSchema.optional(),
});

export type ProviderOptions = z.infer<typeof providerOptionsSchema>;
export type CallSettings = {
  [K in keyof z.infer<typeof callSettingsSchema>]?: Exclude<z.infer<typeof callSettingsSchema>[K], undefined>;
};

/** Throws a zod error that names the setting. */
export function parseCallSettings(settings: JsonObject): CallSettings {
  const entries = Object.entries(callSettingsSchema.parse(settings));
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Merges options per provider; the request's own override the defaults. */
export function mergeProviderOptions(
  defaults: ProviderOptions | undefined,
  own: ProviderOptions | undefined,
): ProviderOptions {
  const merged: ProviderOptions = { ...defaults };
  for (const [provider, values] of Object.entries(own ?? {}))
    merged[provider] = { ...merged[provider], ...values };
  return merged;
}
