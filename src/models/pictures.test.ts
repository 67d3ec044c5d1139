import { expect, test } from 'vitest';
import { seesPictures } from './pictures.ts';
import { KNOWN_MODELS } from './known-models.ts';

test.each([
  'gpt-3.5-turbo',
  'openai/gpt-3.5-turbo-0125',
  'gpt-4',
  'gpt-4-0613',
  'o1-mini',
  'o3-mini',
  'gpt-oss:20b',
  'openai/gpt-oss-120b',
  'deepseek-chat',
  'deepseek-r1:8b',
  'codestral-latest',
])('%s sees no pictures', (model) => {
  expect(seesPictures(model)).toBe(false);
});

test.each([
  'gpt-4o-mini',
  'gpt-4.1',
  'gpt-5-nano',
  'o3',
  'o4-mini',
  'claude-3-haiku-20240307',
  'anthropic/claude-sonnet-4.5',
  'gemini-2.5-flash',
  'llama3.2-vision:11b',
  'llava:7b',
  'qwen2.5vl:7b',
  'qwen/qwen2.5-vl-72b-instruct',
  'pixtral-12b',
])('%s sees pictures', (model) => {
  expect(seesPictures(model)).toBe(true);
});

test.each(['llama3.1:8b', 'qwen2.5-coder:7b', 'gemma3:1b', 'my-model'])('of %s it is not known', (model) => {
  expect(seesPictures(model)).toBeUndefined();
});

test('what is offered without a list is known', () => {
  for (const models of Object.values(KNOWN_MODELS))
    for (const { id } of models) expect(seesPictures(id), id).toBe(true);
});
