import { faultOf, type Fault } from '../../base/fault.ts';
import { OWN_SCRIPT, type AppModels, type ModelDraft, type ModelOption, type ProviderInfo } from '../app.ts';
import { ONLY_MODELS } from '../only-models.ts';

/** The model settings while the person edits them; nothing is stored before `save`. */
export class ModelForm {
  readonly #models: AppModels;
  #provider = $state('');
  #baseURL = $state('');
  #apiKey = $state('');
  #model = $state('');
  #remember = $state(false);
  #stored = $state.raw<'none' | 'tab' | 'device'>('none');
  #options = $state.raw<readonly ModelOption[]>([]);
  #fault = $state.raw<Fault | null>(null);
  #doing = $state.raw<'listing' | 'testing' | 'saving' | null>(null);
  #done = $state.raw<'tested' | 'saved' | null>(null);
  #asked = 0;

  constructor(models: AppModels) {
    this.#models = models;
    const choice = models.choice();
    // The scripted models of demos, lessons and tests are not offered, since they belong to their sessions.
    const known =
      choice &&
      models.providers.some(({ id }) => id === choice.provider) &&
      (choice.provider !== 'scripted' || choice.model === OWN_SCRIPT);
    this.#provider = known ? choice.provider : '';
    this.#baseURL = this.#knownBaseURL();
    this.#model = known ? choice.model : '';
    this.#readStored();
    if (known) void this.list();
  }

  get info(): ProviderInfo | undefined {
    return this.#models.providers.find((provider) => provider.id === this.#provider);
  }
  get provider(): string {
    return this.#provider;
  }
  get baseURL(): string {
    return this.#baseURL;
  }
  get apiKey(): string {
    return this.#apiKey;
  }
  get model(): string {
    return this.#model;
  }
  get remember(): boolean {
    return this.#remember;
  }
  get options(): readonly ModelOption[] {
    return this.#options;
  }
  get fault(): Fault | null {
    return this.#fault;
  }
  get doing(): 'listing' | 'testing' | 'saving' | null {
    return this.#doing;
  }
  get done(): 'tested' | 'saved' | null {
    return this.#done;
  }
  /** Where a key for this provider at this address is stored. */
  get stored(): 'none' | 'tab' | 'device' {
    return this.#stored;
  }
  get complete(): boolean {
    const keyed = this.info?.key !== 'required' || this.#apiKey.trim() !== '' || this.stored !== 'none';
    return this.#provider !== '' && this.#model.trim() !== '' && keyed;
  }

  setProvider(provider: string): void {
    this.#provider = provider;
    this.#baseURL = this.#knownBaseURL();
    this.#apiKey = '';
    // A provider without a key has only one model.
    this.#model = this.info?.key === 'none' ? (ONLY_MODELS.get(provider) ?? provider) : '';
    this.#readStored();
    this.#options = [];
    this.#changed();
    void this.list();
  }

  setBaseURL(url: string): void {
    this.#baseURL = url;
    this.#readStored();
    this.#changed();
  }

  setKey(key: string): void {
    this.#apiKey = key;
    this.#changed();
  }

  setModel(model: string): void {
    this.#model = model;
    this.#changed();
  }

  setRemember(remember: boolean): void {
    this.#remember = remember;
    this.#done = null;
  }

  /** Lists the provider's models, if the form holds enough to ask for them. */
  async list(): Promise<void> {
    if (!this.info || (this.info.key === 'required' && !this.#apiKey.trim() && this.stored === 'none'))
      return;
    await this.#do('listing', null, async (current) => {
      const options = await this.#models.list(this.#draft());
      if (current()) this.#options = options;
    });
  }

  async test(): Promise<void> {
    if (this.#doing === 'testing' || this.#doing === 'saving') return;
    await this.#do('testing', 'tested', () => this.#models.test(this.#draft()));
  }

  async save(): Promise<void> {
    if (this.#doing === 'saving') return;
    await this.#do('saving', 'saved', async () => {
      const { provider, baseURL, model } = this.#draft();
      const typed = this.#apiKey.trim();
      const moved = this.stored !== 'none' && (this.stored === 'device') !== this.#remember;
      const key = typed || moved ? { ...(typed && { value: typed }), remember: this.#remember } : undefined;
      await this.#models.choose({ provider, model, ...(baseURL && { baseURL }) }, key);
      this.#apiKey = '';
      this.#readStored();
    });
  }

  forgetKey(): Promise<void> {
    return this.#do('saving', null, async () => {
      const { provider, baseURL } = this.#draft();
      await this.#models.forgetKey(provider, baseURL);
      this.#readStored();
    });
  }

  #knownBaseURL(): string {
    return this.#models.baseURLOf(this.#provider) ?? this.info?.addresses[0]?.baseURL ?? '';
  }

  #readStored(): void {
    const { provider, baseURL } = this.#draft();
    this.#stored = provider ? this.#models.keyOf(provider, baseURL) : 'none';
    this.#remember = this.#stored === 'device';
  }

  #draft(): ModelDraft {
    const baseURL = this.#baseURL.trim();
    const apiKey = this.#apiKey.trim();
    return {
      provider: this.#provider,
      model: this.#model.trim(),
      ...(baseURL && { baseURL }),
      ...(apiKey && { apiKey }),
    };
  }

  #changed(): void {
    this.#asked++;
    this.#doing = null;
    this.#done = null;
    this.#fault = null;
  }

  async #do(
    doing: 'listing' | 'testing' | 'saving',
    done: 'tested' | 'saved' | null,
    action: (current: () => boolean) => Promise<void>,
  ): Promise<void> {
    this.#changed();
    const asked = this.#asked;
    const current = () => asked === this.#asked;
    this.#doing = doing;
    try {
      await action(current);
      if (current()) this.#done = done;
    } catch (error) {
      if (current()) this.#fault = faultOf(error);
    } finally {
      if (current()) this.#doing = null;
    }
  }
}
