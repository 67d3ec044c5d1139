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

/** The line after `NAME: command not found`. `known` are the names of what is there. */
export function missingCommand(name: string, known: readonly string[]): string {
  if (name.includes('/')) return '';
  return `${name} is not available in the embedded workspace. ${alternative(name, known)}\n`;
}

function alternative(name: string, known: readonly string[]): string {
  const own = insteadOf(name);
  if (own !== undefined) return own;
  const meant = nearest(name, known) ?? nearest(name, Object.keys(INSTEAD));
  if (meant === undefined) return 'Run help for the list of commands.';
  const instead = insteadOf(meant);
  return `Did you mean ${meant}?${instead === undefined ? '' : ` That is not there either. ${instead}`}`;
}

function insteadOf(name: string): string | undefined {
  return Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined;
}

/** The name that is one slip of the fingers away, or two where it is long; undefined where none is. */
function nearest(name: string, names: readonly string[]): string | undefined {
  let [found, least] = [undefined as string | undefined, name.length < 3 ? 0 : name.length < 6 ? 1 : 2];
  for (const other of names) {
    if (other.length < 3 || Math.abs(other.length - name.length) > least) continue;
    const away = slips(name, other);
    if (away < least || (away === least && found === undefined)) [found, least] = [other, away];
  }
  return found;
}

/** Letters that are missing, too many, wrong or swapped with their neighbour. */
function slips(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
