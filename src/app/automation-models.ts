import { FaultError } from '../base/fault.ts';
import type { ModelRef } from '../session/log/events.ts';
import { ONLY_MODELS } from '../ui/only-models.ts';
import type { ModelSettings } from './model-settings.ts';

/** Rejects with a fault if it is known without asking anybody that the provider has no such model. */
export async function requireModel(
  models: Pick<ModelSettings, 'hasScript'>,
  { provider, model }: ModelRef,
): Promise<void> {
  const only = ONLY_MODELS.get(provider);
  const isThere =
    provider === 'scripted' ? await models.hasScript(model) : only === undefined || model === only;
  if (isThere) return;
  throw new FaultError({
    code: 'model-unknown',
    what: `The provider ${provider} has no model of this name.`,
    where: model,
    next:
      only === undefined
        ? 'Name a model for which configure() has set a script.'
        : `Its one model is ${only}; leave model out.`,
  });
}
