import type { KeyboardMode, LineState } from '../../../workspace/typed-shell.ts';
import type { Exit } from '../../../workspace/workspace.ts';

/** What runs the lines of a terminal, one at a time. */
export interface LineShell {
  /** Whether a line of nothing does something: a shell tells then which of its jobs have ended. */
  readonly takesNothing: boolean;
  run(line: string): void;
  /** To the standard input of what runs. */
  write(text: string): void;
  closeInput(): void;
  /** Ctrl-C: tells what runs, and ends it for certain where that was of no use. */
  interrupt(): void;
  resize(): void;
  close(): void;
}

export interface LineEvents {
  /** Resolves when the screen has taken it in. */
  print(text: string): Promise<void>;
  /**
   * The line is over, or nothing ran and something about the shell has changed. `isOver` is false once another line has
   * been begun, of which this says nothing. Resolves when it has had its effect.
   */
  done(outcome: LineOutcome, isOver: () => boolean): Promise<void>;
  keyboard(mode: KeyboardMode): Promise<void>;
}

export interface LineOutcome extends Pick<LineState, 'exitCode' | 'cwd' | 'unread' | 'names'> {
  /** Sentences for the person. */
  readonly notes: readonly string[];
}

export const NO_NAMES: LineState['names'] = { commands: [], variables: [] };

export function notesOn(exit: Exit): readonly string[] {
  return [
    ...(exit.reason === 'lost'
      ? [
          'The workspace stopped while this ran, and starts again with its files. A program that takes all of its memory does that.',
        ]
      : []),
    ...(exit.reason === 'timeout' ? ['Ended: it ran out of time.'] : []),
    ...(exit.outputMayBeCut ? ['Some of its output may be missing.'] : []),
  ];
}
