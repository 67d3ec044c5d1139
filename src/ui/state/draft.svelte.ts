import { tabDrafts, type Drafts } from './drafts.ts';

/** The text in the message box, which is stored for each session. */
export class Draft {
  readonly #drafts: Drafts;
  #sessionID = '';
  #text = $state.raw('');

  constructor(drafts: Drafts = tabDrafts()) {
    this.#drafts = drafts;
    this.show('');
  }

  get text(): string {
    return this.#text;
  }

  set(text: string): void {
    this.#text = text;
    this.#drafts.set(this.#sessionID, text);
  }

  /** Puts a text behind what is there, with `between` between the two. */
  append(text: string, between: string): void {
    this.set([this.#text.trimEnd(), text].filter(Boolean).join(between));
  }

  /** Shows the text for a session; the id is `''` while no session is shown. */
  show(sessionID: string): void {
    this.#sessionID = sessionID;
    this.#text = this.#drafts.get(sessionID);
  }

  /**
   * Call this when a session begins to open. The returned function shows the text for the session that opened,
   * or takes along what the person typed meanwhile.
   */
  opening(): (sessionID: string) => void {
    const from = this.#sessionID;
    const before = this.#text;
    return (sessionID) => {
      const typed = this.#text;
      this.show(sessionID);
      if (from === sessionID || typed === before || this.#text !== '') return;
      this.#drafts.set(from, before);
      this.set(typed);
    };
  }

  /** Moves the text from before there was a session to the shown one, unless that one has a text already. */
  handOver(): void {
    const text = this.#drafts.get('');
    this.#drafts.set('', '');
    if (this.#text === '') this.set(text);
  }
}
