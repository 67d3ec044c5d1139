const ONLY_HTTP = 'Only HTTP leads out of here: curl reaches the hosts that the settings allow.';
const NO_NATIVE = 'Only bash and its usual text tools run in here.';

/** The nearest thing to do instead of commands that people and models reach for. */
const INSTEAD: Readonly<Record<string, string>> = {
  git: 'Use cp to keep a copy and diff to compare.',
  yarn: 'Use npm run, npm test and npx.',
  pnpm: 'Use npm run, npm test and npx.',
  bun: 'Use node.',
  deno: 'Use node.',
  python: 'Use awk, jq or bash instead.',
  python3: 'Use awk, jq or bash instead.',
  perl: 'Use sed, awk or bash instead.',
  ruby: 'Use awk, jq or bash instead.',
  php: 'Use awk, jq or bash instead.',
  make: 'Run the commands of the Makefile with bash.',
  gcc: NO_NATIVE,
  cc: NO_NATIVE,
  'g++': NO_NATIVE,
  clang: NO_NATIVE,
  cargo: NO_NATIVE,
  rustc: NO_NATIVE,
  go: NO_NATIVE,
  java: NO_NATIVE,
  docker: NO_NATIVE,
  podman: NO_NATIVE,
  sudo: 'Run the command without it: every file in here is yours.',
  apt: NO_NATIVE,
  'apt-get': NO_NATIVE,
  brew: NO_NATIVE,
  pip: NO_NATIVE,
  pip3: NO_NATIVE,
  wget: 'Use curl -LO. It reaches the hosts that the settings allow.',
  ssh: ONLY_HTTP,
  scp: ONLY_HTTP,
  rsync: 'Use cp -r instead.',
  ping: ONLY_HTTP,
  vi: 'Use sed -i, or edit the file in the page.',
  vim: 'Use sed -i, or edit the file in the page.',
  nano: 'Use sed -i, or edit the file in the page.',
  emacs: 'Use sed -i, or edit the file in the page.',
  man: 'Use help for the list of commands, or COMMAND --help.',
  fd: 'Use find.',
  fdfind: 'Use find.',
  ag: 'Use rg or grep -r.',
  ack: 'Use rg or grep -r.',
  yq: 'Use sed or awk; jq reads JSON.',
  sqlite3: 'Use awk, sort and join on text files.',
  bzip2: 'Use gzip.',
  xz: 'Use gzip.',
  top: 'Use ps, or jobs for what runs in the background.',
  killall: 'Use pkill.',
  shellcheck: 'Use bash -n to check the syntax.',
};

/** The line after `NAME: command not found`. */
export function missingCommand(name: string): string {
  if (name.includes('/')) return '';
  const instead = Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : 'Run help for the list of commands.';
  return `${name} is not available in the embedded workspace. ${instead ?? ''}\n`;
}
