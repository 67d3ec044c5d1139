import { INSTEAD_OF_COMMAND, PARTLY } from '../../../../src/protocol/native-programs.ts';
import { encode } from '../../kit/io.ts';
import type { ProgramCall } from '../../program.ts';

/** Says why a script failed that calls a program in native code: its own error often tells to install it again. */
export async function nameNatives({ stderr }: Pick<ProgramCall, 'stderr'>, line: string): Promise<void> {
  const commands = line.split(/&&|[|;&()\n]/).map((part) => /^\s*(?:npx\s+)?(\S+)/.exec(part)?.[1] ?? '');
  for (const name of new Set(commands)) {
    const instead = INSTEAD_OF_COMMAND.get(name);
    const reason =
      instead === undefined ? PARTLY.get(name) : `${name} is native code, which cannot run here: ${instead}`;
    if (reason !== undefined) await stderr.write(encode(`npm warn vitrine ${reason}.\n`));
  }
}
