import type { ShareChoice } from '../../session/recording/parts.ts';
import type { Recording } from '../../session/recording/recording.ts';

/** The two lists of commands: one to run them from, one of their keys. */
export type CommandList = 'palette' | 'keys';

/** The dialog *Share* gives this out: a session of this device, a recording that is open, or a lesson of the app. */
export type Sharing =
  | { readonly kind: 'session'; readonly sessionID: string; readonly choice?: ShareChoice }
  | {
      readonly kind: 'recording';
      readonly recording: Recording;
      readonly address: string | null;
      readonly choice?: ShareChoice;
    }
  | {
      readonly kind: 'lesson';
      readonly title: string;
      readonly summary: string;
      readonly address: string;
      /** The tag of the language in which title and summary are. */
      readonly language: string;
    };

/** The dialogs that can be opened from several parts of the page. */
export class Dialogs {
  #repository = $state.raw<{ readonly repository: string; readonly ref?: string } | null>(null);
  /** The name of the page with which the settings open; `null` while they are closed. */
  #settings = $state.raw<string | null>(null);
  #returned = '';
  #audited = $state.raw<string | null>(null);
  #sharing = $state.raw<Sharing | null>(null);
  #listed = $state.raw<CommandList | null>(null);

  /** The repository that the dialog *Open a repository* begins with, while it is open. */
  get repository(): { readonly repository: string; readonly ref?: string } | null {
    return this.#repository;
  }

  offerRepository(offered: { readonly repository: string; readonly ref?: string } | null): void {
    this.#repository = offered;
  }

  get settingsOpen(): boolean {
    return this.#settings !== null;
  }

  /** The page with which the settings open; an unknown name means the first. */
  get settingsPage(): string {
    return this.#settings ?? '';
  }

  /** The session whose permission decisions are listed, if any. */
  get audited(): string | null {
    return this.#audited;
  }

  /** The thing that is being shared, while that dialog is open. */
  get sharing(): Sharing | null {
    return this.#sharing;
  }

  share(sharing: Sharing | null): void {
    this.#sharing = sharing;
  }

  /** The list of commands that is open, if any. */
  get listed(): CommandList | null {
    return this.#listed;
  }

  list(list: CommandList | null): void {
    this.#listed = list;
  }

  /** `page` may also be `sign-in`, a place on the first page, or `no-model` or `no-model-again`, which say why a message was not sent: a new one, or one that the conversation has already. `returned`: with which parameters the person came back from a sign-in. */
  openSettings(page = '', returned = ''): void {
    this.#settings = page;
    this.#returned = returned;
  }

  /** These parameters, once; empty if there are none. */
  takeReturned(): string {
    const returned = this.#returned;
    this.#returned = '';
    return returned;
  }

  closeSettings(): void {
    this.#settings = null;
  }

  openAudit(sessionID: string): void {
    this.#settings = null;
    this.#audited = sessionID;
  }

  closeAudit(): void {
    this.#audited = null;
  }
}
