/**
 * Shell commands that only read, as rule patterns. Redirections, and options that write, remove or run something, are
 * asked for by patterns of their own, so none of these covers them. Commands with options that could write and that
 * we do not analyse (`shuf -o`, `xxd`, `tar`, `less -o`) are left out.
 */
export const LOOKING_COMMANDS: readonly string[] = [
  // Files and folders.
  ...['ls', 'dir', 'tree', 'find', 'du', 'df', 'stat', 'realpath', 'readlink', 'basename', 'dirname', 'pwd'],
  // Text.
  ...['cat', 'tac', 'head', 'tail', 'nl', 'wc', 'rev', 'od', 'hexdump', 'strings', 'zcat'],
  ...[
    'grep',
    'egrep',
    'fgrep',
    'rg',
    'sed',
    'awk',
    'jq',
    'cut',
    'tr',
    'sort',
    'uniq',
    'comm',
    'join',
    'paste',
  ],
  ...[
    'column',
    'fold',
    'fmt',
    'expand',
    'diff',
    'cmp',
    'cksum',
    'md5sum',
    'sha1sum',
    'sha256sum',
    'sha512sum',
  ],
  // Shell builtins and similar commands that print or test something.
  ...['echo', 'printf', 'true', 'false', ':', 'test', '[', 'cd', 'read', 'set', 'exit', 'break', 'continue'],
  ...['type', 'which', 'command', 'date', 'uname', 'whoami', 'id', 'printenv', 'expr', 'seq'],
  // Each of these runs another command, which is asked for by itself.
  ...['time', 'timeout', 'xargs', 'env', 'bash -c', 'sh -c'],
  // The subcommands of git that only read.
  ...[
    ...['status', 'log', 'show', 'diff', 'blame', 'grep', 'shortlog', 'describe', 'name-rev', 'merge-base'],
    ...[
      'ls-files',
      'ls-tree',
      'rev-parse',
      'rev-list',
      'cat-file',
      'for-each-ref',
      'show-ref',
      'check-ignore',
    ],
  ].map((name) => `git ${name}`),
].map((command) => `${command} *`);
