import { writing } from '../kit/io.ts';
import type { Program } from '../program.ts';

const USUAL_COLUMNS = 80;

/**
 * Lists the available commands. The operands are the names of the shell's builtins. `gathers` tells which
 * commands need their whole input before their first output.
 */
export function helpOf(gathers: (name: string) => boolean): Program {
  return writing(async (call, out) => {
    const width = Math.min(call.terminal(1)?.columns ?? USUAL_COLUMNS, USUAL_COLUMNS) - 4;
    const commands = await call.files.readdir('/usr/bin');
    const builtins = call.args.length > 0 ? `${inColumns(call.args, width)}\n` : '';
    await out.write(`${builtins}The stages of a pipeline run together. These work on their input as it comes:

${inColumns(
  commands.filter((name) => !gathers(name)),
  width,
)}
These take all of their input, where they have any, before they print:

${inColumns(commands.filter(gathers), width)}
There is no native program: python and compilers are not here.
Jobs, traps and signals work; a job cannot be stopped and gone on with.
Run COMMAND --help for a command, help NAME for a builtin of the shell.
`);
    return 0;
  });
}

function inColumns(names: readonly string[], width: number): string {
  let [text, line] = ['', ' '];
  for (const name of names) {
    if (line.length + name.length + 1 > width) {
      text += `${line}\n`;
      line = ' ';
    }
    line += ` ${name}`;
  }
  return `${text}${line}\n`;
}
