import { FaultError, type Fault } from '../base/fault.ts';
import { timeoutTimer } from '../base/timer.ts';
import type { ModelFacts } from '../session/log/cost.ts';
import type { ModelRef } from '../session/log/events.ts';
import type { NetworkRequest } from '../session/inspect/inspection.ts';
import type { Model } from '../session/request/model.ts';
import type { ModelListing } from './catalogue.ts';
import type { ConfiguredProvider, ModelsDeps } from './models-deps.ts';
import { providerIDSchema, remoteProviderSchema, type RemoteProvider } from './providers/ids.ts';
import type { Rehearsal } from './rehearse.ts';
import type { RemoteModels } from './remote.ts';
import type { ScriptPlan } from './script/plan.ts';
import type { Script } from './script/schema.ts';

export interface Models {
  /** Rejects with a fault for an unknown provider. Anything else that is missing is reported by the model's first call. */
  model(ref: ModelRef, given?: readonly ConfiguredProvider[]): Promise<Model>;
  /**
   * The network request that the model would send, without sending it; `null` for a model that sends nothing. Rejects
   * where the request cannot be remoteModels.
   */
  rehearse(
    ref: ModelRef,
    request: Rehearsal,
    given?: readonly ConfiguredProvider[],
  ): Promise<NetworkRequest | null>;
  /** The provider's own list; rejects with a fault. */
  list(provider: RemoteProvider, signal: AbortSignal): Promise<readonly ModelListing[]>;
}

/** All models behind one port. Neither the SDK nor a provider is loaded before a model is called. */
export function createModels(deps: ModelsDeps): Models {
  const plans = new WeakMap<Script, ScriptPlan>();
  const facts = deps.facts ?? new Map<string, ModelFacts>();
  let remoteModels: RemoteModels | undefined;

  async function remote(): Promise<RemoteModels> {
    const { RemoteModels } = await import('./remote.ts');
    return (remoteModels ??= new RemoteModels(deps, facts));
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
    async model(ref, given = []) {
      if (ref.provider === 'scripted') return await scripted(ref);
      if (ref.provider === 'you' && deps.you) return (await import('./you/you.ts')).youModel(ref, deps.you);
      if (ref.provider === 'browser') return (await import('./browser/built-in.ts')).browserModel(ref);
      if (ref.provider === 'recorded') return deps.recorded?.(ref.model) ?? failing(ref, NOT_LOADED);
      const provider = providerOf(ref, given);
      if (provider) return (await remote()).model(provider, ref);
      throw new FaultError({
        code: 'unknown-provider',
        what: `There is no provider "${ref.provider}".`,
        next: `Choose one of: ${providerIDSchema.options.join(', ')}.`,
      });
    },
    async rehearse(ref, request, given = []) {
      const provider = providerOf(ref, given);
      return provider ? (await remote()).rehearse(provider, ref.model, request) : null;
    },
    list: async (provider, signal) => (await remote()).list(provider, signal),
  };
}

/** The provider of a model: a configured one goes before a known one. */
function providerOf(
  { provider }: ModelRef,
  given: readonly ConfiguredProvider[],
): ConfiguredProvider | undefined {
  const named = given.find(({ id }) => id === provider);
  if (named) return named;
  const known = remoteProviderSchema.safeParse(provider);
  return known.success ? { id: provider, speaks: known.data, models: {} } : undefined;
}

const NOT_LOADED: Fault = {
  code: 'no-recording',
  what: 'The recording that was played here is no longer loaded.',
  next: 'Open it and play it again, or choose another model in Settings.',
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
