import type { Process } from './workspace.ts';

/** A shell for a terminal: what one line sets, the next one has. It ends with `exit`, or with its workspace. */
export interface TypedShell extends Omit<Process, 'output'> {
  /** What it prints, and what becomes of it, in order. Can be read once; ends when the shell has ended. */
  readonly events: AsyncIterable<string | TypedShellEvent>;
  /** Runs a line, of one row or several; `line` tells its end. */
  run(line: string): void;
  interrupt(): void;
  resize(size: TerminalSize): void;
}

export interface TerminalSize {
  /** Characters. */
  readonly columns: number;
  readonly rows: number;
}

export type TypedShellEvent =
  ({ readonly type: 'line' } & LineState) | ({ readonly type: 'keyboard' } & KeyboardMode);

/** How a shell stands after a line. */
export interface LineState {
  /** How many of the lines that it was given are done: it tells of itself without one too, and while one is on its way. */
  readonly count: number;
  /** `$?` */
  readonly exitCode: number;
  readonly cwd: string;
  /** Typed and read by nobody. */
  readonly unread: string;
  /** What can be completed beside programs and files. */
  readonly names: { readonly commands: readonly string[]; readonly variables: readonly string[] };
}

/** How what is typed reaches the program in front; by lines that show, where nothing else was asked for. */
export interface KeyboardMode {
  /** Each key as it is pressed, not only the end of its line. */
  readonly raw: boolean;
  /** What is typed shows. */
  readonly echo: boolean;
}
