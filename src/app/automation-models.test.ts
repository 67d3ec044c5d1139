import { expect, test } from 'vitest';
import { requireModel } from './automation-models.ts';

const models = { hasScript: async (model: string) => model === 'm' };

test.each([
  ['scripted', 'm'],
  ['you', 'you'],
  ['openai', 'gpt-new'],
])('%s may have a model %s', async (provider, model) => {
  await requireModel(models, { provider, model });
});

test.each([
  ['scripted', 'other', 'configure()'],
  ['you', 'gpt-5', 'Its one model is you'],
])('%s has no model %s', async (provider, model, next) => {
  await expect(requireModel(models, { provider, model })).rejects.toMatchObject({
    fault: { code: 'model-unknown', where: model, next: expect.stringContaining(next) as string },
  });
});
