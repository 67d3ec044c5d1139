import { FaultError, type Fault } from '../base/fault.ts';
import type { ModelFacts } from '../session/cost.ts';
import type { ModelRef } from '../session/events.ts';
import type { NetworkRequest } from '../session/inspect/inspection.ts';
import type { Model } from '../session/model.ts';
import { parseURL } from './addresses.ts';
import { sdkModel } from './call.ts';
import { callDefaults } from './call-defaults.ts';
import { fetchModels, type ModelListing } from './catalogue.ts';
import { effortsOf } from './efforts.ts';
import { modelFault } from './faults.ts';
import { browserFetch, type Fetch } from './fetch.ts';
import { knownContextLimit, knownFacts } from './known-models.ts';
import { factsKey, type ModelsDeps } from './models.ts';
import { PROVIDERS, type RemoteProvider } from './providers/ids.ts';
import { KEY_NAMES, rehearse, type Rehearsal } from './rehearse.ts';
import { loadProvider, type ProviderAccess } from './providers/load.ts';
import { baseURLOf, keyScope } from './settings.ts';

/** The models of providers: their own chunk, so that a page that calls none does not wait for it. */
export class RemoteModels {
  readonly #deps: ModelsDeps;
  readonly #facts: Map<string, ModelFacts>;
  readonly #send: Fetch;

  constructor(deps: ModelsDeps, facts: Map<string, ModelFacts>) {
    this.#deps = deps;
    this.#facts = facts;
    this.#send = browserFetch(deps.fetch);
  }

  model(provider: RemoteProvider, ref: ModelRef): Model {
    const { baseURL } = this.#access(provider);
    const facts = this.#factsOf(provider, ref.model);
    const calls = {
      load: async (sent: (body: string) => void, cacheKey?: string) => {
        const given = this.#usable(provider);
        const module = await loadProvider(provider, given.baseURL);
        return {
          model: module.languageModel({ ...given, fetch: tellingBody(given.fetch, sent) }, ref.model),
          providerOptions: module.providerOptions(ref.model, baseURL, cacheKey),
          settings: callDefaults(provider, ref.model, facts.outputLimit),
          traits: module.traits(ref.model, baseURL),
        };
      },
      fault: (error: unknown, signal: AbortSignal) => this.#fault(provider, ref.model, error, signal),
    };
    return sdkModel(ref, calls, facts);
  }

  /** What a model would send, with a name in place of the key; servers that are given none get none. */
  rehearse(provider: RemoteProvider, model: string, request: Rehearsal): Promise<NetworkRequest> {
    const { baseURL, apiKey: known } = this.#access(provider);
    const keyed = known !== '' || baseURL === PROVIDERS[provider].baseURL;
    const apiKey = keyed ? `$${KEY_NAMES[provider]}` : '';
    return rehearse(request, async (send) => {
      const module = await loadProvider(provider, baseURL);
      return {
        model: module.languageModel({ baseURL, apiKey, fetch: send }, model),
        providerOptions: module.providerOptions(model, baseURL, request.cacheKey),
        traits: module.traits(model, baseURL),
      };
    });
  }

  async list(provider: RemoteProvider, signal: AbortSignal): Promise<readonly ModelListing[]> {
    try {
      const models = await fetchModels(provider, this.#usable(provider), signal);
      const own = this.#deps.baseURL(provider);
      for (const { provider: _provider, name: _name, model, ...known } of models)
        this.#facts.set(factsKey(provider, own, model), known);
      return models.map((each) => ({ ...each, ...this.#factsOf(provider, each.model) }));
    } catch (error) {
      throw new FaultError(await this.#fault(provider, '', error, signal), { cause: error });
    }
  }

  /** The list of the server goes first. */
  #factsOf(provider: RemoteProvider, model: string): ModelFacts {
    const own = this.#deps.baseURL(provider);
    const contextLimit = knownContextLimit(model);
    const efforts = effortsOf(provider, model);
    return {
      ...(efforts.length > 0 && { efforts }),
      ...(contextLimit !== undefined && { contextLimit }),
      ...knownFacts(provider, model, baseURLOf(provider, own), Date.now()),
      ...this.#facts.get(factsKey(provider, own, model)),
    };
  }

  #access(provider: RemoteProvider): ProviderAccess {
    const own = this.#deps.baseURL(provider);
    return {
      baseURL: baseURLOf(provider, own),
      apiKey: this.#deps.keys.get(keyScope(provider, own)) ?? '',
      fetch: this.#send,
    };
  }

  /** A request that cannot work is not made. */
  #usable(provider: RemoteProvider): ProviderAccess {
    const given = this.#access(provider);
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

  #fault(provider: RemoteProvider, model: string, error: unknown, signal: AbortSignal): Promise<Fault> {
    const { network, keys } = this.#deps;
    const { baseURL } = this.#access(provider);
    const context = { provider, model, baseURL, network, redact: (text: string) => keys.redact(text) };
    return modelFault(error, context, signal);
  }
}

/** The body exactly as it leaves: what the SDK calls the body of a request is not always all of it. */
function tellingBody(send: Fetch, sent: (body: string) => void): Fetch {
  return (input, init) => {
    if (typeof init?.body === 'string') sent(init.body);
    return send(input, init);
  };
}
