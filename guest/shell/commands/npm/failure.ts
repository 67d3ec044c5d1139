import { encode } from '../io.ts';
import type { ProgramCall } from '../../program.ts';

/** What npm ends with: the lines it prints, each after `npm error`, and its exit code. */
export class NpmFailure extends Error {
  readonly lines: readonly string[];
  readonly code: number;
  /** Lines before them that say where it happened, printed only where several projects are at work. */
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

export async function printError(call: ProgramCall, lines: readonly string[]): Promise<void> {
  const printed = lines.flatMap((line) => line.split('\n')).map((line) => `npm error ${line}`.trimEnd());
  await call.stderr.write(encode(printed.map((line) => `${line}\n`).join('')));
}
