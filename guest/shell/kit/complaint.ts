/** An error that ends the command. It is printed as `name: message`; the default exit code is 2. */
export class Complaint extends Error {
  readonly code: number;

  constructor(message: string, code = 2) {
    super(message);
    this.code = code;
  }
}
