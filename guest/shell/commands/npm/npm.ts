import type { Program, ProgramCall } from '../../program.ts';
import { encode } from '../io.ts';
import { execute } from './exec.ts';
import { NpmFailure, print, printError } from './failure.ts';
import { list } from './list.ts';
import { isSilent, NPX_SHORT, parseOptions, type NpmOptions } from './options.ts';
import { pkg } from './pkg.ts';
import { manifestAt, prefixOf, projectAt, workspacesOf, type Project } from './project.ts';
import { listScripts, runInWorkspaces, runNamed } from './run.ts';
import { NPM_VERSION } from './script.ts';
import { isVerb, NEED_THE_REGISTRY, type Verb } from './verbs.ts';

const ALIASES: Readonly<Record<string, string>> = {
  'run-script': 'run',
  rum: 'run',
  urn: 'run',
  t: 'test',
  tst: 'test',
  x: 'exec',
  list: 'ls',
  la: 'ls',
  ll: 'ls',
  i: 'install',
  in: 'install',
  add: 'install',
  ic: 'ci',
  'clean-install': 'ci',
  up: 'update',
  upgrade: 'update',
  un: 'uninstall',
  remove: 'uninstall',
  rm: 'uninstall',
  r: 'uninstall',
};

const USAGE = `npm <command>

Usage:

npm run <foo>      run the script named <foo>; alone it lists them
npm test           run this project's tests
npm start          run this project's start script
npm exec <foo>     run a program that is installed; npx <foo> does the same
npm ls             list what is installed
npm pkg get <foo>  read a field of package.json; set and delete change it
npm prefix, npm root, npm -v

npm install is not here yet: packages come with the files of the project, in node_modules.

npm@${NPM_VERSION} /usr/lib/node_modules/npm`;

export const npm: Program = (call) => {
  const options = parseOptions(call.args);
  const [given] = options.words;
  return reporting(call, options, () => {
    if (options.flags.has('version')) return said(call, NPM_VERSION);
    if (given === undefined || given === 'help' || options.flags.has('help'))
      return said(call, USAGE, given === undefined && !options.flags.has('help') ? 1 : 0);
    const prefix = options.flags.get('prefix');
    const command = ALIASES[given] ?? given;
    const all =
      given === 'la' || given === 'll'
        ? { ...options, flags: new Map(options.flags).set('all', true) }
        : options;
    return dispatch(call, command, given, all, typeof prefix === 'string' ? call.path(prefix) : undefined);
  });
};

export const npx: Program = (call) => {
  const options = parseOptions(call.args, { upToProgram: true, short: NPX_SHORT });
  return reporting(call, options, async () => {
    if (options.flags.has('version')) return said(call, NPM_VERSION);
    return execute(call, await projectOrNone(call), options);
  });
};

interface Asked {
  readonly call: ProgramCall;
  readonly options: NpmOptions;
  /** The words behind the command. */
  readonly words: readonly string[];
  /** Of the project, or where it would be. */
  folder(): Promise<string>;
}

const script =
  (event: string): Work =>
  async ({ call, options, words, folder }) =>
    run(call, await projectAt(call, await folder()), [event, ...words], options, event);

type Work = (asked: Asked) => Promise<number>;

const WORK: Readonly<Record<Verb, Work>> = {
  run: async ({ call, options, words, folder }) =>
    run(call, await projectAt(call, await folder()), words, options, 'run-script'),
  test: script('test'),
  start: script('start'),
  stop: script('stop'),
  restart: script('restart'),
  exec: async ({ call, options, words }) => execute(call, await projectOrNone(call), { ...options, words }),
  ls: async ({ call, options, folder }) => list(call, await projectOrNone(call, await folder()), options),
  pkg: async ({ call, options, folder }) => pkg(call, await projectAt(call, await folder()), options),
  prefix: async ({ call, folder }) => said(call, await folder()),
  root: async ({ call, folder }) => said(call, `${await folder()}/node_modules`),
};

async function dispatch(
  call: ProgramCall,
  command: string,
  given: string,
  options: NpmOptions,
  prefix: string | undefined,
): Promise<number> {
  if (isVerb(command)) {
    const folder = async () => prefix ?? (await prefixOf(call));
    return WORK[command]({ call, options, words: options.words.slice(1), folder });
  }
  if (NEED_THE_REGISTRY.some((name) => name === command)) throw notYet(given);
  await print(
    call,
    `Unknown command: "${given}"\n\nTo see a list of supported npm commands, run:\n  npm help`,
  );
  return 1;
}

async function run(
  call: ProgramCall,
  project: Project,
  words: readonly string[],
  options: NpmOptions,
  asked: string,
): Promise<number> {
  if (options.workspaces.length === 0 && !options.flags.has('workspaces')) {
    if (words.length > 0) return runNamed(call, project, words, options, asked);
    await listScripts(call, project, options);
    return 0;
  }
  const projects = await workspacesOf(call, project, options.workspaces);
  if (words.length > 0) return runInWorkspaces(call, projects, words, options, asked);
  for (const each of projects) await listScripts(call, each, options);
  return 0;
}

function notYet(given: string): NpmFailure {
  return new NpmFailure([
    'code ENOTHERE',
    `npm ${given} is not here yet: the embedded workspace cannot fetch packages.`,
    'What lies in node_modules can be used: bring it along with the files of the project.',
    'Scripts and programs that are installed run: npm run, npm test, npx.',
  ]);
}

async function projectOrNone(call: ProgramCall, at?: string): Promise<Project> {
  const folder = at ?? (await prefixOf(call));
  return { folder, manifest: (await manifestAt(call, folder)) ?? {} };
}

async function said(call: ProgramCall, text: string, code = 0): Promise<number> {
  await print(call, text);
  return code;
}

async function reporting(
  call: ProgramCall,
  options: NpmOptions,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NpmFailure)) throw error;
    if (!isSilent(options)) await printError(call, error.lines);
    if (options.flags.has('json') && options.words[0] === 'pkg')
      await call.stdout.write(
        encode(`${JSON.stringify({ error: { summary: error.lines[0], detail: '' } }, null, 2)}\n`),
      );
    return error.code;
  }
}
