/* eslint-disable svelte/prefer-svelte-reactivity -- the map is replaced whole */
import type { ExpandedCommand } from '../../config/commands.ts';
import type { App, AppConfigurations, AppModels, ModelChoice, SessionHandle } from '../app.ts';
import type { ShownPast } from '../glass/inspector/shown-past.svelte.ts';
import type { AppView } from './app-view.svelte.ts';
import type { CurrentModel } from './current-model.svelte.ts';
import type { Dialogs } from './dialogs.svelte.ts';
import type { PromptQueue } from '../conversation/queue/prompt-queue.svelte.ts';
import type { Draft } from './draft.svelte.ts';
import type { Drafts } from './drafts.ts';
import type { ShownWorkspace } from './shown-workspace.svelte.ts';
import type { Toasts } from './toasts.svelte.ts';

export interface PromptsDeps {
  readonly view: Pick<AppView, 'session' | 'busy' | 'newSession'>;
  readonly configurations: Pick<AppConfigurations, 'of' | 'refresh'>;
  readonly workspace: Pick<ShownWorkspace, 'id' | 'workspace'>;
  readonly models: Pick<AppModels, 'seesPictures'>;
  readonly model: Pick<CurrentModel, 'choice' | 'ref' | 'usable'>;
  readonly draft: Draft;
  readonly drafts: Drafts;
  readonly promptHistory: App['promptHistory'];
  readonly past: ShownPast;
  readonly dialogs: Pick<Dialogs, 'openSettings'>;
  readonly toasts: Toasts;
}

/** Sends requests of the person to the shown session. */
export class Prompts {
  readonly #deps: PromptsDeps;
  /** The queues that were used, by the ids of their sessions. Their code is loaded with the first one. */
  #queues = $state.raw<ReadonlyMap<string, PromptQueue>>(new Map());

  /** The text that was not sent, because its model may not see its pictures. */
  #held = $state.raw('');
  #checking = false;

  constructor(deps: PromptsDeps) {
    this.#deps = deps;
  }

  /**
   * Sends the typed text, and creates a session if there is none. The text returns to the box if it was not
   * accepted. A text with pictures that the model may not see stays in the box until the person has chosen `anyway`.
   */
  async send({ anyway = false } = {}): Promise<void> {
    const { view, model, draft, past, dialogs, toasts } = this.#deps;
    const text = draft.text.trim();
    if (text === '' || view.busy || this.#checking) return;
    // A picture in Markdown is no command.
    const isCommand = /^!\s*[^\s[]/.test(text);
    if (!model.choice && !isCommand) return dialogs.openSettings('no-model');
    const typed = draft.text;
    if (anyway && model.choice) this.#deps.drafts.set(picturesKey(model.choice), 'sent');
    const holds = !anyway && !isCommand && (await this.#holds(text));
    // The person may have opened another session, whose own text stands in the box now.
    if (!draft.text.startsWith(typed)) return;
    this.#held = holds ? typed : '';
    if (holds) return;
    if (!view.session && !(await view.newSession())) return;
    const { session } = view;
    if (!session) return;
    past.view?.leave();
    // The person may have typed on meanwhile, and that text stays.
    draft.set(draft.text.startsWith(typed) ? draft.text.slice(typed.length) : '');
    try {
      if (isCommand) {
        // It is refused while something else runs, and may run long.
        if (!session.busy) this.remember(session.session, text);
        await session.session.command(text.slice(1).trim(), model.ref ?? undefined);
        return;
      }
      const command = text.startsWith('/') ? await this.#command(text) : undefined;
      const ref = model.usable(command?.model) ?? model.ref;
      if (!session.busy) {
        await session.prompt(command?.text ?? text, ref, command?.agent);
        return this.remember(session.session, text);
      }
      const queue = await this.#queueOf(session.session);
      queue.add({
        text: command?.text ?? text,
        ...(command && { typed: text }),
        ...(ref && { model: ref }),
        ...(command?.agent !== undefined && { agent: command.agent }),
      });
    } catch (error) {
      if (draft.text === '') draft.set(typed);
      toasts.fail(error);
    }
  }

  /** Whether the text in the box was to be sent, and waits for the person's choice about its pictures. */
  get held(): boolean {
    return this.#held !== '' && this.#held === this.#deps.draft.text;
  }

  /** Whether a model sees pictures, as far as that is known, or as the person answered by sending some anyway. */
  seesPictures(choice: ModelChoice): boolean | undefined {
    const { models, drafts } = this.#deps;
    return models.seesPictures(choice) ?? (drafts.get(picturesKey(choice)) !== '' || undefined);
  }

  async #holds(text: string): Promise<boolean> {
    const { model, workspace } = this.#deps;
    const { choice } = model;
    const files = workspace.workspace?.files;
    if (!text.includes('@') || !choice || !files || this.seesPictures(choice)) return false;
    this.#checking = true;
    try {
      const { picturesIn } = await import('../conversation/composer/attach/attached.ts');
      return (await picturesIn(text, files)).length > 0;
    } catch {
      // The model itself says so, where this cannot be known before.
      return false;
    } finally {
      this.#checking = false;
    }
  }

  /** The messages that wait until the shown session can take them; `null` if there are none. */
  get queue(): PromptQueue | null {
    const queue = this.#queues.get(this.#deps.view.session?.id ?? '');
    return queue && queue.all.length > 0 ? queue : null;
  }

  /** Brings back the messages that waited when the page was left. */
  opened(session: SessionHandle): void {
    if (session.writable && this.#deps.drafts.get(queueKey(session)) !== '')
      void this.#deps.toasts.attempt(async () => void (await this.#queueOf(session)));
  }

  async #queueOf(session: SessionHandle): Promise<PromptQueue> {
    const { queueOf } = await import('../conversation/queue/queues.svelte.ts');
    const { drafts, toasts } = this.#deps;
    const key = queueKey(session);
    const store = { load: () => drafts.get(key), save: (text: string) => drafts.set(key, text) };
    const queue = queueOf(
      session,
      store,
      (error) => toasts.fail(error),
      (typed) => this.remember(session, typed),
    );
    this.#queues = new Map([...this.#queues, [session.id, queue]]);
    return queue;
  }

  compact(): void {
    const { view, model, toasts } = this.#deps;
    try {
      view.session?.session.compact(model.ref ?? undefined);
    } catch (error) {
      toasts.fail(error);
    }
  }

  async retry(): Promise<void> {
    const { view, model, dialogs, toasts } = this.#deps;
    if (!model.choice) return dialogs.openSettings('no-model-again');
    await toasts.attempt(async () => view.session?.retry(model.ref));
  }

  /** Keeps what was typed and sent, for the arrow keys. It is no reason to fail that it cannot be kept. */
  remember(session: SessionHandle, text: string): void {
    void this.#deps
      .promptHistory()
      .then((history) => history.add(session.state.workspaceID, text))
      .catch(() => undefined);
  }

  /** Expands a command from a configuration file; `undefined` if the text names none. */
  async #command(text: string): Promise<ExpandedCommand | undefined> {
    const { configurations, workspace } = this.#deps;
    const { id } = workspace;
    if (id === null) return undefined;
    await configurations.refresh(id);
    const configuration = configurations.of(id);
    if (!configuration) return undefined;
    const { expandCommand } = await import('../../config/commands.ts');
    return expandCommand(text, configuration.commands, configuration.setup.agents);
  }
}

function queueKey({ id }: SessionHandle): string {
  return `queue.${id}`;
}

function picturesKey({ provider, model }: ModelChoice): string {
  return `pictures.${provider}/${model}`;
}
