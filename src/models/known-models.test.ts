import { expect, test } from 'vitest';
import { knownFacts } from './known-models.ts';
import { PROVIDERS } from './providers/ids.ts';

const NOW = Date.UTC(2026, 10, 22);
const own = PROVIDERS.anthropic.baseURL;

test('a model is known by its name or a snapshot’s name, at the provider’s own address', () => {
  expect(knownFacts('anthropic', 'claude-sonnet-5-5', own, NOW)).toEqual({
    contextLimit: 1_000_000,
    outputLimit: 128_000,
    price: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
  });
  expect(knownFacts('anthropic', 'claude-sonnet-4-6-20260217', own, NOW).price?.input).toBe(3);
  expect(knownFacts('openai', 'gpt-5.4-2026-03-05', PROVIDERS.openai.baseURL, NOW).price?.output).toBe(15);
});

test('there is no price for other models or other servers', () => {
  expect(knownFacts('anthropic', 'claude-sonnet-5-5-turbo', own, NOW)).toEqual({});
  expect(knownFacts('anthropic', 'claude-sonnet-5-5', 'https://proxy.example/v1', NOW)).toEqual({});
  expect(knownFacts('openai-compatible', 'gpt-5.4', undefined, NOW)).toEqual({});
});

test('an announced price replaces the current one on its date', () => {
  const gemini = (now: number) => knownFacts('google', 'gemini-3.8-flash', PROVIDERS.google.baseURL, now);
  expect(gemini(NOW).price?.input).toBe(0.75);
  expect(gemini(Date.UTC(2027, 0, 1)).price?.input).toBe(1.5);
});
