import { FaultError, type Fault } from '../base/fault.ts';
import { timeoutTimer, type Timer } from '../base/timer.ts';
import type { ModelFacts } from '../session/cost.ts';
import type { ModelRef } from '../session/events.ts';
import type { NetworkRequest } from '../session/inspect/inspection.ts';
import type { Model } from '../session/model.ts';
import type { ModelListing } from './catalogue.ts';
import type { Fetch } from './fetch.ts';
import type { KeyStore } from './keys.ts';
import type { Network } from './network-faults.ts';
import { providerIDSchema, remoteProviderSchema, type RemoteProvider } from './providers/ids.ts';
import type { Rehearsal } from './rehearse.ts';
import type { RemoteModels } from './remote.ts';
import type { ScriptPlan } from './script/plan.ts';
import type { Script } from './script/schema.ts';
import { keyScope } from './settings.ts';
import type { YouDesk } from './you/desk.ts';

export interface ModelsDeps {
  /** The base URL a person set for a provider, where it differs from the provider's own. */
  baseURL(provider: RemoteProvider): string | undefined;
  /** The script that the scripted model of this name plays. */
  script(model: string): Script | undefined | Promise<Script | undefined>;
  /** The model that plays the recording which is run under this name. */
  recorded?(model: string): Model | undefined;
  readonly keys: Pick<KeyStore, 'get' | 'redact'>;
  readonly network: Network;
  /** Where the person answers who is the model. */
  readonly you?: Pick<YouDesk, 'ask'>;
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
  /** What the model would send for this, without sending it; `null` where it sends nothing. Rejects where it cannot be told. */
  rehearse(ref: ModelRef, request: Rehearsal): Promise<NetworkRequest | null>;
  /** The provider's own list; rejects with a fault. */
  list(provider: RemoteProvider, signal: AbortSignal): Promise<readonly ModelListing[]>;
}

/** Every model there is, behind the one port. Neither the SDK nor a provider is loaded before a model is called. */
export function createModels(deps: ModelsDeps): Models {
  const plans = new WeakMap<Script, ScriptPlan>();
  const facts = deps.facts ?? new Map<string, ModelFacts>();
  let made: RemoteModels | undefined;

  async function remote(): Promise<RemoteModels> {
    const { RemoteModels } = await import('./remote.ts');
    return (made ??= new RemoteModels(deps, facts));
  }

  async function scripted(ref: ModelRef): Promise<Model> {
    const script = await deps.script(ref.model);
    if (!script)
      return failing(ref, {
        code: 'no-script',
        what: 'There is no script to play.',
        next: 'Load a script, or choose another model in Settings.',
        retryable: false,
      });
    const [{ bareScriptedModel }, { ScriptPlan }, { modelFault }] = await Promise.all([
      import('./script/bare.ts'),
      import('./script/plan.ts'),
      import('./faults.ts'),
    ]);
    const plan = plans.get(script) ?? new ScriptPlan(script);
    plans.set(script, plan);
    const redact = (text: string) => deps.keys.redact(text);
    const context = {
      provider: 'scripted',
      model: ref.model,
      baseURL: '',
      network: deps.network,
      redact,
    } as const;
    const fault = (error: unknown, signal: AbortSignal) => modelFault(error, context, signal);
    return bareScriptedModel(ref, plan, fault, deps.timer ?? timeoutTimer);
  }

  return {
    async model(ref) {
      if (ref.provider === 'scripted') return await scripted(ref);
      if (ref.provider === 'you' && deps.you) return (await import('./you/you.ts')).youModel(ref, deps.you);
      if (ref.provider === 'recorded') return deps.recorded?.(ref.model) ?? failing(ref, NOT_LOADED);
      const provider = remoteProviderSchema.safeParse(ref.provider);
      if (provider.success) return (await remote()).model(provider.data, ref);
      throw new FaultError({
        code: 'unknown-provider',
        what: `There is no provider "${ref.provider}".`,
        next: `Choose one of: ${providerIDSchema.options.join(', ')}.`,
      });
    },
    async rehearse(ref, request) {
      const provider = remoteProviderSchema.safeParse(ref.provider);
      return provider.success ? (await remote()).rehearse(provider.data, ref.model, request) : null;
    },
    list: async (provider, signal) => (await remote()).list(provider, signal),
  };
}

const NOT_LOADED: Fault = {
  code: 'no-recording',
  what: 'The recording that was run here is no longer loaded.',
  next: 'Open it and run it again, or choose a model to go on with.',
  retryable: false,
};

function failing(ref: ModelRef, fault: Fault): Model {
  return {
    ref,
    async *stream() {
      yield { type: 'error', fault };
      yield { type: 'finish', reason: 'error', usage: {} };
    },
  };
}
