import type { Program, ProgramCall } from '../../program.ts';
import { encode } from '../../kit/io.ts';
import { commandOf, didYouMean } from './commands.ts';
import { config } from './config.ts';
import { execute } from './exec.ts';
import { NpmFailure, print, printError } from './failure.ts';
import { list } from './list.ts';
import { isSilent, NPX_SHORT, parseOptions, type NpmOptions } from './options.ts';
import { pkg } from './pkg.ts';
import { init } from './init.ts';
import {
  manifestAt,
  locateProject,
  projectAt,
  workspacesOf,
  type ProjectLocation,
  type Project,
} from './project.ts';
import { listScripts, runInWorkspaces, runNamed } from './run.ts';
import { NPM_VERSION } from './script.ts';
import { isVerb, type Verb } from '../../../shared/npm-verbs.ts';
import { version } from './version.ts';

const USAGE = `npm <command>

Usage:

npm run <foo>      run the script named <foo>; alone it lists them
npm test           run this project's tests
npm start          run this project's start script
npm exec <foo>     run a program that is installed; npx <foo> does the same
npm ls             list what is installed
npm pkg get <foo>  read a field of package.json; set and delete change it
npm init -y        make a package.json
npm version <new>  give the project a new version
npm config get <k> read a setting; set, delete and list are here too
npm prefix, npm root, npm -v

npm install is not here yet: packages come with the files of the project, in node_modules.

npm@${NPM_VERSION} /usr/lib/node_modules/npm`;

export const npm: Program = (call) => {
  const options = parseOptions(call.args, { env: call.env });
  const [given] = options.words;
  return reporting(call, options, async () => {
    if (given !== 'version' && options.flags.has('version')) return said(call, NPM_VERSION);
    if (given === undefined || given === 'help' || options.flags.has('help'))
      return said(call, USAGE, given === undefined && !options.flags.has('help') ? 1 : 0);
    const all =
      given === 'la' || given === 'll'
        ? { ...options, flags: new Map(options.flags).set('all', true) }
        : options;
    return dispatch({
      call,
      given,
      options: all,
      words: options.words.slice(1),
      ...(await placeFor(call, all)),
    });
  });
};

export const npx: Program = (call) => {
  const options = parseOptions(call.args, { env: call.env, upToProgram: true, short: NPX_SHORT });
  return reporting(call, options, async () => {
    if (options.flags.has('version')) return said(call, NPM_VERSION);
    return execute(
      call,
      await projectOrNone(call, (await locateProject(call, { above: false })).prefix),
      options,
    );
  });
};

function placeFor(
  call: ProgramCall,
  { flags, given }: NpmOptions,
): Promise<ProjectLocation> | ProjectLocation {
  const prefix = flags.get('prefix');
  if (typeof prefix === 'string') return { prefix: call.path(prefix) };
  return locateProject(call, { above: given.get('workspaces') !== '' });
}

interface Invocation extends ProjectLocation {
  readonly call: ProgramCall;
  readonly given: string;
  readonly options: NpmOptions;
  /** The words after the command. */
  readonly words: readonly string[];
}

type VerbHandler = (invocation: Invocation) => Promise<number>;

const script =
  (event: string): VerbHandler =>
  (invocation) =>
    run({ ...invocation, words: [event, ...invocation.words] }, event);

const VERB_HANDLERS: Readonly<Record<Verb, VerbHandler>> = {
  run: (invocation) => run(invocation, 'run-script'),
  test: script('test'),
  start: script('start'),
  stop: script('stop'),
  restart: script('restart'),
  exec: async ({ call, options, words, prefix }) =>
    execute(call, await projectOrNone(call, prefix), { ...options, words }),
  ls: async ({ call, options, prefix }) => list(call, await projectOrNone(call, prefix), options),
  pkg: async (invocation) => {
    const projects = await chosen(invocation);
    return pkg(
      invocation.call,
      projects ?? [await projectAt(invocation.call, invocation.prefix)],
      invocation.options,
      {
        named: projects !== undefined,
      },
    );
  },
  init: ({ call, options }) => init(call, call.cwd, options),
  version: ({ call, options, prefix, workspace }) => version(call, workspace ?? prefix, options),
  config: ({ call, options, words, prefix }) => config(call, prefix, options, words),
  prefix: ({ call, prefix }) => said(call, prefix),
  root: ({ call, prefix }) => said(call, `${prefix}/node_modules`),
};

async function dispatch(invocation: Invocation): Promise<number> {
  const { call, given, prefix } = invocation;
  const command = commandOf(given);
  if (command === undefined) {
    const near = didYouMean((await manifestAt(call, prefix)) ?? {}, given);
    const list = 'To see a list of supported npm commands, run:\n  npm help';
    await print(call, [`Unknown command: "${given}"\n`, ...near, list].join('\n'));
    return 1;
  }
  if (command === 'get' || command === 'set')
    return config(call, prefix, invocation.options, [command, ...invocation.words]);
  const verb = command === 'run-script' ? 'run' : command === 'll' ? 'ls' : command;
  if (isVerb(verb)) return VERB_HANDLERS[verb](invocation);
  throw notYet(given, verb);
}

/** The projects that flags or the folder select; undefined where that is the project npm runs in. */
async function chosen({
  call,
  options,
  prefix,
  workspace,
}: Invocation): Promise<readonly Project[] | undefined> {
  const named = options.workspaces.length > 0 || workspace === undefined ? options.workspaces : [workspace];
  if (named.length === 0 && !options.flags.has('workspaces')) return undefined;
  const root = await projectAt(call, prefix);
  const projects = await workspacesOf(call, root, named);
  return options.flags.has('include-workspace-root') ? [root, ...projects] : projects;
}

async function run(invocation: Invocation, command: string): Promise<number> {
  const { call, options, words, prefix } = invocation;
  const projects = await chosen(invocation);
  if (projects && words.length > 0) return runInWorkspaces(call, projects, words, options, command, prefix);
  const project = projects ? undefined : await projectAt(call, prefix);
  if (project && words.length > 0) return runNamed(call, project, words, options, command);
  for (const each of projects ?? (project ? [project] : [])) await listScripts(call, each, options);
  return 0;
}

function notYet(given: string, command: string): NpmFailure {
  if (command === 'explain' || command === 'query')
    return new NpmFailure([
      'code ENOTHERE',
      `npm ${given} is not in the embedded workspace.`,
      'npm ls --all shows what is installed and who asks for it; npm ls NAME shows one package.',
    ]);
  return new NpmFailure([
    'code ENOTHERE',
    `npm ${given} is not here yet: the embedded workspace cannot fetch packages.`,
    'What lies in node_modules can be used: bring it along with the files of the project.',
    'Scripts and programs that are installed run: npm run, npm test, npx.',
  ]);
}

async function projectOrNone(call: ProgramCall, folder: string): Promise<Project> {
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
