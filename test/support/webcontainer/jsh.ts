import { defineCommand } from 'just-bash/browser';
import {
  shellCommands,
  type ShellFs,
  type ShellOptions,
  type ShellPrograms,
} from '../../../guest/shell/engine.ts';
import { JSH } from './jsh-commands.ts';
import { runNode } from './node-process.ts';

export const jshNames: readonly string[] = [
  ...JSH.filter((name) => shellCommands.includes(name)),
  'node',
].sort();

export function jshPrograms(fs: ShellFs, options: ShellOptions): ShellPrograms {
  const node = defineCommand('node', async (args, context) => {
    let output = '';
    const decoder = new TextDecoder();
    const exitCode = await runNode(fs, args, {
      ...options,
      cwd: context.cwd,
      env: { ...options.env, ...context.exportedEnv },
      output: (bytes) => void (output += decoder.decode(bytes, { stream: true })),
    });
    return { stdout: output, stderr: '', exitCode };
  });
  return { names: jshNames, more: [node] };
}
