import { expect, test } from 'vitest';
import { requireProvider } from './provider.ts';

test('a provider has one of the known names', () => {
  expect(requireProvider('openai-compatible')).toBe('openai-compatible');
  expect(() => requireProvider('opnai')).toThrow(
    'There is no provider "opnai" whose models a test can use. There are openai, anthropic, google, openrouter, openai-compatible.',
  );
  expect(() => requireProvider('scripted')).toThrow('A script is played by model.script().');
});
