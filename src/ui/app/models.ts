import type { Fault } from '../../base/fault.ts';
import type { Unlisten } from '../../base/listeners.ts';
import type { Configuration } from '../../config/setup.ts';
import type { Effort } from '../../session/log/effort.ts';
import type { ModelRef } from '../../session/log/events.ts';

/** The id of the scripted model that plays the script from Settings. */
export const OWN_SCRIPT = 'own-script';

export interface AppModels {
  readonly providers: readonly ProviderInfo[];
  /** The model that prompts go to; `null` until one is chosen. */
  choice(): ModelChoice | null;
  /**
   * Whether the provider has the key and address that it needs. `given`: providers that configuration files
   * describe.
   */
  isSetUp(provider: string, given?: Configuration['providers']): boolean;
  /** The efforts that a model supports, lowest first. */
  efforts(model: ModelChoice): readonly Effort[];
  /** Whether it is known that the model is not sent files of this type. */
  refuses(model: ModelChoice, mediaType: string): boolean;
  /** Whether the model sees pictures; `undefined` if that is not known. */
  seesPictures(model: ModelChoice): boolean | undefined;
  /** From now on the model gets a note in place of each picture, until the page is loaded again. */
  leaveOutPictures(model: ModelRef): void;
  /** If `key` is absent, the stored key stays as it is. */
  choose(choice: ModelChoice, key?: KeyChange): Promise<void>;
  /**
   * The models that were chosen so far, newest first; the default is one of them. Of several addresses of a provider, the
   * ids of all but the newest name the address.
   */
  saved(): readonly ModelRef[];
  /**
   * Takes a model out of that list. Its provider's key stays. If it was the default, the next one of the list is that
   * now.
   */
  remove(model: ModelRef): Promise<void>;
  /** The model for titles and summaries; `undefined` if that is the session's own. */
  small(): ModelRef | undefined;
  chooseSmall(model: ModelRef | null): Promise<void>;
  /** The name for people of a provider, with its address where its id names one. */
  nameOf(provider: string): string;
  /** The custom address for this provider, if the person gave one, or the one that its id names. */
  baseURLOf(provider: string): string | undefined;
  /** Where the key for this provider at this address is stored. */
  keyOf(provider: string, baseURL?: string): 'none' | 'tab' | 'device';
  forgetKey(provider: string, baseURL?: string): Promise<void>;
  /** Models the provider offers. */
  list(draft: ModelDraft): Promise<readonly ModelOption[]>;
  /** Looks for model servers on this machine at their usual ports. Never rejects. */
  lookForLocal(): Promise<readonly LocalFinding[]>;
  /** Sends one small request; resolves when the model has answered. */
  test(draft: ModelDraft): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

/** The answer at the usual port of a model server: its models, nothing, or the reason why they cannot be used. */
export type LocalFinding = { readonly name: string; readonly baseURL: string } & (
  | { readonly state: 'found'; readonly models: readonly ModelOption[] }
  | { readonly state: 'silent'; readonly fault: Fault }
  | { readonly state: 'blocked'; readonly fault: Fault }
);

export interface ProviderInfo {
  readonly id: string;
  readonly name: string;
  readonly key: 'required' | 'optional' | 'none';
  /**
   * Addresses to choose from, with the first one prefilled. An empty list means the provider's own address,
   * unless the person gives another.
   */
  readonly addresses: readonly { readonly name: string; readonly baseURL: string }[];
  /** The page on which a person gets a key. */
  readonly keysAt?: string;
}

export interface ModelChoice {
  readonly provider: string;
  readonly baseURL?: string;
  readonly model: string;
}

/** Settings while the person edits them. If `apiKey` is absent, the stored key applies. */
export interface ModelDraft extends ModelChoice {
  readonly apiKey?: string;
}

export interface KeyChange {
  /** If absent, the stored key is kept and only its place changes. */
  readonly value?: string;
  /** True keeps the key on this device, false only in this tab. */
  readonly remember: boolean;
}

export interface AppOpenRouter {
  /** Leaves the page for OpenRouter's. Throws a fault. */
  signIn(): void;
  /**
   * Finishes with the parameters of the address that the person came back to, and makes a free model the default.
   * Rejects with a fault; where that is retryable, the same parameters can be given again.
   */
  signedIn(search: string): Promise<ModelChoice>;
}

/** The name of the browser's own model. */
export const BROWSER_MODEL = 'built-in';

/** `none`: the browser has no such model for pages. */
export type BrowserModelState = 'none' | 'unavailable' | 'downloadable' | 'downloading' | 'available';

export interface AppBrowserModel {
  state(): Promise<BrowserModelState>;
  /**
   * Downloads the model, or waits for a download that runs. It must be called within a click. `progress` gets a
   * fraction from 0 to 1. Rejects with a fault; an abort ends only the waiting.
   */
  download(progress: (fraction: number) => void, signal: AbortSignal): Promise<void>;
  /** The models that the page itself can run. */
  readonly inTab: AppTabModels;
}

/** A small open model that can be fetched. The facts are those of its publisher. */
export interface OfferedTabModel {
  readonly id: string;
  readonly name: string;
  readonly licence: string;
  /** The number of its parameters, in millions. */
  readonly millions: number;
  /** The size of what would be fetched for this machine. */
  readonly megabytes: number;
  readonly page: string;
}

export interface KeptTabModel {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  /** False where a download was interrupted. */
  readonly isWhole: boolean;
}

/** Whatever fails rejects with a fault. */
export interface AppTabModels {
  /** Whether models run on a graphics card here. */
  onGraphics(): Promise<boolean>;
  offered(): Promise<readonly OfferedTabModel[]>;
  kept(): Promise<readonly KeptTabModel[]>;
  /** Goes on where an earlier attempt ended. `total` is null where the server does not tell it. */
  download(
    id: string,
    progress: (bytes: number, total: number | null) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** Keeps the model whose files the person picked. */
  take(files: readonly File[]): Promise<void>;
  remove(id: string): Promise<void>;
}

export interface ModelOption {
  readonly id: string;
  readonly name?: string;
  /** The size of the context window, in tokens. */
  readonly contextLimit?: number;
  /** True if the provider's list says that it costs nothing. */
  readonly free?: true;
}
