import { FaultError, type Fault } from '../base/fault.ts';
import { timeoutTimer, type Timer } from '../base/timer.ts';
import type { ModelFacts } from '../session/cost.ts';
import type { ModelRef } from '../session/events.ts';
import type { Model } from '../session/model.ts';
import { parseURL } from './addresses.ts';
import { builtInModels, fetchModels, type ModelListing } from './catalogue.ts';
import { modelFault } from './faults.ts';
import { browserFetch, type Fetch } from './fetch.ts';
import type { KeyStore } from './keys.ts';
import { knownContextLimit, knownFacts } from './known-models.ts';
import type { Network } from './network-faults.ts';
import { PROVIDERS, remoteProviderSchema, type RemoteProvider } from './providers/ids.ts';
import { loadProvider, type ProviderAccess } from './providers/load.ts';
import type { ScriptPlan } from './script/plan.ts';
import type { Script } from './script/schema.ts';
import { baseURLOf, keyScope } from './settings.ts';

export interface ModelsDeps {
  /** The base URL a person set for a provider, where it differs from the provider's own. */
  baseURL(provider: RemoteProvider): string | undefined;
  /** The script that the scripted model of this name plays. */
  script(model: string): Script | undefined;
  readonly keys: Pick<KeyStore, 'get' | 'redact'>;
  readonly network: Network;
  readonly timer?: Timer;
  readonly fetch?: Fetch;
  /** What lists told, by {@link factsKey}; shared by all who fetch and use them. */
  readonly facts?: Map<string, ModelFacts>;
}

/** Of a model at a server: another server may have one of the same name. */
export function factsKey(provider: RemoteProvider, baseURL: string | undefined, model: string): string {
  return `${keyScope(provider, baseURL)}/${model}`;
}

export interface Models {
  /** Rejects with a fault for a provider that is not known; whatever else is missing, the model's first call tells. */
  model(ref: ModelRef): Promise<Model>;
  /** The provider's own list; rejects with a fault. `builtIn` is what is known without asking. */
  list(provider: RemoteProvider, signal: AbortSignal): Promise<readonly ModelListing[]>;
  builtIn(provider: RemoteProvider): readonly ModelListing[];
}

/** Every model there is, behind the one port. Neither the SDK nor a provider is loaded before a model is called. */
export function createModels(deps: ModelsDeps): Models {
  const send = browserFetch(deps.fetch);
  const plans = new WeakMap<Script, ScriptPlan>();
  const facts = deps.facts ?? new Map<string, ModelFacts>();

  function access(provider: RemoteProvider): ProviderAccess {
    const own = deps.baseURL(provider);
    return {
      baseURL: baseURLOf(provider, own),
      apiKey: deps.keys.get(keyScope(provider, own)) ?? '',
      fetch: send,
    };
  }

  /** A request that cannot work is not made. */
  function usable(provider: RemoteProvider): ProviderAccess {
    const given = access(provider);
    const { name, baseURL, keysAt } = PROVIDERS[provider];
    if (!/^https?:$/.test(parseURL(given.baseURL)?.protocol ?? ''))
      throw new FaultError({
        code: 'wrong-base-url',
        what: given.baseURL
          ? `"${given.baseURL}" is not an address.`
          : `There is no base URL for the ${name}.`,
        next: 'Set one in Settings that begins with https:// or http://, for example http://localhost:11434/v1.',
        retryable: false,
      });
    if (given.apiKey === '' && given.baseURL === baseURL)
      throw new FaultError({
        code: 'no-key',
        what: `There is no API key for ${name}.`,
        next: `Enter one in Settings. Keys are made at ${keysAt}.`,
        retryable: false,
      });
    return given;
  }

  function faultWith(provider: RemoteProvider | 'scripted', model: string) {
    const baseURL = provider === 'scripted' ? '' : access(provider).baseURL;
    return (error: unknown, signal: AbortSignal): Promise<Fault> =>
      modelFault(
        error,
        { provider, model, baseURL, network: deps.network, redact: (text) => deps.keys.redact(text) },
        signal,
      );
  }

  async function scripted(ref: ModelRef): Promise<Model> {
    const fault = faultWith('scripted', ref.model);
    const script = deps.script(ref.model);
    if (!script)
      return failing(ref, {
        code: 'no-script',
        what: 'There is no script to play.',
        next: 'Load a script, or choose another model in Settings.',
        retryable: false,
      });
    const [{ bareScriptedModel }, { ScriptPlan }] = await Promise.all([
      import('./script/bare.ts'),
      import('./script/plan.ts'),
    ]);
    const plan = plans.get(script) ?? new ScriptPlan(script);
    plans.set(script, plan);
    return bareScriptedModel(ref, plan, fault, deps.timer ?? timeoutTimer);
  }

  async function remote(provider: RemoteProvider, ref: ModelRef): Promise<Model> {
    const { sdkModel } = await import('./call.ts');
    const { baseURL } = access(provider);
    const calls = {
      load: async (sent: (body: string) => void) => {
        const given = usable(provider);
        const module = await loadProvider(provider, given.baseURL);
        return {
          model: module.languageModel({ ...given, fetch: tellingBody(given.fetch, sent) }, ref.model),
          providerOptions: module.providerOptions(ref.model, baseURL),
        };
      },
      fault: faultWith(provider, ref.model),
    };
    return sdkModel(ref, calls, factsOf(provider, ref.model));
  }

  /** The list of the server goes first. */
  function factsOf(provider: RemoteProvider, model: string): ModelFacts {
    const own = deps.baseURL(provider);
    const contextLimit = knownContextLimit(model);
    return {
      ...(contextLimit !== undefined && { contextLimit }),
      ...knownFacts(provider, model, baseURLOf(provider, own), Date.now()),
      ...facts.get(factsKey(provider, own, model)),
    };
  }

  return {
    async model(ref) {
      if (ref.provider === 'scripted') return await scripted(ref);
      const provider = remoteProviderSchema.safeParse(ref.provider);
      if (provider.success) return await remote(provider.data, ref);
      throw new FaultError({
        code: 'unknown-provider',
        what: `There is no provider "${ref.provider}".`,
        next: `Choose one of: ${[...remoteProviderSchema.options, 'scripted'].join(', ')}.`,
      });
    },
    async list(provider, signal) {
      try {
        const models = await fetchModels(provider, usable(provider), signal);
        const own = deps.baseURL(provider);
        for (const { provider: _provider, name: _name, model, ...known } of models)
          facts.set(factsKey(provider, own, model), known);
        return models.map((each) => ({ ...each, ...factsOf(provider, each.model) }));
      } catch (error) {
        throw new FaultError(await faultWith(provider, '')(error, signal), { cause: error });
      }
    },
    builtIn: builtInModels,
  };
}

/** The body exactly as it leaves: what the SDK calls the body of a request is not always all of it. */
function tellingBody(send: Fetch, sent: (body: string) => void): Fetch {
  return (input, init) => {
    if (typeof init?.body === 'string') sent(init.body);
    return send(input, init);
  };
}

function failing(ref: ModelRef, fault: Fault): Model {
  return {
    ref,
    async *stream() {
      yield { type: 'error', fault };
      yield { type: 'finish', reason: 'error', usage: {} };
    },
  };
}
