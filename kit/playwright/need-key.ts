import { PROVIDERS } from '../../src/models/providers/ids.ts';
import type { ModelSettings } from './page-calls.ts';

/**
 * Throws if the provider answers nobody without a key, and there is none. A server at an address of its own may need none.
 * `how` says how a key is given.
 */
export function requireKey({ provider, baseURL, apiKey }: ModelSettings, how: string): void {
  const { name, baseURL: usual, keysAt } = PROVIDERS[provider];
  if (apiKey || usual === undefined || (baseURL !== undefined && baseURL !== usual)) return;
  throw new Error(`${name} needs a key, and there is none. ${how} Keys are made at ${keysAt ?? usual}.`);
}
