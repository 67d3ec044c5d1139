import { defineCommand } from 'just-bash/browser';
import {
  shellCommands,
  type ShellFs,
  type ShellOptions,
  type ShellPrograms,
} from '../../../guest/shell/engine.ts';
import { runNode } from './node-process.ts';

/** What the real shell has, and this host can do as well. No grep, find, sed, awk, wc, xargs, tee, diff, tar, git. */
const JSH =
  'alias cat chmod clear cp curl echo env false head hostname jq ln ls mkdir mv pwd rm rmdir sort tail touch true which'.split(
    ' ',
  );

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
