import { slips } from '../../../src/base/slips.ts';
import { BROWSERS, INSTEAD_OF_COMMAND } from '../../../src/protocol/native-programs.ts';

const ONLY_HTTP = 'Only HTTP leads out of here: curl reaches the hosts that the settings allow.';
const NO_NATIVE =
  'Native programs cannot run in here: there are node with npm packages, git, and the commands that help lists.';

const NPX = 'npx NAME runs it once its package is installed with npm.';
const OTHER_LANGUAGE = 'Use node, awk, jq or bash instead.';
const SERVICE = 'Nothing in here signs in to a service: curl reaches the hosts that the settings allow.';
const ONE_NODE = 'There is one version of node: node --version tells which.';
const EDITOR = 'Use sed -i, or edit the file in the page.';
const DATABASE = 'No database runs in here. Use awk, sort and join on text files.';
const SYSTEM = 'Nothing runs in here but the commands of this shell: there is no system to manage.';
const BROWSER = 'Nothing in here opens a browser. The page shows files under Files.';
const PACKAGES = 'Use npm and npx: npm install, npm run, npm test.';

/**
 * Programs that people and models try to run, grouped by the advice on what to do instead. `NAME` stands for
 * the program.
 */
const GROUPS: readonly (readonly [instead: string, names: string])[] = [
  ['Use git.', 'hg svn jj'],
  ['npx @tailwindcss/cli runs it once that package is installed with npm.', 'tailwindcss'],
  ['No browser can be started in here: vitest and jest run with jsdom.', [...BROWSERS].join(' ')],
  ['What is started with & goes on as a job.', 'pm2'],
  ['npm run --workspaces runs a script of every package.', 'lerna'],
  [PACKAGES, 'bunx'],
  ['Use node.', 'bun deno nodejs'],
  [
    NPX,
    'tsc tsserver ts-node tsx jest vitest mocha ava tap jasmine karma uvu nyc c8 eslint prettier xo standard stylelint tslint ' +
      'vite webpack rollup gulp grunt babel ng vue astro next nuxt gatsby svelte-check svelte-kit react-scripts ' +
      'create-react-app storybook playwright prisma nodemon serve http-server json-server concurrently rimraf ' +
      'cross-env husky lint-staged sass less-css postcss typedoc jsdoc depcheck ncu npm-check-updates commitlint ' +
      'markdownlint zx degit semantic-release changeset np esbuild',
  ],
  [
    OTHER_LANGUAGE,
    'python python2 python3 py ipython pip pip2 pip3 pipx pytest poetry pipenv uv uvx conda mamba virtualenv venv pyenv black ruff ' +
      'mypy pyright flake8 pylint isort tox nox jupyter django-admin flask uvicorn gunicorn celery',
  ],
  [OTHER_LANGUAGE, 'ruby irb gem bundle bundler rake rails rspec rubocop'],
  ['Use sed, awk or bash instead.', 'perl'],
  [OTHER_LANGUAGE, 'php composer lua luajit tclsh Rscript R julia'],
  ['Run the commands of the Makefile with bash.', 'make gmake'],
  ['Run the commands of the justfile with bash.', 'just'],
  [
    NO_NATIVE,
    'gcc cc g++ clang clang++ ld gdb lldb valgrind cmake ninja meson cargo rustc rustup rustfmt go gofmt java javac jar mvn gradle ' +
      'kotlinc kotlin scala sbt dotnet mono swift swiftc ghc stack cabal elixir mix erl ocaml dune zig nim dart flutter ' +
      'ffmpeg convert magick pandoc pdflatex xelatex',
  ],
  [NO_NATIVE, 'docker docker-compose podman buildah vagrant qemu'],
  [NO_NATIVE, 'apt apt-get aptitude dpkg yum dnf rpm apk pacman brew port snap flatpak nix'],
  [
    SERVICE,
    'aws az gcloud gsutil kubectl helm minikube k9s terraform tofu pulumi ansible ansible-playbook heroku fly flyctl doctl glab hub ' +
      'vercel netlify wrangler firebase supabase railway stripe sentry-cli',
  ],
  [ONE_NODE, 'nvm n fnm volta asdf mise nodenv'],
  ['Run pnpm or yarn: each comes in the version that package.json names.', 'corepack'],
  ['Run the command without it: every file in here is yours.', 'sudo doas su'],
  ['Use curl -LO. It reaches the hosts that the settings allow.', 'wget aria2c'],
  [
    ONLY_HTTP,
    'ssh scp sftp ftp telnet nc ncat netcat nmap socat ping traceroute dig nslookup host whois ifconfig ip netstat ss lsof',
  ],
  ['Use curl.', 'http httpie xh wcurl'],
  ['Use cp -r instead.', 'rsync'],
  [EDITOR, 'vi vim nvim nano pico emacs code subl atom micro hx helix gedit ed'],
  ['Use help for the list of commands, or COMMAND --help.', 'man info tldr'],
  ['Use find.', 'fd fdfind locate mlocate'],
  ['Use rg or grep -r.', 'ag ack fzf ripgrep'],
  ['Use cat or less.', 'bat batcat most'],
  ['Use ls or find.', 'exa eza lsd'],
  ['Use bash.', 'zsh fish dash ksh csh tcsh pwsh'],
  ['Use sed or awk; jq reads JSON.', 'yq tomlq xq'],
  ['Use awk, sort and join on text files.', 'sqlite3 sqlite'],
  [DATABASE, 'mysql mysqldump psql pg_dump redis-cli redis-server mongo mongosh mongod duckdb'],
  ['Use gzip.', 'bzip2 bunzip2 xz unxz lzma 7z 7za rar unrar'],
  ['Use ps, or jobs for what runs in the background.', 'top htop btop'],
  ['Use pkill.', 'killall'],
  ['Use & and jobs.', 'screen tmux zellij'],
  ['Use bash -n to check the syntax.', 'shellcheck'],
  ['Use mkdir as a lock: it fails where the folder is there already.', 'flock lockfile'],
  ['Use fold -s.', 'fmt'],
  ['Use base64, or node for this encoding.', 'base32 basenc uuencode uudecode'],
  ['Use node or awk.', 'tsort'],
  ['Use split, or awk where the pieces end at a pattern.', 'csplit'],
  ['Use pgrep.', 'pidof'],
  ['Use ps.', 'pstree'],
  ['Use cksum or md5sum.', 'sum'],
  ['Use bc.', 'dc units'],
  ['Use column, nl or fold.', 'pr'],
  ['Use cut or sed.', 'col colrm'],
  ['Use grep.', 'look'],
  ['Use whoami or id.', 'who w users logname finger last'],
  ['Use a loop with sleep.', 'watch'],
  ["Use sed -i 's/\\r$//'.", 'dos2unix fromdos'],
  ["Use sed -i 's/$/\\r/'.", 'unix2dos todos'],
  ['Use a loop with mv.', 'rename prename mmv'],
  ['Use xargs -P.', 'parallel'],
  ['Use node: crypto.randomUUID() makes one.', 'uuidgen'],
  ['Use node with its module crypto, or sha256sum for sums.', 'openssl gpg'],
  ['Use date.', 'cal ncal'],
  ['Use node: TextDecoder reads other encodings.', 'iconv recode'],
  ['Use cat with diff or less: zcat unpacks.', 'zless zmore zdiff zcmp'],
  ['Use gzip.', 'zstd lz4 compress uncompress bzcat xzcat'],
  ['Use tar.', 'cpio ar'],
  ['Use rm.', 'shred'],
  ['All files here belong to one user: chmod sets their mode.', 'chown chgrp'],
  ['There are no priorities: run the command without it.', 'ionice renice'],
  ['Use a file between the two commands.', 'sponge'],
  ['Use node --watch.', 'entr inotifywait'],
  [BROWSER, 'open xdg-open start chrome google-chrome chromium firefox safari'],
  [
    SYSTEM,
    'systemctl service journalctl dmesg mount umount crontab useradd usermod reboot shutdown iptables ufw launchctl',
  ],
];

const ADVICE: ReadonlyMap<string, string> = new Map([
  ...GROUPS.flatMap(([instead, names]) =>
    names.split(' ').map((name) => [name, instead.replace('NAME', name)] as const),
  ),
  ...[...INSTEAD_OF_COMMAND].map(([name, instead]) => [name, `It is native code: ${instead}.`] as const),
]);

/** The programs of the list that "did you mean" may suggest. */
const TYPED_OFTEN = ['python', 'python3', 'make', 'docker', 'cargo', 'sudo', 'perl', 'ruby'];

/** The line after `NAME: command not found`. `known` contains the names of the available commands. */
export function missingCommand(name: string, known: readonly string[]): string {
  if (name.includes('/')) return '';
  return `${name} is not installed here. ${alternative(name, known)}\n`;
}

function alternative(name: string, known: readonly string[]): string {
  const own = insteadOf(name);
  if (own !== undefined) return own;
  const meant = nearest(name, known) ?? nearest(name, TYPED_OFTEN);
  if (meant === undefined) return 'Run help for the list of commands.';
  const instead = insteadOf(meant);
  return `Did you mean ${meant}?${instead === undefined ? '' : ` That is not there either. ${instead}`}`;
}

const insteadOf = (name: string): string | undefined => ADVICE.get(name);

/** The name that is one typing slip away, or two where it is long; undefined where there is none. */
function nearest(name: string, names: readonly string[]): string | undefined {
  let [found, least] = [undefined as string | undefined, name.length < 3 ? 0 : name.length < 8 ? 1 : 2];
  for (const other of names) {
    if (other.length < 3 || Math.abs(other.length - name.length) > least) continue;
    const away = slips(name, other);
    if (away < least || (away === least && found === undefined)) [found, least] = [other, away];
  }
  return found;
}
