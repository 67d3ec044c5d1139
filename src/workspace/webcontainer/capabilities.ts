import type { Capabilities } from '../workspace.ts';

/** The builtins of the shell. The other commands are programs on its path. */
const BUILT_IN = ['alias', 'cd', 'echo', 'export', 'false', 'pwd', 'source', 'true', 'unset'];
/** Commands that models often use. The notes list the ones that are missing. */
const MISSED = [
  'grep',
  'find',
  'sed',
  'awk',
  'wc',
  'xargs',
  'tee',
  'diff',
  'tar',
  'zip',
  'git',
  'sleep',
  'bash',
];

export function capabilitiesWith(programs: readonly string[]): Capabilities {
  const commands = [...new Set([...programs, ...BUILT_IN])].sort();
  const missed = MISSED.filter((name) => !commands.includes(name));
  return {
    title: 'WebContainer · Node',
    commands,
    separateStderr: false,
    notes: [
      'The shell is jsh, which resembles zsh, in a WebContainer: Node.js in the browser, not Linux. No native programs, no sudo.',
      ...(missed.length > 0
        ? [`Not there: ${missed.join(', ')}. Use the tools for search and edits, or node.`]
        : []),
      'Keep commands simple: words, pipes, && and || and redirections. For more, write a script and run it with node.',
      'Packages are installed with npm; what is in node_modules is not kept when the page is reloaded: install again.',
      'A process in a busy loop cannot be stopped without restarting the container.',
      'Standard error arrives merged into standard output, which is a terminal.',
      'The network is that of the browser: only hosts that allow other origins answer, and there are no raw sockets.',
      'Full outputs of tools can be read below /home/.opencode/truncate, by commands that name that folder.',
      'Every command starts in /home/project: `cd` does not last from one to the next.',
    ],
  };
}
