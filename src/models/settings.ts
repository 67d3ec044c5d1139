import * as z from 'zod/mini';
import { FaultError } from '../base/fault.ts';
import { parseURL } from './addresses.ts';
import { PROVIDERS, providerIDSchema, type RemoteProvider } from './providers/ids.ts';

/** Selects a model and its server. Contains no key. */
export const providerSettingsSchema = z
  .object({
    provider: providerIDSchema,
    /** Set only where it differs from the provider's own. */
    baseURL: z.optional(
      z
        .string()
        .check(z.trim())
        .check(
          z.refine(
            (text) => /^https?:$/.test(parseURL(text)?.protocol ?? ''),
            'must begin with https:// or http://',
          ),
        ),
    ),
    model: z.string().check(z.trim()).check(z.minLength(1, 'must name a model')),
  })
  .check(
    z.refine(({ provider, baseURL }) => provider !== 'openai-compatible' || baseURL !== undefined, {
      path: ['baseURL'],
      message: 'must be set for an OpenAI-compatible server',
    }),
  );
export type ProviderSettings = z.infer<typeof providerSettingsSchema>;

/** Throws a fault that names the invalid setting. */
export function parseProviderSettings(value: unknown): ProviderSettings {
  const result = providerSettingsSchema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const where = issue?.path.join('.') || 'settings';
  throw new FaultError({
    code: 'settings-invalid',
    what: `The model settings are not valid: ${where}: ${issue?.message ?? 'unknown'}`,
    where,
    next: 'Correct it in Settings.',
  });
}

/** The base URL in use, without a trailing slash; empty for an OpenAI-compatible server that has none yet. */
export function baseURLOf(provider: RemoteProvider, baseURL: string | undefined): string {
  return (baseURL?.trim() || PROVIDERS[provider].baseURL || '').replace(/\/+$/, '');
}

/**
 * The provider that a key belongs to and, with a custom base URL, the server too: a key entered for one server is never
 * sent to another.
 */
export function keyScope(provider: RemoteProvider, baseURL: string | undefined): string {
  const url = baseURLOf(provider, baseURL);
  if (url === PROVIDERS[provider].baseURL) return provider;
  return `${provider}@${parseURL(url)?.origin ?? ''}`;
}
