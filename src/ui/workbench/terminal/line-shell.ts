import type { KeyboardMode, LineState } from '../../../workspace/typed-shell.ts';
import type { Exit } from '../../../workspace/workspace.ts';

/** Runs the lines of a terminal, one at a time. */
export interface LineShell {
  /** True if an empty line has an effect: a shell then reports which of its jobs have ended. */
  readonly takesNothing: boolean;
  run(line: string): void;
  /** Writes to the standard input of the running command. */
  write(text: string): void;
  closeInput(): void;
  /** Ctrl-C: interrupts the running command, and kills it if repeated interrupts had no effect. */
  interrupt(): void;
  resize(): void;
  close(): void;
}

export interface LineEvents {
  /** Resolves when the screen has processed the text. */
  print(text: string): Promise<void>;
  /**
   * Called when the line has ended, or when something about the shell changed while nothing ran. `isOver`
   * returns false once another line has begun, which this call does not concern. Resolves when the call has
   * had its effect.
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
