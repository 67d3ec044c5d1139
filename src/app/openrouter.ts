import { FaultError, faultOf } from '../base/fault.ts';
import type { KeyStore } from '../models/keys.ts';
import {
  beginSignIn,
  exchange,
  takeReturn,
  type SignInDeps,
  type SignInReturn,
} from '../models/openrouter-sign-in.ts';
import type { ModelChoice, ModelOption } from '../ui/app.ts';
import { browserFetch } from '../models/fetch.ts';
import type { Parts } from './compose/parts.ts';
import type { ModelSettings } from './model-settings.ts';

/** A model with less room than this has none left for work once it has read its tools. */
const ENOUGH_CONTEXT = 32_000;

export interface OpenRouterDeps extends SignInDeps {
  readonly models: Pick<ModelSettings, 'list' | 'choose'>;
  readonly keys: Pick<KeyStore, 'set' | 'conceal'>;
  /** The address of the page, without what the person came back with. */
  page(): URL;
  /** Leaves the page for another one. */
  leave(address: string): void;
  /** Puts what the page had in its address before back into it. */
  restore(back: string): void;
}

/** Signs in at OpenRouter without a server: the page leaves, and comes back with a code that this tab alone can use. */
export class OpenRouter {
  readonly #deps: OpenRouterDeps;
  /** The sign-in that waits for another try, with the parameters that began it, and the key once it has come. */
  #pending: { readonly search: string; readonly returned: SignInReturn; key?: string } | null = null;

  constructor(deps: OpenRouterDeps) {
    this.#deps = deps;
  }

  signIn(): void {
    this.#deps.leave(beginSignIn(this.#deps.page(), this.#deps));
  }

  /**
   * Stores the key for this tab, like one that was pasted, and makes a free model the default. Rejects with a fault; where
   * that is retryable, the same parameters can be given again.
   */
  async signedIn(search: string): Promise<ModelChoice> {
    const { keys, restore } = this.#deps;
    if (this.#pending?.search !== search) {
      const returned = takeReturn(search, this.#deps);
      keys.conceal(returned.code);
      keys.conceal(returned.verifier);
      restore(returned.back);
      this.#pending = { search, returned };
    }
    const pending = this.#pending;
    try {
      pending.key ??= await this.#keyFor(pending.returned);
      const choice = await this.#chooseFree(pending.key);
      this.#pending = null;
      return choice;
    } catch (error) {
      if (!(error instanceof FaultError && error.fault.retryable)) this.#pending = null;
      throw error;
    }
  }

  async #keyFor(returned: SignInReturn): Promise<string> {
    const { keys } = this.#deps;
    const key = await exchange(returned, this.#deps);
    keys.conceal(key);
    await keys.set('openrouter', key, { remember: false });
    return key;
  }

  async #chooseFree(key: string): Promise<ModelChoice> {
    const { models } = this.#deps;
    const listed = await models.list({ provider: 'openrouter', model: '' }).catch((error: unknown) => {
      // The code is used up, but the key is here: only the list has to be asked for again.
      throw new FaultError({ ...faultOf(error), retryable: true }, { cause: error });
    });
    const free = firstFree(listed);
    if (!free)
      throw new FaultError({
        code: 'no-free-model',
        what: 'You are signed in, but OpenRouter lists no free model that can use tools.',
        next: 'Choose another model below.',
      });
    const choice = { provider: 'openrouter', model: free.id };
    await models.choose(choice, { value: key, remember: false });
    return choice;
  }
}

function firstFree(listed: readonly ModelOption[]): ModelOption | undefined {
  const free = listed.filter((option) => option.free);
  return free.find(({ contextLimit = 0 }) => contextLimit >= ENOUGH_CONTEXT) ?? free[0];
}

export function openRouterOf({ models, network, options }: Parts): OpenRouter {
  return new OpenRouter({
    models,
    keys: options.keys,
    storage: () => sessionStorage,
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    fetch: browserFetch(),
    online: () => network.online(),
    page: () => new URL(location.href),
    leave: (address) => location.assign(address),
    restore(back) {
      history.replaceState(history.state, '', location.pathname + back);
      dispatchEvent(new HashChangeEvent('hashchange'));
    },
  });
}
