import type { KeyboardMode, LineState, TerminalSize } from '../protocol/terminal.ts';
import type { Process } from './process.ts';

export type { KeyboardMode, LineState, TerminalSize };

/** An interactive shell for a terminal: it keeps its state between lines. It ends with `exit`, or with its workspace. */
export interface TypedShell extends Omit<Process, 'output'> {
  /** The shell's output and events, in order. Can be read once; ends when the shell has ended. */
  readonly events: AsyncIterable<string | TypedShellEvent>;
  /** Runs a line, which may span several rows. The event `line` reports its end. */
  run(line: string): void;
  interrupt(): void;
  resize(size: TerminalSize): void;
}

export type TypedShellEvent =
  ({ readonly type: 'line' } & LineState) | ({ readonly type: 'keyboard' } & KeyboardMode);
