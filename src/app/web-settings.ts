import * as z from 'zod';
import { FaultError } from '../base/fault.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { SettingsStore } from '../base/settings-store.ts';
import type { AppWeb } from '../ui/app.ts';

const SETTING = 'web';
const storedSchema = z.object({ proxy: z.string().refine(isProxy).optional() });

/** How pages of the web are fetched: directly, unless the person names a proxy. */
export class WebSettings implements AppWeb {
  readonly #settings: SettingsStore;
  readonly #changed = new Listeners<void>();
  #proxy: string | undefined;

  constructor(settings: SettingsStore) {
    this.#settings = settings;
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
        what: 'This is not the address of a proxy.',
        next: 'Give an https address with {url} where the address of the page goes.',
      });
    this.#proxy = proxy === '' ? undefined : proxy;
    this.#changed.emit();
    await this.#settings.set(SETTING, this.#proxy === undefined ? {} : { proxy: this.#proxy });
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }
}

function isProxy(text: string): boolean {
  const [one, other] = ['a', 'b'].map((page) => text.replaceAll('{url}', page));
  if (one === undefined || other === undefined || one === other) return false;
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const { origin, protocol, hostname } = new URL(one);
  // The host is the person's choice, and not that of the page's address.
  if (origin !== new URL(other).origin) return false;
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1';
}
