/** Thrown inside the analysis: the script, or a part of it, cannot be told with certainty. `message` is the reason. */
export class Opaque extends Error {}

/** A word of a command. */
export interface ShellWord {
  /** As it is written. */
  readonly text: string;
  /** What it becomes; `null` where only the run tells (expansions, globs, braces). */
  readonly value: string | null;
  /** The variable that it assigns, where the shell reads it as an assignment: its value is not cut into words. */
  readonly assigns?: string;
}

export interface ShellCommand {
  readonly assignments: readonly { readonly name: string; readonly text: string }[];
  /** The name first; empty for bare assignments and redirections. */
  readonly words: readonly ShellWord[];
  readonly redirects: readonly ShellRedirect[];
  /** What is read becomes words of it, as with `xargs`: in the place of this, or behind the others. */
  readonly input?: { readonly placeholder: string | undefined };
}

export interface ShellRedirect {
  readonly text: string;
  /** Opens a file for writing. */
  readonly writes: boolean;
  /** The file; absent for copies of descriptors, here-documents and here-strings. */
  readonly target?: ShellWord;
}
