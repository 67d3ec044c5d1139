import { expect, test } from 'vitest';
import { fittingEffort } from '../session/log/effort.ts';
import { effortsOf } from './efforts.ts';
import type { RemoteProvider } from './providers/ids.ts';

// The rows come from the catalogue of the pinned SDK; the links are the providers' own documentation.
test.for<[RemoteProvider, string, string]>([
  // https://developers.openai.com/api/docs/guides/reasoning
  ['openai', 'gpt-6.1-sol', 'low medium high xhigh max'],
  ['openai', 'gpt-5.4', 'none low medium high xhigh'],
  ['openai', 'gpt-5.4-mini-2026-03-01', 'none low medium high xhigh'],
  ['openai', 'gpt-5.1', 'none low medium high'],
  ['openai', 'gpt-5-2025-08-07', 'minimal low medium high'],
  ['openai', 'o4-mini', 'low medium high'],
  ['openai', 'gpt-5-chat-latest', ''],
  ['openai', 'gpt-5-pro', ''],
  ['openai', 'gpt-4.1', ''],
  // https://platform.claude.com/docs/en/build-with-claude/effort
  ['anthropic', 'claude-sonnet-5-5', 'low medium high xhigh max'],
  ['anthropic', 'claude-haiku-5-5', 'none low medium high xhigh max'],
  ['anthropic', 'claude-sonnet-4-6', 'none low medium high max'],
  ['anthropic', 'claude-haiku-4-5-20251001', 'none low medium high'],
  ['anthropic', 'claude-sonnet-4-20250514', 'none low medium high'],
  ['anthropic', 'claude-3-haiku-20240307', ''],
  // https://ai.google.dev/gemini-api/docs/thinking
  ['google', 'gemini-3.8-flash', 'low medium high'],
  ['google', 'gemini-2.5-pro', 'low medium high'],
  ['google', 'gemini-2.5-flash', 'none low medium high'],
  ['google', 'gemini-2.0-flash', ''],
  ['openai-compatible', 'openai/gpt-oss-120b', 'low medium high'],
  ['openai-compatible', 'llama3', ''],
  ['openrouter', 'openai/gpt-5.4', ''],
])('%s %s: %s', ([provider, model, efforts]) => {
  expect(effortsOf(provider, model).join(' ')).toBe(efforts);
});

test('an effort that a model does not offer becomes the next lower one, else its lowest', () => {
  expect(fittingEffort('max', ['low', 'high'])).toBe('high');
  expect(fittingEffort('medium', ['low', 'high'])).toBe('low');
  expect(fittingEffort('none', ['low', 'high'])).toBe('low');
  expect(fittingEffort('high', ['low', 'high'])).toBe('high');
  expect(fittingEffort('high', [])).toBeUndefined();
});
