import { encode } from '../../kit/io.ts';
import type { ProgramCall } from '../../program.ts';

/** A failure of npm: the lines to print, each after `npm error`, and the exit code. */
export class NpmFailure extends Error {
  readonly lines: readonly string[];
  readonly code: number;
  /** Lines before the others that name the project, printed only where several projects are at work. */
  readonly about: readonly string[];

  constructor(lines: readonly string[], code = 1, about: readonly string[] = []) {
    super(lines.join('\n'));
    this.lines = lines;
    this.code = code;
    this.about = about;
  }
}

export async function print(call: ProgramCall, text: string): Promise<void> {
  await call.stdout.write(encode(`${text}\n`));
}

export async function printWarning(call: ProgramCall, text: string): Promise<void> {
  await call.stderr.write(encode(`npm warn ${text}\n`));
}

export async function printError(call: ProgramCall, lines: readonly string[]): Promise<void> {
  const printed = lines.flatMap((line) => line.split('\n')).map((line) => `npm error ${line}`.trimEnd());
  await call.stderr.write(encode(printed.map((line) => `${line}\n`).join('')));
}
