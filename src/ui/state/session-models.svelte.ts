import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { App, ModelChoice, SessionHandle } from '../app.ts';
import { listened } from '../settings/listened.svelte.ts';

/** What models of lessons are called. */
const LESSON_MODEL = 'lesson/';
const YOU = 'you';

/** As the files of a workspace name it. */
export interface NamedModel extends ModelChoice {
  readonly file: string;
}

/**
 * Which sessions go on with a model of their own, whatever is chosen: a lesson's, the person, or what the files of their
 * workspace name.
 */
export class SessionModels {
  readonly #app: App;
  /** By session. */
  readonly #own = new SvelteMap<string, ModelChoice>();
  /** Of lessons, by their models. */
  readonly #titles = new SvelteMap<string, string>();
  /** Sessions in which the person chose a model, whatever the files say; `''`: before there is one. */
  readonly #chosen = new SvelteSet<string>();
  /** What the session's last prompt went to when it was opened. */
  readonly #last = new SvelteMap<string, ModelChoice>();
  readonly #named: { readonly current: (workspaceID: string) => NamedModel | null };
  readonly #isSetUp: { readonly current: (provider: string) => boolean };

  constructor(app: App) {
    this.#app = app;
    const { configurations, models } = app;
    this.#named = listened(configurations, () => (id: string) => configurations.of(id)?.model ?? null);
    this.#isSetUp = listened(models, () => (provider: string) => models.isSetUp(provider));
  }

  of(sessionID: string, workspaceID: string | null): ModelChoice | undefined {
    return this.#own.get(sessionID) ?? this.#configured(sessionID, workspaceID);
  }

  /** What the files of a workspace name and cannot be used here. */
  unusable(workspaceID: string | null): NamedModel | null {
    const named = workspaceID === null ? null : this.#named.current(workspaceID);
    return named && !this.#isSetUp.current(named.provider) ? named : null;
  }

  #configured(sessionID: string, workspaceID: string | null): ModelChoice | undefined {
    const named = workspaceID === null ? null : this.#named.current(workspaceID);
    if (!named || this.#chosen.has(sessionID) || !this.#isSetUp.current(named.provider)) return undefined;
    const { provider, model } = named;
    const last = this.#last.get(sessionID);
    return !last || (last.provider === provider && last.model === model) ? { provider, model } : undefined;
  }

  /** How a person calls it. */
  nameOf({ model }: ModelChoice): string {
    return this.#titles.get(model) ?? model;
  }

  set(sessionID: string, model: ModelChoice): void {
    this.#own.set(sessionID, model);
    if (model.model.startsWith(LESSON_MODEL)) void this.#readTitle(model.model).catch(() => undefined);
  }

  /** The person chose a model: who was the model until now, need not be any longer. */
  chosen(sessionID: string): void {
    this.#chosen.add(sessionID);
    for (const [id, { provider }] of this.#own) if (provider === YOU) this.#own.delete(id);
  }

  /** What was chosen before there was a session holds in the one that is begun. */
  handTo(sessionID: string): void {
    if (this.#chosen.delete('')) this.#chosen.add(sessionID);
  }

  /**
   * A lesson's session goes on with the lesson's model, also where it is opened without the lesson, and one in which
   * the person was the model goes on asking the person.
   */
  async keep({ id, state }: SessionHandle): Promise<void> {
    if (this.#own.has(id)) return;
    const last = state.messages.get(state.head ?? '')?.model;
    if (last?.model.startsWith(LESSON_MODEL)) return this.set(id, last);
    if (last && last.provider !== YOU) return void this.#last.set(id, last);
    const own = (await this.#app.lessonModel(id).catch(() => null)) ?? last;
    if (own) this.set(id, own);
  }

  async #readTitle(model: string): Promise<void> {
    if (this.#titles.has(model)) return;
    const lessons = await this.#app.lessons();
    const title = lessons.list().find(({ id }) => LESSON_MODEL + id === model)?.title;
    if (title !== undefined) this.#titles.set(model, title);
  }
}
