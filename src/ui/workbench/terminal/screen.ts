import type { TerminalSize } from '../../../workspace/typed-shell.ts';

/**
 * A screen that output scrolls up on, with one line at its end that the person edits. Output that comes while a line
 * is being edited goes above it. Everything happens in the order it was asked for.
 */
export interface Screen {
  /** Resolves when the screen has taken it in: whoever prints a lot waits, so that nothing piles up. */
  print(text: string): Promise<void>;
  /** As `print`, on a line of its own. */
  printLines(text: string): Promise<void>;
  /** Shows the line being edited, in place of the one shown before. `cursor` in UTF-16 units of `text`. */
  edit(line: EditedLine): void;
  /** Takes the edited line off the screen. */
  drop(): void;
  /** The edited line stays as it is, output goes on below it. */
  commit(): void;
  /** Takes away everything above the edited line. */
  clear(): void;
  size(): TerminalSize;
  onResize(listener: () => void): void;
}

export interface EditedLine {
  /** May hold escape sequences for colour. */
  readonly prompt: string;
  /** Stands before each further row of the text. */
  readonly more: string;
  readonly text: string;
  readonly cursor: number;
}
