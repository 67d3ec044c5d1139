export class CloseEvent extends Event {
  readonly code: number;
  readonly reason: string;
  readonly wasClean: boolean;

  constructor(type: string, { code = 0, reason = '', wasClean = false } = {}) {
    super(type);
    this.code = code;
    this.reason = reason;
    this.wasClean = wasClean;
  }
}

export class ErrorEvent extends Event {
  readonly message: string;
  readonly error: Error;

  constructor(type: string, error: Error) {
    super(type);
    this.message = error.message;
    this.error = error;
  }
}
