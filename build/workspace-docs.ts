import { readFileSync } from 'node:fs';
import { assertionsOf, parseCases, type NodeAnswer } from '../scripts/node-cases.mjs';
import { VERBS } from '../guest/shared/npm-verbs.ts';
import { LIMITS } from '../src/protocol/limits.ts';
import { areas } from '../test/fixtures/node/areas.ts';
import { excused } from '../test/fixtures/node/excused.ts';
import packages from '../test/fixtures/node/packages.json' with { type: 'json' };

const folder = new URL('../test/fixtures/node/', import.meta.url);

interface Recorded {
  readonly recorded: string;
  readonly answers: readonly (NodeAnswer & { readonly name: string })[];
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
    'Files, a shell and `node` inside the tab: nothing is installed, and nothing leaves the page except to hosts that the settings name. The system prompt of the agent says the same, from what the workspace reports.',
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
    'Native programs and packages with native code (`sharp`, `esbuild`, `better-sqlite3`) do not run; a WebContainer workspace runs more of them.',
    '',
    '## Packages',
    '',
    'Installing is not there yet: `node_modules` comes with the files of the project. Tried unmodified, in the versions that this repository uses:',
    '',
    `- imported and used: ${packages.libraries.map((name) => `\`${name}\``).join(', ')}`,
    `- as commands: ${packages.programs.map((name) => `\`${name}\``).join(', ')}`,
    '',
    `${[...VERBS.map((verb) => `\`npm ${verb}\``), '`npx`'].join(', ')} work as those of npm 10, with \`pre\` and \`post\` scripts, their variables, \`node_modules/.bin\` and workspaces (\`-w\`).`,
    '',
    '## Ignored files',
    '',
    '[Ignored files](tools.md#ignored-files) says what searches, lists and snapshots leave out, in both kinds of workspace.',
    '',
    '## Limits',
    '',
    '| what | limit | beyond it |',
    '|---|---|---|',
    `| files | ${megabytes(LIMITS.fileBytes)} together, and ${LIMITS.files.toLocaleString('en')} of them, folders and links | \`ENOSPC\` |`,
    `| processes | ${LIMITS.processes} below one command | \`EAGAIN\` |`,
    `| output of a command | ${megabytes(LIMITS.outputBytes)} | the command is ended and says so |`,
    '| time | what the caller gives; 120 s for the agent | the command is ended, exit code 124 |',
    '| memory | what the browser gives a frame | the workspace starts again, files kept, and the command is lost |',
    '| hosts outside | those under *Settings*, *Web*; none at first | `EACCES`, and which host |',
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
    'Each open workspace takes a frame and four workers. The one that you see has them, and the three that were used last. Any other is suspended as soon as nothing happens in it: its writes are stored first, its frame and workers are removed, and the page keeps what is in `/tmp` and the rest of `/home`. Its next use starts it again. A workspace is not suspended while a turn of the agent, a command, a server or a custom tool runs in it, while its terminal runs a line or has a job, or while its files cannot be stored. A terminal that only shows its prompt loses its shell then, and says so: its screen and its directory stay, its variables and functions do not. What is lost: when files were last read, and when their mode or times were last changed.',
    '',
    '## Network',
    '',
    'Servers of the workspace are reached by `localhost` and their port. The page sends requests to other hosts, for `curl`, `fetch`, `http` and `https`, once the settings name them: `api.example.com`, `example.com:8443`, `*.example.com`. It sends no cookies and no referrer beyond its origin; the program may send anything, including its own headers. The browser adds limits:',
    '',
    '- Only what a host lets web pages read can be read (CORS), and only the headers it exposes. Otherwise the error is `ERR_CORS`.',
    '- Redirects are followed before the program hears of them, and only to hosts that are named: any other ends the request with `ERR_REDIRECT` before that host is asked.',
    "- The body of a request is sent whole; that of an answer is streamed, unpacked, no faster than it is read. `fetch` with `redirect: 'manual'` or `'error'` follows nothing, and fails where a host redirects: a browser does not say where to.",
    '- A page loaded over https can only send https requests (`ERR_MIXED_CONTENT`).',
    '- Addresses of a machine or a private network count only where they are named exactly; IPv6 addresses cannot be named. A server of this machine needs its port (`localhost:11434`), and is used if no server of the workspace has that port. The origin of Vitrine is never reached.',
    '',
    'Between its own processes a workspace supports connections of every kind: `net` servers and sockets on ports and on paths, HTTP with keep-alive, upgrades and `ws`. To hosts outside there is HTTP only: no sockets, no name servers, no `WebSocket`. A socket that `createConnection` of an agent or of a request opens while it is called speaks HTTP, so it reaches those that are named, too; one that is opened later, as agents for proxies do, reaches the workspace alone.',
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
