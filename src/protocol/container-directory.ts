/**
 * Extends a command so that it writes its last directory to `file`. Only commands that use `cd` and can be continued with
 * `&&` are extended, because jsh knows little more than words, quotes, `&&` and redirections. If the command fails, nothing
 * is written, and its exit code stays the same.
 */
export function notingDirectory(command: string, file: string): string {
  const moves = /(?:^|[;&|]\s*)cd(?:\s|$)/.test(command.trim());
  const mayGoOn = !/[#\n\\]|<<|[;&|]\s*$/.test(command);
  return moves && mayGoOn ? `${command} && pwd > ${file}` : command;
}
