import type { Timer } from '../base/timer.ts';
import type { ModelFacts } from '../session/log/cost.ts';
import type { ModelRef } from '../session/log/events.ts';
import type { Model } from '../session/request/model.ts';
import type { Network } from './fault-context.ts';
import type { Fetch } from './fetch.ts';
import type { KeyStore } from './keys.ts';
import type { RemoteProvider } from './providers/ids.ts';
import type { Script } from './script/schema.ts';
import { keyScope } from './settings.ts';
import type { YouQueue } from './you/queue.ts';

/** A provider from a configuration file: a server of its own, or additions to a known provider. */
export interface ConfiguredProvider {
  /** The name used in configuration files. */
  readonly id: string;
  /** The provider whose protocol it speaks. */
  readonly speaks: RemoteProvider;
  readonly baseURL?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Keyed by the name in the file; `id` is the server's name for the model, where that differs. */
  readonly models: Readonly<Record<string, ModelFacts & { readonly id?: string }>>;
}

export interface ModelsDeps {
  /** The base URL a person set for a provider, where it differs from the provider's own. */
  baseURL(provider: RemoteProvider): string | undefined;
  /** The script that the scripted model of this name plays. */
  script(model: string): Script | undefined | Promise<Script | undefined>;
  /** The model that plays back the recording of this name. */
  recorded?(model: string): Model | undefined;
  readonly keys: Pick<KeyStore, 'get' | 'redact'>;
  readonly network: Network;
  /** Takes the requests that a person answers as the model. */
  readonly you?: Pick<YouQueue, 'ask'>;
  readonly timer?: Timer;
  readonly fetch?: Fetch;
  /** Facts from fetched lists, keyed by {@link factsKey}; shared by everything that fetches or uses them. */
  readonly facts?: Map<string, ModelFacts>;
  /** Whether the person has chosen that this model gets notes in place of pictures. */
  leavesOutPictures?(model: ModelRef): boolean;
}

/** Identifies a model at a server, as another server may have a model of the same name. */
export function factsKey(provider: RemoteProvider, baseURL: string | undefined, model: string): string {
  return `${keyScope(provider, baseURL)}/${model}`;
}
