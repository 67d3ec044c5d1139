import { FaultError, type Fault } from '../base/fault.ts';
import type { ModelFacts } from '../session/log/cost.ts';
import type { ModelRef } from '../session/log/events.ts';
import type { NetworkRequest } from '../session/inspect/inspection.ts';
import type { Model } from '../session/request/model.ts';
import { parseURL } from './addresses.ts';
import { sdkModel } from './call.ts';
import { callDefaults } from './call-defaults.ts';
import { fetchModels, type ModelListing } from './catalogue.ts';
import { effortsOf } from './efforts.ts';
import { FAULT_TEXTS as TEXTS, fill } from '../base/fault-texts.ts';
import { modelFault } from './faults.ts';
import { browserFetch, type Fetch } from './fetch.ts';
import { knownContextLimit, knownFacts } from './known-models.ts';
import { seesPictures } from './pictures.ts';
import { factsKey, type ConfiguredProvider, type ModelsDeps } from './models-deps.ts';
import { PROVIDERS, type RemoteProvider } from './providers/ids.ts';
import { rehearse, type Rehearsal } from './rehearse.ts';
import { loadProvider, protocolOf, type ProviderAccess } from './providers/load.ts';
import { sanitizeStreams, type OnSkipped } from './stream/sanitize-stream.ts';
import { baseURLOf, keyScope } from './settings.ts';
import { traitsOf } from './traits.ts';

/** The models of remote providers. A chunk of its own, so that pages that call none do not load it. */
export class RemoteModels {
  readonly #deps: ModelsDeps;
  readonly #facts: Map<string, ModelFacts>;
  readonly #send: Fetch;

  constructor(deps: ModelsDeps, facts: Map<string, ModelFacts>) {
    this.#deps = deps;
    this.#facts = facts;
    this.#send = browserFetch(deps.fetch);
  }

  model(given: ConfiguredProvider, ref: ModelRef): Model {
    const provider = given.speaks;
    const { baseURL } = this.#access(provider, given);
    const { id: model = ref.model, ...configured } = modelIn(given, ref.model);
    const facts = { ...this.#factsOf(provider, model, given.baseURL), ...configured };
    const calls = {
      load: async (sent: (body: string) => void, cacheKey?: string, skipped: OnSkipped = () => undefined) => {
        const access = this.#usable(provider, given);
        const module = await loadProvider(provider, access.baseURL);
        const fetch = sanitizeStreams(
          reportingBody(access.fetch, sent),
          protocolOf(provider, access.baseURL),
          skipped,
        );
        return {
          model: module.languageModel({ ...access, fetch }, model),
          providerOptions: module.providerOptions(model, baseURL, cacheKey),
          settings: callDefaults(provider, model, facts.outputLimit),
          // The person may have chosen this after the model's first refusal.
          traits: traitsOf(
            module.traits(model, baseURL),
            this.#deps.leavesOutPictures?.(ref) ? { seesNoPictures: true } : facts,
          ),
        };
      },
      fault: (error: unknown, signal: AbortSignal) => this.#fault(provider, model, error, signal, given),
    };
    return sdkModel(ref, calls, facts);
  }

  /** Captures the request of a model with a variable name in place of the key; no key is shown for servers without one. */
  rehearse(given: ConfiguredProvider, name: string, request: Rehearsal): Promise<NetworkRequest> {
    const provider = given.speaks;
    const { baseURL, apiKey: known, headers } = this.#access(provider, given);
    const keyed = known !== '' || baseURL === PROVIDERS[provider].baseURL;
    const apiKey = keyed ? `$${PROVIDERS[provider].keyName}` : '';
    const { id: model = name } = modelIn(given, name);
    return rehearse(request, async (send) => {
      const module = await loadProvider(provider, baseURL);
      return {
        model: module.languageModel({ baseURL, apiKey, fetch: send, ...(headers && { headers }) }, model),
        providerOptions: module.providerOptions(model, baseURL, request.cacheKey),
        traits: traitsOf(module.traits(model, baseURL), this.#factsOf(provider, model, given.baseURL)),
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

  /** Facts from the server's own list override the others. */
  #factsOf(provider: RemoteProvider, model: string, own = this.#deps.baseURL(provider)): ModelFacts {
    const contextLimit = knownContextLimit(model);
    const efforts = effortsOf(provider, model);
    return {
      ...(efforts.length > 0 && { efforts }),
      ...(contextLimit !== undefined && { contextLimit }),
      ...(seesPictures(model) === false && { seesNoPictures: true as const }),
      ...knownFacts(provider, model, baseURLOf(provider, own), Date.now()),
      ...this.#facts.get(factsKey(provider, own, model)),
    };
  }

  /** A key is only used for the address that it was entered for, so a configuration file cannot redirect it. */
  #access(provider: RemoteProvider, given?: ConfiguredProvider): ProviderAccess {
    const own = given?.baseURL ?? this.#deps.baseURL(provider);
    return {
      baseURL: baseURLOf(provider, own),
      apiKey: this.#deps.keys.get(keyScope(provider, own)) ?? '',
      fetch: this.#send,
      ...(given?.headers && { headers: given.headers }),
    };
  }

  /** Throws where a request could not succeed. */
  #usable(provider: RemoteProvider, named?: ConfiguredProvider): ProviderAccess {
    const given = this.#access(provider, named);
    const { name, baseURL, keysAt } = PROVIDERS[provider];
    if (!/^https?:$/.test(parseURL(given.baseURL)?.protocol ?? ''))
      throw new FaultError({
        code: 'wrong-base-url',
        what: given.baseURL
          ? fill(TEXTS.notAnAddress, { address: given.baseURL })
          : fill(TEXTS.noAddress, { provider: name }),
        next: TEXTS.setAddress,
        retryable: false,
      });
    if (given.apiKey === '' && given.baseURL === baseURL)
      throw new FaultError({
        code: 'no-key',
        what: fill(TEXTS.noKey, { provider: name }),
        next: fill(TEXTS.enterKey, { url: keysAt ?? '' }),
        retryable: false,
      });
    return given;
  }

  #fault(
    provider: RemoteProvider,
    model: string,
    error: unknown,
    signal: AbortSignal,
    given?: ConfiguredProvider,
  ): Promise<Fault> {
    const { network, keys } = this.#deps;
    const { baseURL } = this.#access(provider, given);
    const context = { provider, model, baseURL, network, redact: (text: string) => keys.redact(text) };
    return modelFault(error, context, signal);
  }
}

/** Returns the facts that configuration files state about this model. The name may be any text, so only an own property counts. */
function modelIn({ models }: ConfiguredProvider, name: string): ModelFacts & { readonly id?: string } {
  return (Object.hasOwn(models, name) && models[name]) || {};
}

/** Reports the exact body that is sent: the SDK's own idea of it is not always complete. */
function reportingBody(send: Fetch, sent: (body: string) => void): Fetch {
  return (input, init) => {
    if (typeof init?.body === 'string') sent(init.body);
    return send(input, init);
  };
}
