/** Thrown inside the analysis if the meaning of the script, or of a part, is uncertain. `message` is the reason. */
export class Opaque extends Error {}

/** A word of a command. */
export interface ShellWord {
  /** The word as it is written. */
  readonly text: string;
  /** The value of the word; `null` if it is known only at run time (expansions, globs, braces). */
  readonly value: string | null;
  /**
   * The variable that the word assigns, if the shell reads it as an assignment, whose value is not split into words.
   */
  readonly assigns?: string;
}

export interface ShellCommand {
  readonly assignments: readonly { readonly name: string; readonly text: string }[];
  /** The name comes first; empty for bare assignments and redirections. */
  readonly words: readonly ShellWord[];
  readonly redirects: readonly ShellRedirect[];
  /** Set if input lines become words of the command, as with `xargs`: in place of this text, or appended. */
  readonly input?: { readonly placeholder: string | undefined };
  /** The commands in front of the pipe that it reads from, in their order; `null` for one that is not simple. */
  readonly fedBy?: readonly (ShellCommand | null)[];
  /** The words that the variables of the loops around it go through. */
  readonly loops?: ReadonlyMap<string, readonly ShellWord[]>;
  /** The command that has this one in its arguments. */
  readonly within?: ShellCommand;
}

export interface ShellRedirect {
  readonly text: string;
  /** Whether it opens a file for writing. */
  readonly writes: boolean;
  /** The file; absent for copies of descriptors, here-documents and here-strings. */
  readonly target?: ShellWord;
}
