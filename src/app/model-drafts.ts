import { FaultError } from '../base/fault.ts';
import { createModels, type Models } from '../models/models.ts';
import { LOCAL_SERVERS, remoteProviderSchema, type RemoteProvider } from '../models/providers/ids.ts';
import { parseProviderSettings } from '../models/settings.ts';
import type { ModelFacts } from '../session/log/cost.ts';
import { OWN_SCRIPT, type LocalFinding, type ModelDraft, type ModelOption } from '../ui/app.ts';
import { ONLY_MODELS } from '../ui/only-models.ts';
import { lookForLocal } from './local-models.ts';
import type { ModelSettingsDeps } from './model-settings.ts';
import { tryModel } from './model-trial.ts';

const LIST_TIMEOUT_MS = 15_000;

/** Models with settings that are still being edited. The page fetches this code with the settings. */
export class ModelDrafts {
  readonly #deps: ModelSettingsDeps;
  /** Gets what the providers' lists say about their models. */
  readonly #facts: Map<string, ModelFacts>;

  constructor(deps: ModelSettingsDeps, facts: Map<string, ModelFacts>) {
    this.#deps = deps;
    this.#facts = facts;
  }

  async list(draft: ModelDraft): Promise<readonly ModelOption[]> {
    const only = ONLY_MODELS.get(draft.provider);
    if (only !== undefined) return [{ id: only }];
    if (draft.provider === 'scripted') return [{ id: OWN_SCRIPT }];
    return this.#options(draft, AbortSignal.timeout(LIST_TIMEOUT_MS));
  }

  lookForLocal(): Promise<readonly LocalFinding[]> {
    return lookForLocal(this.#deps.localServers ?? LOCAL_SERVERS, (baseURL, signal) =>
      this.#options({ provider: 'openai-compatible', baseURL, model: '' }, signal),
    );
  }

  async test(draft: ModelDraft): Promise<void> {
    const { provider, model } = parseProviderSettings(draft);
    if (provider !== 'you') await tryModel(await this.#models(draft).model({ provider, model }));
  }

  async #options(draft: ModelDraft, signal: AbortSignal): Promise<readonly ModelOption[]> {
    const listed = await this.#models(draft).list(remote(draft.provider), signal);
    const options = listed.map(({ model, name, contextLimit, price }) => ({
      id: model,
      ...(name !== undefined && { name }),
      ...(contextLimit !== undefined && { contextLimit }),
      ...(price?.input === 0 && price.output === 0 && { free: true as const }),
    }));
    return [...options.filter(({ free }) => free), ...options.filter(({ free }) => !free)];
  }

  #models(draft: ModelDraft): Models {
    const { keys, network, you } = this.#deps;
    return createModels({
      baseURL: () => draft.baseURL,
      script: () => undefined,
      keys: {
        get: (scope) => draft.apiKey ?? keys.get(scope),
        redact: (text) => {
          const clean = keys.redact(text);
          return draft.apiKey ? clean.replaceAll(draft.apiKey, '[redacted key]') : clean;
        },
      },
      network,
      you,
      facts: this.#facts,
    });
  }
}

function remote(provider: string): RemoteProvider {
  const parsed = remoteProviderSchema.safeParse(provider);
  if (parsed.success) return parsed.data;
  throw new FaultError({
    code: 'unknown-provider',
    what: `There is no provider "${provider}".`,
    next: `Choose one of: ${remoteProviderSchema.options.join(', ')}.`,
  });
}
