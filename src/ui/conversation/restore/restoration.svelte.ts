import type { RestorePlan } from '../../../session/restore/plan.ts';
import type { RestoreChoice } from '../../../session/restore/restorer.ts';
import type { View } from '../../state/app-view.svelte.ts';
import type { CurrentModel } from '../../state/current-model.svelte.ts';
import type { Dialogs } from '../../state/dialogs.svelte.ts';
import type { Draft } from '../../state/draft.svelte.ts';
import type { Prompts } from '../../state/prompts.svelte.ts';
import type { SessionView } from '../../state/session-view.svelte.ts';
import type { Toasts } from '../../state/toasts.svelte.ts';

export interface RestorationDeps {
  readonly view: Pick<View, 'session'>;
  readonly model: Pick<CurrentModel, 'choice' | 'ref'>;
  readonly draft: Pick<Draft, 'text' | 'set'>;
  readonly dialogs: Pick<Dialogs, 'openSettings'>;
  readonly toasts: Toasts;
  readonly prompts: Pick<Prompts, 'remember'>;
}

/** A plan that the person looks at before it is carried out. */
export interface AskedRestore {
  readonly plan: RestorePlan;
  /** Whether the person may choose to restore only the files or only the conversation. */
  readonly partly: boolean;
  /** Whether a message is sent right after it. */
  readonly sends: boolean;
  run(choice: RestoreChoice): Promise<void>;
}

/** Takes the shown session back, forth and to its other versions. The code is loaded with the first use. */
export class Restoration {
  readonly #deps: RestorationDeps;
  #asked = $state.raw<AskedRestore | null>(null);
  #editing = $state.raw<string | null>(null);
  #busy = $state.raw(false);

  constructor(deps: RestorationDeps) {
    this.#deps = deps;
  }

  /** The plan that the dialog shows; `null` while it is closed. */
  get asked(): AskedRestore | null {
    return this.#asked;
  }

  /** The id of the message that the person is changing. */
  get editing(): string | null {
    return this.#editing;
  }

  /** True while a restore is planned or carried out. */
  get busy(): boolean {
    return this.#busy;
  }

  ask(asked: AskedRestore | null): void {
    this.#asked = asked;
  }

  edit(messageID: string | null): void {
    this.#editing = messageID;
  }

  /** Shows what going back to right before this message would change. */
  toBefore(messageID: string): Promise<void> {
    return this.#during(async (session) => {
      const { askFirst } = await import('./flow.ts');
      await askFirst(this.#deps, this, session, { kind: 'before', messageID });
    });
  }

  /** Takes back the last message, its answer and what that changed. */
  undo(): Promise<void> {
    return this.#during(async (session) => {
      const { undo } = await import('./flow.ts');
      await undo(this.#deps, this, session);
    });
  }

  redo(): Promise<void> {
    return this.#during(async (session) => {
      const { redo } = await import('./flow.ts');
      await redo(this.#deps, this, session);
    });
  }

  /** Shows the version of the conversation in which this message was sent. */
  toVersion(messageID: string): Promise<void> {
    return this.#during(async (session) => {
      const { go } = await import('./flow.ts');
      await go(this, session, { kind: 'branch', messageID });
    });
  }

  /** Sends the changed text in place of a message. The conversation with the message stays as another version. */
  resend(messageID: string, text: string): Promise<void> {
    return this.#sending(async (session) => {
      const { resend } = await import('./flow.ts');
      await resend(this.#deps, this, session, { messageID, text });
    });
  }

  /** Sends the last message again, as it was. */
  retry(): Promise<void> {
    return this.#sending(async (session) => {
      const { retry } = await import('./flow.ts');
      await retry(this.#deps, this, session);
    });
  }

  /** Takes the newest message and its answer out of the conversation. The files stay as they are. */
  delete(messageID: string): Promise<void> {
    return this.#during(async (session) => {
      const { leave } = await import('./flow.ts');
      await leave(this.#deps, this, session, messageID);
    });
  }

  /**
   * Without a model nothing is taken back, since nothing could be sent in its place. The state stays as it is: a button
   * that is disabled meanwhile would not get the focus back from the settings.
   */
  async #sending(work: (session: SessionView) => Promise<void>): Promise<void> {
    const { model, dialogs } = this.#deps;
    if (model.choice) await this.#during(work);
    else dialogs.openSettings('no-model-again');
  }

  async #during(work: (session: SessionView) => Promise<void>): Promise<void> {
    const { session } = this.#deps.view;
    if (!session || this.#busy) return;
    this.#busy = true;
    try {
      await work(session);
    } catch (error) {
      const { tellRefusal } = await import('./flow.ts');
      tellRefusal(this.#deps, session, error);
    } finally {
      this.#busy = false;
    }
  }
}
