/** An error in a command or an expansion, in bash's words; printed as `bash: line N: message`. */
export class ShellError extends Error {
  override readonly name = 'ShellError';
  readonly status: number;
  /** A fatal error, such as a failed expansion, ends a shell that is not interactive. */
  readonly fatal: boolean;
  /** True once the error has been printed at the place where it happened. */
  isTold = false;

  constructor(message: string, status = 1, fatal = false) {
    super(message);
    this.status = status;
    this.fatal = fatal;
  }
}

/** Thrown by `exit`, and by a failure under `set -e`. */
export class ShellExit extends Error {
  override readonly name = 'ShellExit';
  readonly status: number;

  constructor(status: number) {
    super(`exit ${status}`);
    this.status = status & 255;
  }
}
