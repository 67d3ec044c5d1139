import { readFileSync } from 'node:fs';
import { assertionsOf, parseCases, type NodeAnswer } from '../scripts/node-cases.mjs';
import { unsupported, type Unsupported } from '../guest/node/unsupported.ts';
import { LIMITS } from '../src/protocol/limits.ts';
import { areas } from '../test/fixtures/node/areas.ts';
import { excused } from '../test/fixtures/node/excused.ts';
import packages from '../test/fixtures/node/packages.json' with { type: 'json' };

const folder = new URL('../test/fixtures/node/', import.meta.url);

interface Recorded {
  readonly recorded: string;
  readonly answers: readonly (NodeAnswer & { readonly name: string })[];
}

/** Returns the rows of the table of what `node` refuses. A module of which everything works has no row. */
function refused(): string[] {
  return Object.entries<Unsupported>(unsupported)
    .filter(([, { names, whole }]) => names.length > 0 || whole)
    .map(([module, { names, why, whole }]) => {
      const members = names.map((name) => `\`${name}\``).join(', ');
      return `| \`${module}\` | ${[whole && 'all', members].filter(Boolean).join(': ')} | ${why} |`;
    });
}

/** The text of `docs/workspace.md`. */
export function workspaceDocs(): string {
  const rows = Object.entries(areas).map(([area, about]) => row(area, about));
  const sum = (pick: (each: (typeof rows)[number]) => number) =>
    rows.reduce((total, each) => total + pick(each), 0);
  const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`;
  const agreeing = sum((each) => each.agreeing);
  return [
    '# The embedded workspace',
    '',
    '<!-- Made from the tests by `node scripts/workspace-docs.mjs`; a test fails where it is not up to date. -->',
    '',
    'Files, a shell and `node` inside the tab: nothing has to be installed, and nothing leaves the page except to hosts that the settings name. The system prompt of the agent says the same, from what the workspace reports.',
    '',
    '## What runs',
    '',
    `\`node\` is the browser's own V8 with the modules of Node ${rows[0]?.recorded ?? ''}, one worker for each process. It needs shared memory, so the page has to be cross-origin isolated ([what the host sends](hosting.md)); otherwise \`node\` says so and ends with 1.`,
    '',
    `Every program below is run in the workspace and in real Node, and must print the same to both streams and end with the same code: ${agreeing.toLocaleString('en-US')} of ${sum((each) => each.cases).toLocaleString('en-US')} programs agree, with ${sum((each) => each.assertions).toLocaleString('en-US')} assertions in all.`,
    '',
    '| what | programs | agree | assertions |',
    '|---|--:|--:|--:|',
    ...rows.map(
      ({ about, cases, agreeing, assertions }) => `| ${about} | ${cases} | ${agreeing} | ${assertions} |`,
    ),
    '',
    '## What differs',
    '',
    ...differences(),
    '',
    'These modules refuse what they lack with `ERR_FEATURE_UNAVAILABLE_ON_PLATFORM`, `node:sqlite` already when it is loaded, and the error says why:',
    '',
    '| module | what is refused | why |',
    '|---|---|---|',
    ...refused(),
    '',
    'Native programs and packages that are only native code (`better-sqlite3`, `oxlint`) do not run; a WebContainer workspace runs more of them. What comes as WebAssembly does: [Projects](projects.md) says what that is.',
    '',
    '## Packages',
    '',
    `\`npm\` and \`npx\` are npm ${npmVersion()} itself, unmodified: \`install\`, \`ci\`, \`uninstall\`, \`update\`, \`outdated\`, \`ls\`, \`view\`, \`init\`, \`create\`, \`exec\`, \`pack\` and the rest. The page fetches it (about 1.5 MB) when it is first used, says so in the output, and shows it read-only in \`/usr/lib/node_modules/npm\`. What runs scripts and installed programs (\`npm run\`, \`npm test\`, \`npm start\`, \`npx\` of what is in \`node_modules\`) is done by the shell itself, at once and without npm, in the same words.`,
    '',
    '- **The registry** is `registry.npmjs.org`. The first request to it asks you in a notice on the page: *Allow* adds the host to those under *Settings*, *Tools and servers*, *Deny* holds until the page is loaded again. Any other registry is named as always, by `registry=` in `.npmrc`, and its host is added under *Settings*, *Tools and servers*. It has to let pages read its answers (CORS). The page sends no header that a registry would have to allow first, so nothing is revalidated; a token in `.npmrc` is such a header.',
    '- **Native code** cannot run. `npm config get cpu` is `wasm32`, so of packages that come for several processors the WebAssembly one is installed. After an install, `esbuild`, `rollup`, `lightningcss` and `typescript` 7 get the files of packages that do the same without native code ([which ones](projects.md#native-code)), and lines name these, those that cannot run, and the packages whose install scripts did not run (none do).',
    '- `npm audit` and `npm publish` post to the registry, which no page may do with the public one. `npm install` therefore reports no audit.',
    '- **pnpm and Yarn** run as well, in the version that `packageManager` in `package.json` names ([Projects](projects.md#pnpm-and-yarn)).',
    '- The cache is `~/.npm`, which counts towards the files of the workspace and is gone after a reload; `node_modules` stays.',
    '',
    'Tried unmodified, in the versions that this repository uses:',
    '',
    `- imported and used: ${packages.libraries.map((name) => `\`${name}\``).join(', ')}`,
    `- as commands: ${packages.programs.map((name) => `\`${name}\``).join(', ')}`,
    '',
    '## Ignored files',
    '',
    '[Ignored files](tools.md#ignored-files) says what searches, lists and snapshots leave out, in both kinds of workspace.',
    '',
    '## Servers and other jobs',
    '',
    'What a `bash` call of the agent, or a command of yours sent with `!`, leaves in the background with `&` goes on as a **job**: `node server.js &`, `nohup npm run dev > dev.log 2>&1 &`. The call ends when its foreground does (up to a quarter of a second later, so that a job which fails at once has its error in the output), and its time limit counts for the foreground only. A call that is stopped, or that runs out of time, ends what it started.',
    '',
    '- **Number**: a job has the number of its process, which is `$!` in the call. What it prints to the output of the call goes to `/tmp/jobs/NUMBER.log`; what it redirects goes where it says.',
    '- **Later commands** reach its servers (`curl localhost:3000`), list it (`jobs`, `ps`, `pgrep`), wait for it (`wait NUMBER`), end it (`kill NUMBER`, `kill %1`, `pkill`) and follow its log (`tail -f`). `%1` is a job of the command itself where there is one, and otherwise one that runs already. Signals arrive as elsewhere.',
    '- **You** see how many run beside the status of the workspace, and find them in the tab *Terminal*: command, state, ports, newest output, *Show log*, *Stop*. *Stop* sends SIGTERM, then SIGKILL after two seconds.',
    '- **The agent** is told of a job in the result of the call, and of its end in its next request, with the end of its output; nothing is sent for that alone. What one of its commands ended, it is not told of again.',
    '- **Its end**: a job ends with its session (deleted) or its workspace, and with the page. After a reload or a crash the conversation says which jobs are gone, to you and to the agent. A workspace with a job is not suspended.',
    '- Each job runs in workers of its own, so one that computes without a pause leaves the others their time; one that prints without a pause waits for its log.',
    '- Files that a job changes after its call belong to the snapshot that is taken next: after a later call that changes files, or at the end of a turn.',
    '- What a `node` program leaves behind itself (`detached`, `unref()`), and what a custom tool or a script of the automation leaves in the background, ends with it, the latter after ' +
      `${LIMITS.backgroundMs / 1000} s` +
      '. A WebContainer keeps what a command leaves behind as its runtime does, but Vitrine does not list it there.',
    '',
    '## Limits',
    '',
    '| what | limit | beyond it |',
    '|---|---|---|',
    `| files | ${megabytes(LIMITS.fileBytes)} together, not counting the contents of \`node_modules\`, for which there is what the browser gives the site; and ${LIMITS.files.toLocaleString('en')} of them, folders and links | \`ENOSPC\` |`,
    `| jobs in the background | ${LIMITS.jobs} running at once, and the newest ${LIMITS.jobLogBytes / 1024} to ${(2 * LIMITS.jobLogBytes) / 1024} kB of what each prints | the newest job is ended and the call says so; older output is dropped |`,
    `| processes | ${LIMITS.processes} below one command | \`EAGAIN\` |`,
    `| output of a command | ${megabytes(LIMITS.outputBytes)} | the command is ended and says so; in *Terminal*, the line is interrupted |`,
    '| time | what the caller gives; 120 s for the agent | the command is ended, exit code 124 |',
    '| memory | what the browser gives a frame | the workspace starts again, files kept, and the command is lost |',
    '| hosts outside | those under *Settings*, *Tools and servers*; none at first | `EACCES`, and which host |',
    `| a request to one of them | ${megabytes(LIMITS.exchangeBytes)} each way, ${LIMITS.silentMs / 1000} s of silence, ${LIMITS.exchanges} at once, ${megabytes(LIMITS.bodiesBytes)} sent by all together | \`EMSGSIZE\`, \`ETIMEDOUT\`, \`EMFILE\`, \`ENOBUFS\` |`,
    '',
    '## How fast it is',
    '',
    'The shell against native bash and GNU tools on the same machine, the same files for both, by `npm run bench -- shell`: medians of runs side by side, taken on two cores at a load of 10 to 14, with Chromium 156. On a machine that is this busy the ratios move by up to three times from run to run: another one, at a load of 7 to 9, had 4.5 for sums by key with `awk`, 4.3 for the pipeline with `seq`, 3.7 for the replacement with `sed`, 1.7 for `diff -r` and 0.9 for `find`.',
    '',
    '| what | times as long as native | here, ms | native, ms |',
    '|---|--:|--:|--:|',
    ...SPEEDS.map(([what, ratio, here, native]) => `| ${what} | ${ratio} | ${here} | ${native} |`),
    '',
    'All stages of a pipeline share one thread here, while native ones run on as many cores as are free: `seq 1 1000000 | grep 7 | wc -l` takes about three times the processor time of native tools, and was seen to take from four to seven times as long, depending on what else the machine does. What starts many programs is faster here, since none of them is a process of the system.',
    '',
    '## Home',
    '',
    '`HOME` is `/home`, and the workspace is `/home/project`. Programs may keep settings and caches in `HOME` (`~/.npmrc`, `~/.cache`): like `/tmp` it is scratch, gone after a reload, and the permission rules judge a write to it as one outside the workspace. `~/.opencode` and `~/.config/opencode` show what the app keeps, and cannot be written.',
    '',
    '## Many workspaces in one tab',
    '',
    'Each open workspace takes a frame and four workers. The one that you see has them, and the three that were used last. Any other is suspended as soon as nothing happens in it: its writes are stored first, its frame and workers are removed, and the page keeps what is in `/tmp` and the rest of `/home`. Its next use starts it again. A workspace is not suspended while a turn of the agent, a command, a job in the background or a custom tool runs in it, while its terminal runs a line or has a job, or while its files cannot be stored. A terminal that only shows its prompt loses its shell then, and says so: its screen and its directory stay, its variables and functions do not. What is lost: when files were last read, and when their mode or times were last changed.',
    '',
    '## Network',
    '',
    'Servers of the workspace are reached by `localhost` and their port. The page sends requests to other hosts, for `curl`, `fetch`, `http` and `https`, once the settings name them: `api.example.com`, `example.com:8443`, `*.example.com`. It sends no cookies and no referrer beyond its origin; the program may send anything, including its own headers. The browser adds limits:',
    '',
    '- Only what a host lets web pages read can be read (CORS), and only the headers it exposes. Otherwise the error is `ERR_CORS`. Where nothing answers at a name, the browser does not tell a page whether the name is unknown, the server is down or its certificate is not trusted: the error is `ENOTFOUND` for all three.',
    '- Redirects are followed before the program hears of them, and only to hosts that are named: any other ends the request with `ERR_REDIRECT` before that host is asked.',
    "- The body of a request is sent whole; that of an answer is streamed, unpacked, no faster than it is read. `fetch` with `redirect: 'manual'` or `'error'` follows nothing, and fails where a host outside redirects, with `manual` as `ERR_REDIRECT`: Node gives the answer with its status and `location` there, which no browser shows to a page. From servers of the workspace `manual` gives that answer.",
    '- A page loaded over https can only send https requests (`ERR_MIXED_CONTENT`).',
    '- Addresses of a machine or a private network count only where they are named exactly; IPv6 addresses cannot be named. A server of this machine needs its port (`localhost:11434`), and is used if no server of the workspace has that port. The origin of Vitrine is never reached.',
    '',
    'Between its own processes a workspace supports connections of every kind: `net` servers and sockets on ports and on paths, HTTP with keep-alive, upgrades and `ws`. To hosts outside there is HTTP only: no sockets, no name servers, no `WebSocket`. A socket that an agent opens with the options of a request speaks HTTP, so it reaches those that are named, too, over `tls` as well; any other, such as that to a proxy, reaches the workspace alone.',
    '',
  ].join('\n');
}

/**
 * The values that the benchmark printed. Ratios are medians of their own, not quotients of the two columns.
 */
const SPEEDS: readonly (readonly [what: string, ratio: string, here: string, native: string])[] = [
  ['`seq 1 1000000 \\| grep 7 \\| wc -l`', '3.8', '336', '84'],
  ['`awk`, sums by key, some MB', '3.1', '147', '52'],
  ['`grep -r`', '2.7', '119', '39'],
  ['`tar c`', '2.3', '298', '60'],
  ['`cp -r`', '2.0', '361', '254'],
  ['`awk -F,`, a sum, some MB', '2.0', '90', '45'],
  ['`sed`, a replacement, some MB', '1.9', '96', '50'],
  ['20,000 calls of a function', '1.9', '421', '267'],
  ['a loop of 20,000 tests', '1.2', '154', '143'],
  ['`sed -E` with groups, some MB', '1.0', '183', '171'],
  ['`diff -r` of equal trees', '0.6', '97', '144'],
  ['a loop of 20,000 turns', '0.4', '183', '451'],
  ['`find` by type, name and size', '0.3', '26', '79'],
  ['`echo hi`, from asking to its end', '0.2', '2.1', '7.8'],
  ['`find -exec grep`, 90 times', '0.1', '148', '1784'],
];

function row(area: string, about: string) {
  const { recorded, answers }: Recorded = JSON.parse(readFileSync(new URL(`${area}.json`, folder), 'utf8'));
  const cases = parseCases(readFileSync(new URL(`${area}.txt`, folder), 'utf8'));
  const agreeing = cases.filter(({ name }) => excused[`${area}/${name}`] === undefined).length;
  const assertions = answers.reduce((total, answer) => total + assertionsOf(answer), 0);
  return { about, recorded: recorded.replace(/^v/, ''), cases: cases.length, agreeing, assertions };
}

function differences(): string[] {
  const entries = Object.entries(excused);
  if (entries.length === 0) return ['Nothing that the programs above show.'];
  return Object.keys(areas).flatMap((area) =>
    entries
      .filter(([key]) => key.startsWith(`${area}/`))
      .map(([key, why]) => `- \`${area}\`, ${key.slice(area.length + 1)}: ${why}`),
  );
}

/** The version of npm that the page brings. */
function npmVersion(): string {
  const file = new URL('../node_modules/npm/package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
