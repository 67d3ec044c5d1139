import {
  shellCommands,
  type ShellFs,
  type ShellOptions,
  type ShellPrograms,
} from '../../../guest/shell/engine.ts';
import type { Program } from '../../../guest/shell/program.ts';
import { JSH } from './jsh-commands.ts';
import { runNode } from './node-process.ts';

export const jshNames: readonly string[] = [
  ...JSH.filter((name) => shellCommands.includes(name)),
  'node',
].sort();

export function jshPrograms(fs: ShellFs, options: ShellOptions): ShellPrograms {
  const node: Program = (call) =>
    runNode(fs, call.args, {
      ...options,
      cwd: call.cwd,
      env: Object.fromEntries(call.env),
      output: (bytes) => call.stdout.write(bytes),
    });
  return { names: jshNames, more: { node } };
}
