import type { TerminalSize } from '../../../workspace/typed-shell.ts';

/**
 * A screen on which output scrolls up, with one line at its end that the person edits. Output that arrives
 * while a line is being edited appears above it. Everything happens in the order of the calls.
 */
export interface Screen {
  /**
   * Resolves when the screen has processed the text. A caller with much output waits for this, so that
   * nothing piles up.
   */
  print(text: string): Promise<void>;
  /** Prints like `print`, on lines of their own. */
  printLines(text: string): Promise<void>;
  /** Shows the edited line in place of the previous one. `cursor` counts UTF-16 units of `text`. */
  edit(line: EditedLine): void;
  /** Removes the edited line from the screen. */
  drop(): void;
  /** Leaves the edited line as it is; output continues below it. */
  commit(): void;
  /** Removes everything above the edited line. */
  clear(): void;
  size(): TerminalSize;
  onResize(listener: () => void): void;
}

export interface EditedLine {
  /** The prompt may contain escape sequences for colour. */
  readonly prompt: string;
  /** A prefix for each further row of the text. */
  readonly more: string;
  readonly text: string;
  readonly cursor: number;
}
