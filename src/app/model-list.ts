import type { ConfiguredProvider } from '../models/models-deps.ts';
import { remoteProviderSchema } from '../models/providers/ids.ts';
import { serverID, serverOf } from '../base/server-ids.ts';
import { baseURLOf, parseProviderSettings, type ProviderSettings } from '../models/settings.ts';
import type { ModelRef } from '../session/log/events.ts';
import type { StoredModels } from './model-settings.ts';
import { remembered } from './remembered-models.ts';

/**
 * The stored settings with another choice. The id of a provider stands for the address that was chosen last; models of
 * the address before stay in the list under the id that names it.
 */
export function withChoice(
  before: StoredModels,
  { provider, model, baseURL }: ProviderSettings,
): StoredModels {
  const baseURLs = { ...before.baseURLs };
  const old = addressOf(provider, baseURLs[provider]);
  if (baseURL === undefined) delete baseURLs[provider];
  else baseURLs[provider] = baseURL;
  const chosen = addressOf(provider, baseURL);
  const renamed = (ref: ModelRef): ModelRef[] => {
    if (old === chosen) return [ref];
    if (ref.provider === serverID(provider, chosen)) return [{ ...ref, provider }];
    if (ref.provider !== provider) return [ref];
    // A server that had no address yet has no models.
    return old === '' ? [] : [{ ...ref, provider: serverID(provider, old) }];
  };
  const [small] = before.small ? renamed(before.small) : [];
  return {
    choice: { provider, model },
    baseURLs,
    saved: [...remembered((before.saved ?? []).flatMap(renamed), { provider, model })],
    ...(small && { small }),
  };
}

/** The servers that the ids of the person's own models name. */
export function serversOf({ saved = [], small, baseURLs }: StoredModels): readonly ConfiguredProvider[] {
  const current = Object.entries(baseURLs).map(([provider, baseURL]) =>
    serverID(provider, addressOf(provider, baseURL)),
  );
  const ids = new Set([...saved, ...(small ? [small] : [])].map(({ provider }) => provider).concat(current));
  return [...ids].flatMap((id) => {
    const { provider, baseURL } = serverOf(id);
    const known = remoteProviderSchema.safeParse(provider);
    return known.success && baseURL !== undefined ? { id, speaks: known.data, baseURL, models: {} } : [];
  });
}

function addressOf(provider: string, baseURL: string | undefined): string {
  const known = remoteProviderSchema.safeParse(provider);
  return known.success ? baseURLOf(known.data, baseURL) : '';
}

/** The stored settings without a model in their list. If it was the default, the one that was chosen before it is that now. */
export function without(stored: StoredModels, { provider, model }: ModelRef): StoredModels {
  const { small, choice, ...rest } = stored;
  const isIt = (ref: ModelRef) => ref.provider === provider && ref.model === model;
  const saved = (rest.saved ?? []).filter((ref) => !isIt(ref));
  const left = { ...rest, saved, ...(small && !isIt(small) && { small }) };
  if (!choice || !isIt(choice)) return { ...left, choice };
  const [next] = saved;
  if (!next) return { ...left, choice: null };
  const server = serverOf(next.provider);
  const baseURL = server.baseURL ?? left.baseURLs[server.provider];
  const chosen = parseProviderSettings({
    ...server,
    model: next.model,
    ...(baseURL !== undefined && { baseURL }),
  });
  return withChoice({ ...left, choice: null }, chosen);
}

/** The stored settings with another model for titles and summaries; `null` leaves these to each session's own. */
export function withSmall({ small: _small, ...rest }: StoredModels, chosen: ModelRef | null): StoredModels {
  return { ...rest, ...(chosen && { small: { provider: chosen.provider, model: chosen.model } }) };
}
