import type { ModelRef } from '../session/log/events.ts';
import type { StoredModels } from './model-settings.ts';

/** The stored settings without a model in their list. */
export function without({ small, ...rest }: StoredModels, { provider, model }: ModelRef): StoredModels {
  const isIt = (ref: ModelRef) => ref.provider === provider && ref.model === model;
  return {
    ...rest,
    saved: (rest.saved ?? []).filter((ref) => !isIt(ref)),
    ...(small && !isIt(small) && { small }),
  };
}

/** The stored settings with another model for titles and summaries; `null` leaves these to each session's own. */
export function withSmall({ small: _small, ...rest }: StoredModels, chosen: ModelRef | null): StoredModels {
  return { ...rest, ...(chosen && { small: { provider: chosen.provider, model: chosen.model } }) };
}
