import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { Timer } from '../base/timer.ts';
import type { SettingsStore } from '../base/settings-store.ts';
import { seesPictures } from '../models/pictures.ts';
import type { effortsOf } from '../models/efforts.ts';
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
import { serverOf, type Server } from '../base/server-ids.ts';
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
import { words } from '../ui/words.ts';
import type { LocalAddress } from './local-models.ts';
import { remembered } from './remembered-models.ts';
import type {
  AppModels,
  KeyChange,
  LocalFinding,
  ModelChoice,
  ModelDraft,
  ModelOption,
  ProviderInfo,
} from '../ui/app.ts';

const SETTING = 'models';
/** The providers that need neither a key nor an address. */
const WITHOUT_KEY = ['browser', 'scripted', 'you'] as const;

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

const refSchema = z.object({ provider: z.string(), model: z.string() });

/**
 * The stored settings: the choice, each provider's base URL if one was given, and what the provider's list says about
 * the chosen model. No keys.
 */
const storedSchema = z.object({
  choice: z.nullable(refSchema),
  baseURLs: z.record(z.string(), z.string()),
  facts: z.exactOptional(z.object({ key: z.string(), facts: factsSchema })),
  /** The models that were chosen before, newest first. Absent in settings of older versions. */
  saved: z.exactOptional(z.array(refSchema)),
  /** The model for titles and summaries. */
  small: z.exactOptional(refSchema),
});
export type StoredModels = z.infer<typeof storedSchema>;

export interface ModelSettingsDeps {
  readonly settings: SettingsStore;
  readonly keys: KeyStore;
  readonly network: Network;
  readonly timer: Timer;
  /** The queue of requests that the person answers as the model. */
  readonly you: Pick<YouQueue, 'ask'>;
  /** The script that a scripted model plays. */
  script(model: string): Script | undefined | Promise<Script | undefined>;
  /** The places in which servers on this machine are looked for; tests have their own. */
  readonly localServers?: readonly LocalAddress[];
  /** The playback of the recording that runs under this name. */
  recorded?(model: string): Model | undefined;
}

/** The settings of the model: which one, at which address, with which key. */
export class ModelSettings implements AppModels {
  readonly providers: readonly ProviderInfo[] = [
    ...remoteProviderSchema.options.map(infoOf),
    ...WITHOUT_KEY.map((id) => ({ id, name: words.providers[id], key: 'none' as const, addresses: [] })),
  ];

  readonly #deps: ModelSettingsDeps;
  readonly #changed = new Listeners<void>();
  readonly #models: Models;
  readonly #drafts = lazily(async () => {
    const { ModelDrafts } = await import('./model-drafts.ts');
    return new ModelDrafts(this.#deps, this.#facts);
  });
  #effortsOf: typeof effortsOf | undefined;
  /** The efforts of known models are not part of the first page. Until they are loaded, none can be chosen. */
  readonly #loadEfforts = lazily(async () => {
    this.#effortsOf = (await import('../models/efforts.ts')).effortsOf;
    this.#changed.emit();
  });
  /** Models from the lists that were loaded since the page started. */
  readonly #facts = new Map<string, ModelFacts>();
  /** The models that refused pictures and get notes in their place, until the page is loaded again. */
  readonly #withoutPictures = new Set<string>();
  #stored: StoredModels = { choice: null, baseURLs: {} };

  constructor(deps: ModelSettingsDeps) {
    this.#deps = deps;
    deps.keys.onChange(() => this.#changed.emit());
    this.#models = createModels({
      baseURL: (provider) => this.#stored.baseURLs[provider],
      script: (model) => deps.script(model),
      recorded: (model) => deps.recorded?.(model),
      keys: deps.keys,
      network: deps.network,
      timer: deps.timer,
      you: deps.you,
      facts: this.#facts,
      leavesOutPictures: (model) => this.#withoutPictures.has(modelKey(model)),
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

  saved(): readonly ModelRef[] {
    const { choice, saved = [] } = this.#stored;
    return choice ? remembered(saved, choice) : saved;
  }

  async remove(model: ModelRef): Promise<void> {
    const { without } = await import('./model-list.ts');
    await this.#replace(without({ ...this.#stored, saved: [...this.saved()] }, model));
  }

  small(): ModelRef | undefined {
    return this.#stored.small;
  }

  async chooseSmall(chosen: ModelRef | null): Promise<void> {
    await this.#replace((await import('./model-list.ts')).withSmall(this.#stored, chosen));
  }

  async #replace(stored: StoredModels): Promise<void> {
    this.#stored = stored;
    this.#changed.emit();
    await this.#store();
  }

  isSetUp(id: string, given: readonly ConfiguredProvider[] = []): boolean {
    const named = given.find((each) => each.id === id);
    // A server of the person's own may need no key; its answer will tell.
    if (named?.baseURL !== undefined) return true;
    if (named) return this.isSetUp(named.speaks);
    const { provider, baseURL } = this.#serverOf(id);
    const info = this.providers.find((each) => each.id === provider);
    // Whether it can run, its first answer tells.
    if (provider === 'browser') return true;
    if (!info || info.key === 'none') return false;
    if (info.key === 'required') return this.keyOf(provider, baseURL) !== 'none';
    return baseURL !== undefined;
  }

  /** The provider that an id names, and its address: that of the id, or else the one that is set. */
  #serverOf(id: string): Server {
    const server = serverOf(id);
    const baseURL = server.baseURL ?? this.#stored.baseURLs[server.provider];
    return { provider: server.provider, ...(baseURL !== undefined && { baseURL }) };
  }

  /** The same for an id of a provider that is asked over the network; undefined for any other. */
  #remote(
    id: string,
  ): { readonly provider: RemoteProvider; readonly baseURL: string | undefined } | undefined {
    const { provider, baseURL } = this.#serverOf(id);
    const known = remoteProviderSchema.safeParse(provider);
    return known.success ? { provider: known.data, baseURL } : undefined;
  }

  efforts({ provider, model }: ModelChoice): readonly Effort[] {
    const remote = this.#remote(provider);
    if (!remote) return [];
    const key = factsKey(remote.provider, remote.baseURL, model);
    const listed = this.#facts.get(key)?.efforts;
    if (listed) return listed;
    if (!this.#effortsOf) void this.#loadEfforts();
    return this.#effortsOf?.(remote.provider, model) ?? [];
  }

  refuses({ provider, model }: ModelChoice, mediaType: string): boolean {
    if (provider === 'browser') return true;
    const remote = this.#remote(provider);
    if (!remote) return false;
    // Servers of other addresses take pictures alone; whether their models see them is not in their lists.
    if (mediaType === 'application/pdf') return remote.provider === 'openai-compatible';
    return mediaType.startsWith('image/') && this.seesPictures({ provider, model }) === false;
  }

  leaveOutPictures(model: ModelRef): void {
    this.#withoutPictures.add(modelKey(model));
    this.#changed.emit();
  }

  seesPictures({ provider, model }: ModelChoice): boolean | undefined {
    if (provider === 'browser' || this.#withoutPictures.has(modelKey({ provider, model }))) return false;
    const remote = this.#remote(provider);
    // Scripts, recordings and the person take everything.
    if (!remote) return true;
    const facts = this.#facts.get(factsKey(remote.provider, remote.baseURL, model));
    if (facts?.seesNoPictures) return false;
    // OpenRouter's list says which of its models see none.
    return seesPictures(model) ?? (remote.provider === 'openrouter' && facts ? true : undefined);
  }

  async choose(choice: ModelChoice, key?: KeyChange): Promise<void> {
    const chosen = parseProviderSettings({ ...choice, ...serverOf(choice.provider) });
    const { provider, model, baseURL } = chosen;
    const { withChoice } = await import('./model-list.ts');
    this.#stored = withChoice({ ...this.#stored, saved: [...this.saved()] }, chosen);
    this.#changed.emit();
    const known = remoteProviderSchema.safeParse(provider);
    if (key && known.success) {
      const scope = keyScope(known.data, baseURL);
      const value = key.value ?? this.#deps.keys.get(scope);
      if (value !== undefined) await this.#deps.keys.set(scope, value, { remember: key.remember });
    }
    // The script of a test or a demo lives as long as the page, and so does the choice of it.
    if (provider !== 'scripted' || model === OWN_SCRIPT) await this.#store();
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
    const { facts: _facts, ...rest } = this.#stored;
    const { choice, baseURLs } = rest;
    const known = remoteProviderSchema.safeParse(choice?.provider);
    const key = known.success && choice && factsKey(known.data, baseURLs[known.data], choice.model);
    const facts = key ? this.#facts.get(key) : undefined;
    this.#stored = { ...rest, ...(key && facts && { facts: { key, facts } }) };
    await this.#deps.settings.set(SETTING, this.#stored);
  }

  baseURLOf(provider: string): string | undefined {
    return this.#serverOf(provider).baseURL;
  }

  nameOf(provider: string): string {
    const server = serverOf(provider);
    const { name = server.provider } = this.providers.find(({ id }) => id === server.provider) ?? {};
    return server.baseURL === undefined ? name : `${name} (${server.baseURL.replace(/^\w+:\/\//, '')})`;
  }

  keyOf(provider: string, baseURL?: string): 'none' | 'tab' | 'device' {
    const known = remoteProviderSchema.safeParse(provider);
    if (!known.success) return 'none';
    const scope = keyScope(known.data, baseURL);
    if (this.#deps.keys.get(scope) === undefined) return 'none';
    return this.#deps.keys.isRemembered(scope) ? 'device' : 'tab';
  }

  async forgetKey(provider: string, baseURL?: string): Promise<void> {
    const known = remoteProviderSchema.safeParse(provider);
    if (known.success) await this.#deps.keys.forget(keyScope(known.data, baseURL));
    this.#changed.emit();
  }

  async list(draft: ModelDraft): Promise<readonly ModelOption[]> {
    return (await this.#drafts()).list(draft);
  }

  async lookForLocal(): Promise<readonly LocalFinding[]> {
    return (await this.#drafts()).lookForLocal();
  }

  async test(draft: ModelDraft): Promise<void> {
    await (await this.#drafts()).test(draft);
  }

  async model(ref: ModelRef, given?: readonly ConfiguredProvider[]): Promise<Model> {
    return this.#models.model(ref, await this.#withServers(ref, given));
  }

  /** Whether a scripted model of this name has a script to play. */
  async hasScript(model: string): Promise<boolean> {
    return (await this.#deps.script(model)) !== undefined;
  }

  async rehearse(
    ref: ModelRef,
    request: Rehearsal,
    given?: readonly ConfiguredProvider[],
  ): Promise<NetworkRequest | null> {
    return this.#models.rehearse(ref, request, await this.#withServers(ref, given));
  }

  /** Adds the servers of the person's own models, so that no log or recording can name another one. */
  async #withServers(
    { provider }: ModelRef,
    given: readonly ConfiguredProvider[] = [],
  ): Promise<readonly ConfiguredProvider[]> {
    if (serverOf(provider).baseURL === undefined) return given;
    return [...given, ...(await import('./model-list.ts')).serversOf(this.#stored)];
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }
}

function modelKey({ provider, model }: ModelRef): string {
  return `${provider}/${model}`;
}

function infoOf(id: RemoteProvider): ProviderInfo {
  const { name, keysAt } = PROVIDERS[id];
  const local = id === 'openai-compatible';
  return {
    id,
    name: local ? words.providers[id] : name,
    key: local ? 'optional' : 'required',
    addresses: local ? LOCAL_SERVERS : [],
    ...(keysAt !== undefined && { keysAt }),
  };
}
