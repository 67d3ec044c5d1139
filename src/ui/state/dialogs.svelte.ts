/** The dialogs that can be opened from several parts of the page. */
export class Dialogs {
  #settings = $state.raw(false);
  #audited = $state.raw<string | null>(null);

  get settingsOpen(): boolean {
    return this.#settings;
  }

  /** The session whose permission decisions are listed, if any. */
  get audited(): string | null {
    return this.#audited;
  }

  openSettings(): void {
    this.#settings = true;
  }

  closeSettings(): void {
    this.#settings = false;
  }

  openAudit(sessionID: string): void {
    this.#settings = false;
    this.#audited = sessionID;
  }

  closeAudit(): void {
    this.#audited = null;
  }
}
