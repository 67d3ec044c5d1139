import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { Configuration } from '../../config/setup.ts';
import type { App, ModelChoice, SessionHandle } from '../app.ts';
import { listened } from '../settings/listened.svelte.ts';
import type { Drafts } from './drafts.ts';

/** Ids of lesson models begin with this. */
const LESSON_MODEL = 'lesson/';
const YOU = 'you';

/** A model that the files of a workspace name. */
export interface NamedModel extends ModelChoice {
  readonly file: string;
}

/** A model that the files of a workspace name for an agent. */
export interface AgentModel extends ModelChoice {
  readonly agent: string;
}

/** The models of one provider that the files of a workspace describe. */
export interface OfferedModels {
  readonly provider: string;
  /** The name of the provider for people. */
  readonly name: string;
  readonly isSetUp: boolean;
  readonly models: readonly string[];
}

type SessionModelsApp = Pick<App, 'models' | 'configurations' | 'lessons' | 'lessonModel'>;

/**
 * Knows which sessions have a model of their own, whatever Settings say: the model of a lesson, the person,
 * or a model that the files of their workspace name.
 */
export class SessionModels {
  readonly #app: SessionModelsApp;
  /** The models that the person picked, kept for when the page is loaded again. */
  readonly #kept: Drafts;
  /** Models of lessons, and the person as a model, keyed by session. */
  readonly #own = new SvelteMap<string, ModelChoice>();
  /** Titles of lessons, keyed by their models. */
  readonly #titles = new SvelteMap<string, string>();
  /**
   * Sessions in which the person chose a model, which overrides the files; `''` stands for the next session.
   */
  readonly #chosen = new SvelteSet<string>();
  /** Models that the person picked among those that files describe, keyed by session. */
  readonly #picked = new SvelteMap<string, ModelChoice>();
  /** The model of each session's last prompt at the time it was opened. */
  readonly #last = new SvelteMap<string, ModelChoice>();
  readonly #providers: {
    readonly current: (workspaceID: string) => Configuration['providers'] | undefined;
  };
  readonly #named: { readonly current: (workspaceID: string) => NamedModel | null };
  readonly #saved: { readonly current: () => readonly OfferedModels[] };
  readonly #isSetUp: { readonly current: (ref: ModelChoice, workspaceID: string) => boolean };

  /** Models that the files of a workspace name for agents. */
  readonly #ofAgents: { readonly current: (workspaceID: string) => readonly AgentModel[] };

  constructor(app: SessionModelsApp, kept: Drafts) {
    this.#app = app;
    this.#kept = kept;
    const { configurations, models } = app;
    this.#named = listened(configurations, () => (id: string) => configurations.of(id)?.model ?? null);
    this.#providers = listened(configurations, () => (id: string) => configurations.of(id)?.providers);
    this.#isSetUp = listened(
      models,
      () =>
        ({ provider }: ModelChoice, workspaceID: string) =>
          models.isSetUp(provider, this.#providers.current(workspaceID)),
    );
    this.#saved = listened(models, () => () => {
      const choice = models.choice();
      const others = models
        .saved()
        .filter(({ provider, model }) => provider !== choice?.provider || model !== choice.model);
      const ids = others.map(({ provider }) => provider).filter((id, at, all) => all.indexOf(id) === at);
      return ids.map((provider) => ({
        provider,
        name: models.nameOf(provider),
        isSetUp: models.isSetUp(provider),
        models: others.flatMap((each) => (each.provider === provider ? each.model : [])),
      }));
    });
    this.#ofAgents = listened(
      configurations,
      () => (id: string) =>
        configurations
          .of(id)
          ?.setup.agents.flatMap(({ name, model }) => (model ? { agent: name, ...model } : [])) ?? [],
    );
  }

  of(sessionID: string, workspaceID: string | null): ModelChoice | undefined {
    return (
      this.#own.get(sessionID) ??
      this.usable(this.#picked.get(sessionID) ?? this.#pickedLast(sessionID, workspaceID), workspaceID) ??
      this.#configured(sessionID, workspaceID)
    );
  }

  /**
   * The models that a session can be given in place of the default: those that the trusted files of its workspace
   * describe, grouped by provider, and those that were chosen in Settings before. A
   * provider may be there twice.
   */
  offered(workspaceID: string | null): readonly OfferedModels[] {
    return [...this.#described(workspaceID), ...this.#saved.current()];
  }

  #described(workspaceID: string | null): readonly OfferedModels[] {
    const providers = workspaceID === null ? undefined : this.#providers.current(workspaceID);
    return (providers ?? []).flatMap(({ id: provider, name, models }) => {
      const isSetUp = this.usable({ provider, model: '' }, workspaceID) !== undefined;
      const known = this.#app.models.providers.find(({ id }) => id === provider);
      const named = Object.keys(models);
      return named.length === 0
        ? []
        : { provider, name: known?.name ?? name ?? provider, isSetUp, models: named };
    });
  }

  /** Sends this session's prompts to a model that files describe. */
  pick(sessionID: string, model: ModelChoice): void {
    this.chosen(sessionID);
    this.#own.delete(sessionID);
    this.#setPicked(sessionID, model);
  }

  #setPicked(sessionID: string, model: ModelChoice): void {
    this.#picked.set(sessionID, model);
    if (sessionID !== '') this.#kept.set(keyOf(sessionID), `${model.provider}\n${model.model}`);
  }

  /** The model that was picked before the page was loaded, if the person still has it. */
  #keptFor(sessionID: string): ModelChoice | undefined {
    const [provider, model] = this.#kept.get(keyOf(sessionID)).split('\n');
    const { models } = this.#app;
    const found = [models.choice(), ...models.saved()].find(
      (each) => each?.provider === provider && each?.model === model,
    );
    return found ? { provider: found.provider, model: found.model } : undefined;
  }

  /**
   * The model that was picked before the page was loaded. A session only reaches a provider from files by
   * picking it.
   */
  #pickedLast(sessionID: string, workspaceID: string | null): ModelChoice | undefined {
    const last = this.#chosen.has(sessionID) ? undefined : this.#last.get(sessionID);
    const isOwn = this.#app.models.providers.some(({ id }) => id === last?.provider);
    const isOffered = this.#described(workspaceID).some(
      ({ provider, models }) => provider === last?.provider && models.includes(last.model),
    );
    return isOffered && !isOwn ? last : undefined;
  }

  /** The model that the files of a workspace name, if it cannot be used here. */
  unusable(workspaceID: string | null): NamedModel | null {
    const named = workspaceID === null ? null : this.#named.current(workspaceID);
    return named && workspaceID !== null && !this.#isSetUp.current(named, workspaceID) ? named : null;
  }

  /**
   * Models that the files name for agents and that cannot be used here. These agents use the model of the
   * prompt.
   */
  unusableOfAgents(workspaceID: string | null): readonly AgentModel[] {
    if (workspaceID === null) return [];
    return this.#ofAgents.current(workspaceID).filter((named) => !this.#isSetUp.current(named, workspaceID));
  }

  /** The model that a command or an agent names, if it can be used. */
  usable(named: ModelChoice | undefined, workspaceID: string | null): ModelChoice | undefined {
    return named && workspaceID !== null && this.#isSetUp.current(named, workspaceID) ? named : undefined;
  }

  #configured(sessionID: string, workspaceID: string | null): ModelChoice | undefined {
    const named = workspaceID === null ? null : this.#named.current(workspaceID);
    if (!named || this.#chosen.has(sessionID) || !this.usable(named, workspaceID)) return undefined;
    const { provider, model } = named;
    const last = this.#last.get(sessionID);
    return !last || (last.provider === provider && last.model === model) ? { provider, model } : undefined;
  }

  /** The name of a model for people. */
  nameOf({ model }: ModelChoice): string {
    return this.#titles.get(model) ?? model;
  }

  set(sessionID: string, model: ModelChoice): void {
    this.#own.set(sessionID, model);
    this.#kept.set(keyOf(sessionID), '');
    if (model.model.startsWith(LESSON_MODEL)) void this.#readTitle(model.model).catch(() => undefined);
  }

  /**
   * Records that the person chose a model. If the person was the model until now, they need not be any
   * longer.
   */
  chosen(sessionID: string): void {
    this.#chosen.add(sessionID);
    this.#picked.delete(sessionID);
    this.#kept.set(keyOf(sessionID), '');
    for (const [id, { provider }] of this.#own) if (provider === YOU) this.#own.delete(id);
  }

  /** Applies choices from before the session existed to the new session. */
  handTo(sessionID: string): void {
    if (this.#chosen.delete('')) this.#chosen.add(sessionID);
    const picked = this.#picked.get('');
    if (picked && this.#picked.delete('')) this.#setPicked(sessionID, picked);
  }

  /**
   * Restores the model of a session that is opened: a lesson's session keeps its lesson's model, even without
   * the lesson, and a session in which the person was the model keeps asking the person.
   */
  async keep({ id, state }: SessionHandle): Promise<void> {
    if (this.#own.has(id)) return;
    const kept = this.#keptFor(id);
    if (kept) {
      this.#chosen.add(id);
      this.#picked.set(id, kept);
      return;
    }
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

function keyOf(sessionID: string): string {
  return `model.${sessionID}`;
}
