import { SvelteMap } from 'svelte/reactivity';
import type { App, ModelChoice, SessionHandle } from '../app.ts';

/** What models of lessons are called. */
const LESSON_MODEL = 'lesson/';
const YOU = 'you';

/** Which sessions go on with a model of their own, whatever is chosen: a lesson's, or the person. */
export class SessionModels {
  readonly #app: App;
  /** By session. */
  readonly #own = new SvelteMap<string, ModelChoice>();
  /** Of lessons, by their models. */
  readonly #titles = new SvelteMap<string, string>();

  constructor(app: App) {
    this.#app = app;
  }

  of(sessionID: string): ModelChoice | undefined {
    return this.#own.get(sessionID);
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
  chosen(): void {
    for (const [id, { provider }] of this.#own) if (provider === YOU) this.#own.delete(id);
  }

  /**
   * A lesson's session goes on with the lesson's model, also where it is opened without the lesson, and one in which
   * the person was the model goes on asking the person.
   */
  async keep({ id, state }: SessionHandle): Promise<void> {
    if (this.#own.has(id)) return;
    const last = state.messages.get(state.head ?? '')?.model;
    if (last?.model.startsWith(LESSON_MODEL)) return this.set(id, last);
    if (last && last.provider !== YOU) return;
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
