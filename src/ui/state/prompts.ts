import type { ExpandedCommand } from '../../config/commands.ts';
import type { AppConfigurations } from '../app.ts';
import type { ShownPast } from '../glass/inspector/shown-past.svelte.ts';
import type { AppView } from './app-view.svelte.ts';
import type { CurrentModel } from './current-model.svelte.ts';
import type { Dialogs } from './dialogs.svelte.ts';
import type { Draft } from './draft.svelte.ts';
import type { ShownWorkspace } from './shown-workspace.svelte.ts';
import type { Toasts } from './toasts.svelte.ts';

export interface PromptsDeps {
  readonly view: Pick<AppView, 'session' | 'busy' | 'newSession'>;
  readonly configurations: Pick<AppConfigurations, 'of' | 'refresh'>;
  readonly workspace: Pick<ShownWorkspace, 'id'>;
  readonly model: Pick<CurrentModel, 'choice' | 'ref' | 'usable'>;
  readonly draft: Draft;
  readonly past: ShownPast;
  readonly dialogs: Pick<Dialogs, 'openSettings'>;
  readonly toasts: Toasts;
}

/** Sends requests of the person to the shown session. */
export class Prompts {
  readonly #deps: PromptsDeps;

  constructor(deps: PromptsDeps) {
    this.#deps = deps;
  }

  /**
   * Sends the typed text, and creates a session if there is none. The text returns to the box if it was not
   * accepted.
   */
  async send(): Promise<void> {
    const { view, model, draft, past, dialogs, toasts } = this.#deps;
    const text = draft.text.trim();
    if (text === '' || view.busy) return;
    if (!model.choice) return dialogs.openSettings();
    if (!view.session && !(await view.newSession())) return;
    const { session } = view;
    if (!session) return;
    const typed = draft.text;
    past.view?.leave();
    draft.set('');
    try {
      const command = text.startsWith('/') ? await this.#command(text) : undefined;
      if (command)
        await session.prompt(command.text, model.usable(command.model) ?? model.ref, command.agent);
      else await session.prompt(text, model.ref);
    } catch (error) {
      if (draft.text === '') draft.set(typed);
      toasts.fail(error);
    }
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
    const { view, model, toasts } = this.#deps;
    await toasts.attempt(async () => view.session?.retry(model.ref));
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
