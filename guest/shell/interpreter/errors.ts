/** What is wrong with a command or expansion, in bash's words: printed as `bash: line N: message`. */
export class ShellError extends Error {
  override readonly name = 'ShellError';
  readonly status: number;
  /** Ends a shell that no person types into, as failed expansions do. */
  readonly fatal: boolean;
  /** It has been printed, where it happened. */
  isTold = false;

  constructor(message: string, status = 1, fatal = false) {
    super(message);
    this.status = status;
    this.fatal = fatal;
  }
}

/** `exit`, or what `set -e` makes of a failure. */
export class ShellExit extends Error {
  override readonly name = 'ShellExit';
  readonly status: number;

  constructor(status: number) {
    super(`exit ${status}`);
    this.status = status & 255;
  }
}
