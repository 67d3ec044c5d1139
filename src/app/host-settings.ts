import * as z from 'zod';
import type { SettingsStore } from '../base/settings-store.ts';
import type { AppHosts } from '../ui/app.ts';

const SETTING = 'hosts';
const storedSchema = z.array(z.string());

/**
 * The hosts that programs may reach; none by default. Read for each request, so that a host removed in another tab is
 * gone here too.
 */
export class HostSettings implements AppHosts {
  readonly #settings: SettingsStore;
  readonly #own: URL;

  constructor(settings: SettingsStore, own = new URL(location.href)) {
    this.#settings = settings;
    this.#own = own;
  }

  async hosts(): Promise<readonly string[]> {
    return storedSchema.safeParse(await this.#settings.get(SETTING)).data ?? [];
  }

  async setHosts(lines: string): Promise<readonly string[]> {
    const { hostsIn } = await import('./reach/hosts.ts');
    const hosts = hostsIn(lines, this.#own);
    await this.#settings.set(SETTING, hosts);
    return hosts;
  }
}
