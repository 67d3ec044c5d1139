import type { Unlisten } from '../../base/listeners.ts';
import { fittingEffort, type Effort } from '../../session/log/effort.ts';
import type { ModelRef } from '../../session/log/events.ts';
import type { AppModels, ModelChoice } from '../app.ts';
import type { AgentModel, NamedModel, OfferedModels, SessionModels } from './session-models.svelte.ts';

/** The state on which the model depends. All of it is reactive. */
export interface ModelUse {
  /** The session that gets the next prompt; the id is `''` if that session does not exist yet. */
  sessionID(): string;
  workspaceID(): string | null;
  /** The effort that the session asks for. */
  effort(): Effort | null;
  /** True while the person can choose a model in Settings. */
  inSettings(): boolean;
}

/** The model that gets the next prompt in the shown session. */
export class CurrentModel {
  readonly #models: AppModels;
  readonly #ofSessions: SessionModels;
  readonly #use: ModelUse;
  readonly #unlisten: Unlisten;
  #fromSettings = $state.raw<ModelChoice | null>(null);

  constructor(models: AppModels, ofSessions: SessionModels, use: ModelUse) {
    this.#models = models;
    this.#ofSessions = ofSessions;
    this.#use = use;
    this.#fromSettings = models.choice();
    this.#unlisten = models.onChange(() => this.#read());
  }

  get choice(): ModelChoice | null {
    return this.#ofSessions.of(this.#use.sessionID(), this.#use.workspaceID()) ?? this.#fromSettings;
  }

  get ref(): ModelRef | null {
    const { choice } = this;
    return choice && { provider: choice.provider, model: choice.model };
  }

  /** The model for prompts if neither their session nor its workspace has a model of its own. */
  get fromSettings(): ModelChoice | null {
    return this.#fromSettings;
  }

  /** The models that the workspace's files describe. */
  get offered(): readonly OfferedModels[] {
    return this.#ofSessions.offered(this.#use.workspaceID());
  }

  /** The model that the workspace's files name, if its provider is not set up. */
  get unusable(): NamedModel | null {
    return this.#ofSessions.unusable(this.#use.workspaceID());
  }

  /** The models that agents of the workspace's files name, if their providers are not set up. */
  get unusableOfAgents(): readonly AgentModel[] {
    return this.#ofSessions.unusableOfAgents(this.#use.workspaceID());
  }

  /** The name of the model; empty if none is chosen. */
  get name(): string {
    return this.choice ? this.#ofSessions.nameOf(this.choice) : '';
  }

  /** True if the person answers in the model's place. */
  readonly isYou = $derived.by(() => this.choice?.provider === 'you');

  /** The efforts that the model supports. */
  readonly efforts: readonly Effort[] = $derived.by(() =>
    this.choice ? this.#models.efforts(this.choice) : [],
  );

  /** The effort that the session asks for, as far as the model supports it; `null` if it asks for none. */
  readonly effort = $derived.by(() => {
    const effort = this.#use.effort();
    return effort && (fittingEffort(effort, this.efforts) ?? null);
  });

  /** The model that a command names, if it can be used. */
  usable(named: ModelChoice | undefined): ModelChoice | undefined {
    return this.#ofSessions.usable(named, this.#use.workspaceID());
  }

  /** Sends the session's prompts to one of the {@link offered} models, or for `null` to the one from Settings. */
  pick(model: ModelChoice | null): void {
    if (model) this.#ofSessions.pick(this.#use.sessionID(), model);
    else this.#ofSessions.chosen(this.#use.sessionID());
  }

  close(): void {
    this.#unlisten();
  }

  #read(): void {
    const before = this.#fromSettings;
    this.#fromSettings = this.#models.choice();
    const { provider, model } = this.#fromSettings ?? {};
    // Choosing the same model again in Settings counts as well, since the person wants it now.
    const changed = before && (before.provider !== provider || before.model !== model);
    if (changed || this.#use.inSettings()) this.#ofSessions.chosen(this.#use.sessionID());
  }
}
