import { withCommas } from '../../base/with-commas.ts';
import type { Capabilities } from '../workspace.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { INSTEAD, IN_WASM } from '../../protocol/native-programs.ts';

/** Describes the embedded computer. */
export interface ComputerFacts {
  /** The commands of the shell. */
  readonly commands: readonly string[];
  /** Null where `node` cannot run, because the page is not cross-origin isolated. */
  readonly node: {
    /** Such as `v22.23.3`. */
    readonly version: string;
    readonly unsupported: readonly {
      readonly modules: readonly string[];
      readonly why: string;
      /** True where the modules are missing completely, false where only a part is. */
      readonly whole: boolean;
    }[];
  } | null;
  /** The version of npm that the page can fetch. */
  readonly npm?: string | undefined;
}

/** `hosts` are the hosts outside that programs may reach. */
export function capabilitiesWith(
  { commands, node, npm }: ComputerFacts,
  hosts: readonly string[] = [],
): Capabilities {
  return {
    title: node ? `Embedded · bash, node ${node.version.replace(/^v(\d+).*/, '$1')}` : 'Embedded · bash',
    commands: commands.filter((name) => node || !NEED_NODE.has(name)),
    separateStderr: false,
    notes: [
      'The shell is a bash-compatible interpreter inside the browser, not Linux: no native programs, no sudo.',
      'Standard error arrives merged into standard output.',
      `What a command leaves in the background with \`&\`, such as a server, goes on: later commands reach it (\`curl localhost:3000\`), see it (\`jobs\`, \`ps\`) and end it (\`kill ID\`). What it prints is in /tmp/jobs/ID.log. At most ${LIMITS.jobs} such jobs run at once. They end with the session, and when the page is reloaded.`,
      ...(node
        ? withNode(node, npm)
        : [
            'node is off: the page is not cross-origin isolated. npm run can still run scripts that only need the shell. Custom tools and plugins are off, too.',
          ]),
      ...(commands.includes('git') ? [GIT] : []),
      `At most ${LIMITS.processes} processes, ${LIMITS.outputBytes / 2 ** 20} MB of output for a command and ${LIMITS.fileBytes / 2 ** 20} MB of files, ${withCommas(LIMITS.files)} in number.`,
      reachable(hosts, node ? 'curl, fetch, http and https' : 'curl'),
      'Only files below /home/project are kept; /tmp and the rest of /home are scratch.',
      'Every command starts in /home/project: `cd` does not last from one to the next.',
    ],
  };
}

function reachable(hosts: readonly string[], by: string): string {
  return hosts.length === 0
    ? `Programs reach servers of the workspace, and no host outside, by ${by}: the user can allow some under Settings, Tools and servers.`
    : `Programs reach servers of the workspace and, of all hosts outside, only ${hosts.join(', ')}: with ${by}, where the host lets web pages read it (CORS). Redirects are followed, to these hosts only. The user can add hosts under Settings, Tools and servers.`;
}

/** Tells what becomes of native code after an install: the same list by which npm and the shell speak of it. */
const NATIVE = `${Object.keys(IN_WASM).join(', ')} and typescript 7 are installed as builds that run here. These packages have native code only, so use what stands behind them: ${Object.entries(
  INSTEAD,
)
  .map(([name, instead]) => `${name} (${instead})`)
  .join(', ')}.`;

const GIT =
  'git works like native git and reaches github.com by its API, with the token that the user may add under Settings, Tools and servers; `gh pr create` makes a pull request of a pushed branch. A commit needs user.name and user.email. There is no editor.';

const NEED_NODE = new Set(['node', 'npx']);

function withNode({ version, unsupported }: NonNullable<ComputerFacts['node']>, npm?: string): string[] {
  return [
    `node ${version} runs JavaScript and TypeScript (types are stripped), with its test runner: \`node --test\`. No native addons.`,
    npm === undefined
      ? 'npm run, npm test and npx work with what is in node_modules. Nothing can be installed.'
      : `npm ${npm} is the real one (install, ci, run, test, npx and so on); the page fetches it when it is first used. It reaches registry.npmjs.org once the user allows that, for which the page asks, and other registries that the user adds under Settings, Tools and servers. Install scripts of packages do not run. The cpu is wasm32: of packages with native code, the WebAssembly build is installed where there is one. ${NATIVE} pnpm and yarn are the real ones too, in the version that packageManager in package.json names (pnpm up to 10); they are fetched from the registry when they are first used. bun is not there.`,
    ...unsupportedText(
      'Modules of node that are not there',
      unsupported.filter(({ whole }) => whole),
    ),
    ...unsupportedText(
      'Modules of node of which a part is not there',
      unsupported.filter(({ whole }) => !whole),
    ),
  ];
}

function unsupportedText(
  what: string,
  unsupported: NonNullable<ComputerFacts['node']>['unsupported'],
): string[] {
  const entries = unsupported.map(({ modules, why }) => `${modules.join(', ')} (${why})`);
  return entries.length === 0 ? [] : [`${what}: ${entries.join('; ')}.`];
}
