import * as z from 'zod/mini';
import { FaultError } from '../base/fault.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { Timer } from '../base/timer.ts';
import type { SettingsStore } from '../base/settings-store.ts';
import { effortsOf } from '../models/efforts.ts';
import type { KeyStore } from '../models/keys.ts';
import { factsKey, type ConfiguredProvider } from '../models/models-deps.ts';
import { createModels, type Models } from '../models/models.ts';
import type { Network } from '../models/fault-context.ts';
import {
  LOCAL_SERVERS,
  PROVIDERS,
  remoteProviderSchema,
  type RemoteProvider,
} from '../models/providers/ids.ts';
import { keyScope, parseProviderSettings } from '../models/settings.ts';
import type { Rehearsal } from '../models/rehearse.ts';
import type { Script } from '../models/types.ts';
import type { YouQueue } from '../models/you/queue.ts';
import type { ModelFacts } from '../session/log/cost.ts';
import { effortSchema, type Effort } from '../session/log/effort.ts';
import type { ModelRef } from '../session/log/events.ts';
import type { NetworkRequest } from '../session/inspect/inspection.ts';
import type { Model } from '../session/request/model.ts';
import { OWN_SCRIPT } from '../ui/app.ts';
import type { AppModels, KeyChange, ModelChoice, ModelDraft, ModelOption, ProviderInfo } from '../ui/app.ts';

const SETTING = 'models';
const LIST_TIMEOUT_MS = 15_000;
const TEST_TIMEOUT_MS = 60_000;
const SCRIPTED: ProviderInfo = { id: 'scripted', name: 'Scripted', key: 'none', addresses: [] };
const YOU: ProviderInfo = { id: 'you', name: 'You are the model', key: 'none', addresses: [] };

const ratesSchema = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.exactOptional(z.number()),
  cacheWrite: z.exactOptional(z.number()),
});
const factsSchema = z.object({
  contextLimit: z.exactOptional(z.number()),
  outputLimit: z.exactOptional(z.number()),
  price: z.exactOptional(ratesSchema),
  efforts: z.exactOptional(z.readonly(z.array(effortSchema))),
  seesNoPictures: z.exactOptional(z.literal(true)),
});

/**
 * The stored settings: the choice, each provider's base URL if one was given, and what the provider's list says about
 * the chosen model. No keys.
 */
const storedSchema = z.object({
  choice: z.nullable(z.object({ provider: z.string(), model: z.string() })),
  baseURLs: z.record(z.string(), z.string()),
  facts: z.exactOptional(z.object({ key: z.string(), facts: factsSchema })),
});
type Stored = z.infer<typeof storedSchema>;

export interface ModelSettingsDeps {
  readonly settings: SettingsStore;
  readonly keys: KeyStore;
  readonly network: Network;
  readonly timer: Timer;
  /** The queue of requests that the person answers as the model. */
  readonly you: Pick<YouQueue, 'ask'>;
  /** The script that a scripted model plays. */
  script(model: string): Script | undefined | Promise<Script | undefined>;
  /** The playback of the recording that runs under this name. */
  recorded?(model: string): Model | undefined;
}

/** The settings of the model: which one, at which address, with which key. */
export class ModelSettings implements AppModels {
  readonly providers: readonly ProviderInfo[] = [...remoteProviderSchema.options.map(infoOf), SCRIPTED, YOU];

  readonly #deps: ModelSettingsDeps;
  readonly #changed = new Listeners<void>();
  readonly #models: Models;
  /** Models from the lists that were loaded since the page started. */
  readonly #facts = new Map<string, ModelFacts>();
  #stored: Stored = { choice: null, baseURLs: {} };

  constructor(deps: ModelSettingsDeps) {
    this.#deps = deps;
    this.#models = createModels({
      baseURL: (provider) => this.#stored.baseURLs[provider],
      script: (model) => deps.script(model),
      recorded: (model) => deps.recorded?.(model),
      keys: deps.keys,
      network: deps.network,
      timer: deps.timer,
      you: deps.you,
      facts: this.#facts,
    });
  }

  async load(): Promise<void> {
    const stored = storedSchema.safeParse(await this.#deps.settings.get(SETTING));
    // Settings of another version stay stored until the person chooses again.
    if (stored.success) this.#stored = stored.data;
    const kept = this.#stored.facts;
    if (kept && !this.#facts.has(kept.key)) this.#facts.set(kept.key, kept.facts);
    this.#changed.emit();
  }

  choice(): ModelChoice | null {
    const { choice, baseURLs } = this.#stored;
    if (!choice) return null;
    const baseURL = baseURLs[choice.provider];
    return { ...choice, ...(baseURL !== undefined && { baseURL }) };
  }

  isSetUp(provider: string, given: readonly ConfiguredProvider[] = []): boolean {
    const named = given.find(({ id }) => id === provider);
    // A server of the person's own may need no key; its answer will tell.
    if (named?.baseURL !== undefined) return true;
    if (named) return this.isSetUp(named.speaks);
    const info = this.providers.find(({ id }) => id === provider);
    const baseURL = this.#stored.baseURLs[provider];
    if (!info || info.key === 'none') return false;
    if (info.key === 'required') return this.keyOf(provider, baseURL) !== 'none';
    return baseURL !== undefined;
  }

  efforts({ provider, model }: ModelChoice): readonly Effort[] {
    const known = remoteProviderSchema.safeParse(provider);
    if (!known.success) return [];
    const key = factsKey(known.data, this.#stored.baseURLs[known.data], model);
    return this.#facts.get(key)?.efforts ?? effortsOf(known.data, model);
  }

  refuses({ provider, model }: ModelChoice, mediaType: string): boolean {
    const known = remoteProviderSchema.safeParse(provider);
    if (!known.success) return false;
    // Servers of other addresses take pictures alone; whether their models see them is not in their lists.
    if (mediaType === 'application/pdf') return known.data === 'openai-compatible';
    const key = factsKey(known.data, this.#stored.baseURLs[known.data], model);
    return mediaType.startsWith('image/') && this.#facts.get(key)?.seesNoPictures === true;
  }

  async choose(choice: ModelChoice, key?: KeyChange): Promise<void> {
    const { provider, model, baseURL } = parseProviderSettings(choice);
    const baseURLs = { ...this.#stored.baseURLs };
    if (baseURL === undefined) delete baseURLs[provider];
    else baseURLs[provider] = baseURL;
    this.#stored = { choice: { provider, model }, baseURLs };
    this.#changed.emit();
    const known = remoteProviderSchema.safeParse(provider);
    if (key && known.success) {
      const scope = keyScope(known.data, baseURL);
      const value = key.value ?? this.#deps.keys.get(scope);
      if (value !== undefined) await this.#deps.keys.set(scope, value, { remember: key.remember });
      this.#changed.emit();
    }
    // The script of a test or a demo lives as long as the page, and so does the choice of it.
    if (provider !== SCRIPTED.id || model === OWN_SCRIPT) await this.#store();
    if (provider === 'openrouter' && !this.#facts.has(factsKey(provider, baseURL, model))) {
      // Only the list has prices and limits. Without them only tokens are counted, and everything else works.
      void this.#learn(choice).catch(() => undefined);
    }
  }

  async #learn(choice: ModelChoice): Promise<void> {
    await this.list(choice);
    if (this.#stored.choice?.model !== choice.model) return;
    this.#changed.emit();
    await this.#store();
  }

  async #store(): Promise<void> {
    const { choice, baseURLs } = this.#stored;
    const known = remoteProviderSchema.safeParse(choice?.provider);
    const key = known.success && choice && factsKey(known.data, baseURLs[known.data], choice.model);
    const facts = key ? this.#facts.get(key) : undefined;
    this.#stored = { choice, baseURLs, ...(key && facts && { facts: { key, facts } }) };
    await this.#deps.settings.set(SETTING, this.#stored);
  }

  baseURLOf(provider: string): string | undefined {
    return this.#stored.baseURLs[provider];
  }

  keyOf(provider: string, baseURL?: string): 'none' | 'tab' | 'device' {
    const known = remoteProviderSchema.safeParse(provider);
    if (!known.success) return 'none';
    const scope = keyScope(known.data, baseURL);
    if (this.#deps.keys.get(scope) === undefined) return 'none';
    return this.#deps.keys.isRemembered(scope) ? 'device' : 'tab';
  }

  async forgetKey(provider: string, baseURL?: string): Promise<void> {
    await this.#deps.keys.forget(keyScope(remote(provider), baseURL));
    this.#changed.emit();
  }

  async list(draft: ModelDraft): Promise<readonly ModelOption[]> {
    if (draft.provider === YOU.id) return [{ id: YOU.id }];
    if (draft.provider === SCRIPTED.id) return [{ id: OWN_SCRIPT }];
    const provider = remote(draft.provider);
    const listed = await this.#draftModels(draft).list(provider, AbortSignal.timeout(LIST_TIMEOUT_MS));
    return listed.map(({ model, name, contextLimit }) => ({
      id: model,
      ...(name !== undefined && { name }),
      ...(contextLimit !== undefined && { contextLimit }),
    }));
  }

  async test(draft: ModelDraft): Promise<void> {
    const { provider, model: name } = parseProviderSettings(draft);
    // The person is waiting for the answer, so a timeout is safe.
    if (provider === YOU.id) return;
    const model = await this.#draftModels(draft).model({ provider, model: name });
    const request = {
      system: 'Answer with one word.',
      messages: [{ role: 'user', content: 'Are you there?' } as const],
      tools: [],
      settings: {},
      signal: AbortSignal.timeout(TEST_TIMEOUT_MS),
      onBody: () => {},
    };
    let finished = false;
    for await (const part of model.stream(request)) {
      if (part.type === 'error') throw new FaultError(part.fault);
      finished = part.type === 'finish';
    }
    if (!finished)
      throw new FaultError({
        code: 'timeout',
        what: `The model did not answer within ${TEST_TIMEOUT_MS / 1000} seconds.`,
        next: 'Check that the server is running and the model is loaded, then try again.',
      });
  }

  model(ref: ModelRef, given?: readonly ConfiguredProvider[]): Promise<Model> {
    return this.#models.model(ref, given);
  }

  rehearse(
    ref: ModelRef,
    request: Rehearsal,
    given?: readonly ConfiguredProvider[],
  ): Promise<NetworkRequest | null> {
    return this.#models.rehearse(ref, request, given);
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  /** Models with settings that are still being edited. */
  #draftModels(draft: ModelDraft): Models {
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

function infoOf(id: RemoteProvider): ProviderInfo {
  const { name, keysAt } = PROVIDERS[id];
  const local = id === 'openai-compatible';
  return {
    id,
    name,
    key: local ? 'optional' : 'required',
    addresses: local ? LOCAL_SERVERS : [],
    ...(keysAt !== undefined && { keysAt }),
  };
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
