import { encode } from '../kit/io.ts';
import { Usage } from '../kit/options.ts';
import type { Program } from '../program.ts';
import type { Command } from './registry.ts';

/** Makes a program answer `--help` with the usage of its command, or with the list of its options. */
export function explaining(name: string, program: Program, command: Command | undefined): Program {
  return async (call) => {
    const [word, more] = call.args;
    if (command?.usage !== undefined && word === '--help' && more === undefined) {
      await call.stdout.write(encode(command.usage));
      return 0;
    }
    try {
      return await program(call);
    } catch (error) {
      if (!(error instanceof Usage)) throw error;
      await call.stdout.write(encode(error.text(name, command?.summary)));
      return 0;
    }
  };
}
