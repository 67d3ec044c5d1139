import { remoteProviderSchema } from '../models/providers/ids.ts';
import { serverOf } from '../base/server-ids.ts';
import type { ModelRef } from '../session/log/events.ts';

/** The list with a model at its front, as far as it is one that a provider serves. */
export function remembered(saved: readonly ModelRef[], { provider, model }: ModelRef): readonly ModelRef[] {
  const isListed =
    provider === 'browser' || remoteProviderSchema.safeParse(serverOf(provider).provider).success;
  if (!isListed) return saved;
  const others = saved.filter((each) => provider !== each.provider || model !== each.model);
  return [{ provider, model }, ...others];
}
