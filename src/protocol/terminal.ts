export interface TerminalSize {
  /** The size in characters. */
  readonly columns: number;
  readonly rows: number;
}

/** The state of a shell after a line. */
export interface LineState {
  /** How many of its lines are done. The shell also reports its state without a new line, and while one is on its way. */
  readonly count: number;
  /** The value of `$?`. */
  readonly exitCode: number;
  readonly cwd: string;
  /** Whether it only waits for a line and has no background jobs. */
  readonly isIdle: boolean;
  /** Input that was typed and that no program has read. */
  readonly unread: string;
  /** Names that can be completed in addition to programs and files. */
  readonly names: { readonly commands: readonly string[]; readonly variables: readonly string[] };
}

/** How keys reach the program in the foreground. By default, in whole lines, with echo. */
export interface KeyboardMode {
  /** Whether each key is sent as it is pressed, instead of whole lines. */
  readonly raw: boolean;
  /** Whether typed text is shown. */
  readonly echo: boolean;
}
