import { fileError } from '../files.ts';
import type { ShellFs } from '../shell-fs.ts';

export { fileError };

/** What the shell gives every command of ours. */
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
  /** Width of the terminal that it prints to; undefined where that is none. */
  readonly columns: number | undefined;
  /** All of standard input. */
  stdin(): Uint8Array;
  path(name: string): string;
}

export interface Output {
  readonly stdout?: string | Uint8Array;
  readonly stderr?: string;
  readonly code?: number;
}

export type Implementation = (call: Call) => Output | Promise<Output>;

/** A complaint that ends the command: printed as `name: message`, exit code 2 unless told. */
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

/** What is read under a name; `-`, and no name, is standard input. */
export async function inputOf(call: Call, name = '-', code = 2): Promise<Uint8Array> {
  if (name === '-') return call.stdin();
  try {
    return await call.files.readFileBuffer(call.path(name));
  } catch (error) {
    throw new Complaint(`${name}: ${fileError(error)}`, code);
  }
}
