import { fileError } from '../files.ts';
import type { ShellFs } from '../shell-fs.ts';

export { fileError };

/** The services of the shell that every buffered command can use. */
export interface Host {
  readonly commands: readonly string[];
  aborted(): boolean;
}

export interface Call {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: ReadonlyMap<string, string>;
  readonly files: ShellFs;
  readonly host: Host;
  /** Width of the terminal that the command prints to; undefined where it does not print to a terminal. */
  readonly columns: number | undefined;
  /** Returns the whole standard input. */
  stdin(): Uint8Array;
  path(name: string): string;
}

export interface Output {
  readonly stdout?: string | Uint8Array;
  readonly stderr?: string;
  readonly code?: number;
}

export type Implementation = (call: Call) => Output | Promise<Output>;

/** An error that ends the command. It is printed as `name: message`; the default exit code is 2. */
export class Complaint extends Error {
  readonly code: number;

  constructor(message: string, code = 2) {
    super(message);
    this.code = code;
  }
}

const decoder = new TextDecoder();

export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Reads the file of that name; `-`, and no name, mean standard input. */
export async function inputOf(call: Call, name = '-', code = 2): Promise<Uint8Array> {
  if (name === '-') return call.stdin();
  try {
    return await call.files.readFileBuffer(call.path(name));
  } catch (error) {
    throw new Complaint(`${name}: ${fileError(error)}`, code);
  }
}
