/** Stores a terminal's commands between visits, per workspace. */
export interface HistoryStore {
  load(): Promise<readonly string[]>;
  save(commands: readonly string[]): Promise<void>;
}

const KEPT = 500;

/** Earlier commands, oldest first, and the person's position among them. */
export class CommandHistory {
  #commands: readonly string[] = [];
  #at = 0;
  #draft = '';

  get commands(): readonly string[] {
    return this.#commands;
  }

  /** Stored commands come before those that were typed since. */
  prepend(stored: readonly string[]): void {
    const browsed = this.#commands.length - this.#at;
    this.#commands = [...stored, ...this.#commands].slice(-KEPT);
    this.#at = this.#commands.length - browsed;
  }

  /**
   * A command with a leading space is not stored, as in other shells; a repetition of the last one is not
   * stored either.
   */
  add(command: string): void {
    const wanted = command.trim() !== '' && !command.startsWith(' ') && command !== this.#commands.at(-1);
    if (wanted) this.#commands = [...this.#commands, command].slice(-KEPT);
    this.rest();
  }

  /**
   * The command before the shown one; `current` is stored as the draft to return to. Undefined at the oldest
   * command.
   */
  older(current: string): string | undefined {
    if (this.#at === 0) return undefined;
    if (this.#at === this.#commands.length) this.#draft = current;
    this.#at -= 1;
    return this.#commands[this.#at];
  }

  /** The command after the shown one, and at the end the draft. Undefined while the draft is shown. */
  newer(): string | undefined {
    if (this.#at >= this.#commands.length) return undefined;
    this.#at += 1;
    return this.#commands[this.#at] ?? this.#draft;
  }

  /** The newest command that contains `text`, among those before index `before`. */
  find(
    text: string,
    before = this.#commands.length,
  ): { readonly command: string; readonly at: number } | undefined {
    for (let at = before - 1; at >= 0; at--) {
      const command = this.#commands[at];
      if (command?.includes(text)) return { command, at };
    }
    return undefined;
  }

  rest(): void {
    this.#at = this.#commands.length;
    this.#draft = '';
  }
}
