import * as z from 'zod/mini';
import { FaultError } from '../base/fault.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { SettingsStore } from '../base/settings-store.ts';
import type { KeyStore } from '../models/keys.ts';
import type { SearchService } from '../tools/websearch/service.ts';
import type { AppWeb, KeyChange } from '../ui/app.ts';

const SETTING = 'web';
const storedSchema = z.object({ proxy: z.optional(z.string().check(z.refine(isProxy))) });

/**
 * The settings of how web pages are fetched (directly, unless the person names a proxy) and the keys of search
 * services.
 */
export class WebSettings implements AppWeb {
  readonly #settings: SettingsStore;
  readonly #changed = new Listeners<void>();
  readonly #keys: KeyStore;
  #proxy: string | undefined;

  constructor(settings: SettingsStore, keys: KeyStore) {
    this.#settings = settings;
    this.#keys = keys;
    keys.onChange(() => this.#changed.emit());
  }

  async load(): Promise<void> {
    const stored = storedSchema.safeParse(await this.#settings.get(SETTING));
    if (stored.success) this.#proxy = stored.data.proxy;
    this.#changed.emit();
  }

  proxy(): string | undefined {
    return this.#proxy;
  }

  async setProxy(text: string): Promise<void> {
    const proxy = text.trim();
    if (proxy !== '' && !isProxy(proxy))
      throw new FaultError({
        code: 'no-proxy',
        what: 'This is not a proxy address.',
        next: 'Enter an https address that contains {url} where the address of the page goes.',
      });
    this.#proxy = proxy === '' ? undefined : proxy;
    this.#changed.emit();
    await this.#settings.set(SETTING, this.#proxy === undefined ? {} : { proxy: this.#proxy });
  }

  /** The key for requests to this service only. */
  key(service: SearchService): string | undefined {
    return this.#keys.get(scopeOf(service));
  }

  searchKey(service: SearchService): 'none' | 'tab' | 'device' {
    const scope = scopeOf(service);
    if (this.#keys.get(scope) === undefined) return 'none';
    return this.#keys.isRemembered(scope) ? 'device' : 'tab';
  }

  async setSearchKey(service: SearchService, { value, remember }: KeyChange): Promise<void> {
    const scope = scopeOf(service);
    const key = value ?? this.#keys.get(scope);
    if (key !== undefined) await this.#keys.set(scope, key, { remember });
  }

  async forgetSearchKey(service: SearchService): Promise<void> {
    await this.#keys.forget(scopeOf(service));
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }
}

function scopeOf(service: SearchService): string {
  return `search.${service}`;
}

function isProxy(text: string): boolean {
  const [one, other] = ['a', 'b'].map((page) => text.replaceAll('{url}', page));
  if (one === undefined || other === undefined || one === other) return false;
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const { origin, protocol, hostname } = new URL(one);
  // The person chooses the host; the address of the page must not change it.
  if (origin !== new URL(other).origin) return false;
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1';
}
