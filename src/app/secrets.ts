import * as z from 'zod/mini';
import { FaultError } from '../base/fault.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { SettingsStore } from '../base/settings-store.ts';
import { fillSecrets } from '../config/secrets.ts';
import type { KeyStore } from '../models/keys.ts';
import type { Ask } from '../permissions/types.ts';
import type { AppSecrets, KeyChange } from '../ui/app.ts';

const SETTING = 'config.secrets';
const NAME = /^[A-Za-z_]\w{0,63}$/;
const storedSchema = z.object({
  names: z.array(z.string()),
  /** Entries `NAME host` for requests that came up outside a conversation, where nobody could be asked. */
  hosts: z.array(z.string()),
});

/**
 * Secret values, which configuration and custom tools refer to by name and never see. They are stored and masked like
 * keys.
 */
export class SecretsOfApp implements AppSecrets {
  readonly #settings: SettingsStore;
  readonly #keys: KeyStore;
  readonly #changed = new Listeners<void>();
  readonly #given = new Listeners<void>();
  #names: readonly string[] = [];
  #hosts: readonly string[] = [];
  #asked: readonly { readonly name: string; readonly host: string }[] = [];

  constructor(settings: SettingsStore, keys: KeyStore) {
    this.#settings = settings;
    this.#keys = keys;
  }

  async load(): Promise<void> {
    const stored = storedSchema.safeParse(await this.#settings.get(SETTING));
    this.#names = stored.data?.names ?? [];
    this.#hosts = stored.data?.hosts ?? [];
    this.#changed.emit();
  }

  names(): readonly string[] {
    return this.#names;
  }

  kept(name: string): 'none' | 'tab' | 'device' {
    if (this.#keys.get(scopeOf(name)) === undefined) return 'none';
    return this.#keys.isRemembered(scopeOf(name)) ? 'device' : 'tab';
  }

  async set(name: string, { value, remember }: KeyChange): Promise<void> {
    if (!NAME.test(name))
      throw new FaultError({
        code: 'secret-name',
        what: 'The name of a secret may contain letters, digits and "_", and must not begin with a digit.',
      });
    const key = value ?? this.#keys.get(scopeOf(name));
    if (key !== undefined) await this.#keys.set(scopeOf(name), key, { remember });
    await this.#keep({ names: [...this.#names.filter((known) => known !== name), name] });
    this.#given.emit();
  }

  async forget(name: string): Promise<void> {
    await this.#keys.forget(scopeOf(name));
    await this.#keep({
      names: this.#names.filter((known) => known !== name),
      hosts: this.#hosts.filter((known) => !known.startsWith(`${name} `)),
    });
  }

  asked(): readonly { readonly name: string; readonly host: string }[] {
    return this.#asked;
  }

  async allow(name: string, host: string): Promise<void> {
    this.#asked = this.#asked.filter((one) => one.name !== name || one.host !== host);
    await this.#keep({ hosts: [...this.#hosts, `${name} ${host}`] });
    this.#given.emit();
  }

  dismiss(name: string, host: string): void {
    this.#asked = this.#asked.filter((one) => one.name !== name || one.host !== host);
    this.#changed.emit();
  }

  /** Fills in the values that the text refers to, once `ask` was allowed for each name and this host. */
  fill(text: string, host: string, ask: (ask: Ask) => Promise<unknown>): Promise<string> {
    return fillSecrets(
      text,
      (name) => this.#keys.get(scopeOf(name)),
      (name) =>
        ask({
          permission: 'secret',
          patterns: [`${name} ${host}`],
          always: [`${name} ${host}`],
          subject: { kind: 'input', input: { secret: name, host } },
        }),
    );
  }

  /** Like `fill`, outside conversations: anything not allowed before is a fault, and is listed in {@link asked}. */
  fillUnasked(text: string, host: string): Promise<string> {
    return fillSecrets(
      text,
      (name) => this.#keys.get(scopeOf(name)),
      async (name) => {
        if (this.#hosts.includes(`${name} ${host}`)) return;
        if (!this.#asked.some((one) => one.name === name && one.host === host)) {
          this.#asked = [...this.#asked, { name, host }];
          this.#changed.emit();
        }
        throw new FaultError({
          code: 'secret-not-allowed',
          what: `${host} may not have the secret ${name} yet.`,
          next: 'Allow it under Settings, Secrets, then connect again.',
        });
      },
    );
  }

  /** Called when a value, or a host's permission, was added: whatever failed without it may be tried again. */
  onGiven(listener: () => void): Unlisten {
    return this.#given.add(listener);
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  async #keep({
    names = this.#names,
    hosts = this.#hosts,
  }: {
    readonly names?: readonly string[];
    readonly hosts?: readonly string[];
  }): Promise<void> {
    this.#names = names;
    this.#hosts = hosts;
    this.#changed.emit();
    await this.#settings.set(SETTING, { names: [...names], hosts: [...hosts] });
  }
}

function scopeOf(name: string): string {
  return `secret.${name}`;
}
