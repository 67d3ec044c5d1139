/** Where a terminal's commands are kept between visits, per workspace. */
export interface HistoryStore {
  load(): Promise<readonly string[]>;
  save(commands: readonly string[]): Promise<void>;
}

const KEPT = 500;

/** Commands run before, oldest first, and where in them the person is looking. */
export class CommandHistory {
  #commands: readonly string[] = [];
  #at = 0;
  #draft = '';

  get commands(): readonly string[] {
    return this.#commands;
  }

  /** What was stored comes before what was typed since. */
  prepend(stored: readonly string[]): void {
    const browsed = this.#commands.length - this.#at;
    this.#commands = [...stored, ...this.#commands].slice(-KEPT);
    this.#at = this.#commands.length - browsed;
  }

  /** A leading space keeps a command out, as shells do; so does a repeat of the last one. */
  add(command: string): void {
    const wanted = command.trim() !== '' && !command.startsWith(' ') && command !== this.#commands.at(-1);
    if (wanted) this.#commands = [...this.#commands, command].slice(-KEPT);
    this.rest();
  }

  /** The command before the one shown; `current` is kept to come back to. Undefined at the oldest. */
  older(current: string): string | undefined {
    if (this.#at === 0) return undefined;
    if (this.#at === this.#commands.length) this.#draft = current;
    this.#at -= 1;
    return this.#commands[this.#at];
  }

  /** The command after the one shown, at last the draft. Undefined when the draft is shown. */
  newer(): string | undefined {
    if (this.#at >= this.#commands.length) return undefined;
    this.#at += 1;
    return this.#commands[this.#at] ?? this.#draft;
  }

  /** The newest command that holds `text`, looked for from the one before `before` on. */
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
