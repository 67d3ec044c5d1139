/** Ends the command with a message on standard error. Native git uses 128 for what it calls fatal, and 1 or 129. */
export class Fatal extends Error {
  readonly code: number;
  readonly prefix: string;

  constructor(message: string, code = 128, prefix = 'fatal: ') {
    super(message);
    this.code = code;
    this.prefix = prefix;
  }
}

/** A failure that git reports as `error: …`, by default with the exit code 1. */
export function problem(message: string, code = 1): Fatal {
  return new Fatal(message, code, 'error: ');
}

/** Ends the command with an exit code after everything has been said. */
export class Ended extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}
