import type { Program, ProgramCall } from '../../program.ts';
import { afterInstall, isInstall } from './after-install.ts';
import { limitCache } from './cache.ts';
import { commandOf } from './commands.ts';
import { execute } from './exec.ts';
import { NpmFailure, printError, printWarning } from './failure.ts';
import { installedIn } from './installed.ts';
import { isSilent, LONG_SHORTHANDS, NPX_SHORT, parseOptions, type NpmOptions } from './options.ts';
import {
  manifestAt,
  locateProject,
  projectAt,
  workspacesOf,
  type ProjectLocation,
  type Project,
} from './project.ts';
import { npmFor, runNpm } from './real.ts';
import { listScripts, runInWorkspaces, runNamed } from './run.ts';

/** The commands that run scripts. They are called most often, and npm itself takes a second to start. */
const SCRIPTS = new Set(['run', 'test', 'start', 'stop', 'restart']);

/**
 * `npm`: npm itself, which the page fetches when it is first used, except where a script or a program that is installed is
 * run. Those are run at once, in the same way and with the same words.
 */
export const npm: Program = (call) => {
  const options = parseOptions(call.args, { env: call.env });
  const [given = '', ...words] = options.words;
  return reporting(call, options, async () => {
    const command = commandOf(given);
    const isQuick = !options.flags.has('version') && !options.flags.has('help');
    if (command !== undefined && isQuick && SCRIPTS.has(command))
      return run({ call, options, words, ...(await placeFor(call, options)) }, command);
    if (command === 'exec' && isQuick) {
      const { prefix } = await placeFor(call, options);
      const code = await execute(call, await projectOrNone(call, prefix), { ...options, words });
      return code ?? runNpm(call, 'npm-cli.js');
    }
    if (command === undefined || !isInstall(command)) return runNpm(call, 'npm-cli.js');
    // Scripts of packages mostly compile or fetch native code, which cannot run here.
    const code = await runNpm(call, 'npm-cli.js', ['--ignore-scripts', ...call.args]);
    if (code !== 0 || options.flags.has('global') || options.flags.has('dry-run')) return code;
    const { prefix: project } = await placeFor(call, options);
    await limitCache(call);
    const packages = await installedIn(call.files, project);
    await afterInstall(call, {
      project,
      packages,
      program: 'npm',
      isSilent: isSilent(options),
      npm: npmFor(call, options.flags.get('registry')),
    });
    return code;
  });
};

export const npx: Program = (call) => {
  const options = parseOptions(call.args, { env: call.env, upToProgram: true, short: NPX_SHORT });
  return reporting(call, options, async () => {
    const isQuick = !options.flags.has('version') && !options.flags.has('help');
    const { prefix } = await locateProject(call, { above: false });
    const code = isQuick ? await execute(call, await projectOrNone(call, prefix), options) : undefined;
    return code ?? runNpm(call, 'npx-cli.js');
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
  readonly options: NpmOptions;
  /** The words after the command. */
  readonly words: readonly string[];
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
  const { call, options, prefix } = invocation;
  await warnOfFlags(call, options);
  const words = command === 'run' ? invocation.words : [command, ...invocation.words];
  const projects = await chosen(invocation);
  if (projects && words.length > 0) return runInWorkspaces(call, projects, words, options, command, prefix);
  const project = projects ? undefined : await projectAt(call, prefix);
  if (project && words.length > 0) return runNamed(call, project, words, options, command);
  for (const each of projects ?? (project ? [project] : [])) await listScripts(call, each, options);
  return 0;
}

/** Names the shorthands that npm 11 still takes after a single hyphen, in npm's order, and flags that it does not know. */
async function warnOfFlags(call: ProgramCall, options: NpmOptions): Promise<void> {
  const level = options.flags.get('loglevel');
  if (level === 'silent' || level === 'error') return;
  for (const name of LONG_SHORTHANDS)
    if (call.args.includes(`-${name}`))
      await printWarning(
        call,
        `-${name} is not a valid single-hyphen cli flag and will be removed in the future`,
      );
  for (const word of options.stray)
    await printWarning(call, `"${word}" is being parsed as a normal command line argument.`);
  for (const name of options.unknown)
    await printWarning(
      call,
      `Unknown cli config "--${name}". This will stop working in the next major version of npm.`,
    );
}

async function projectOrNone(call: ProgramCall, folder: string): Promise<Project> {
  return { folder, manifest: (await manifestAt(call, folder)) ?? {} };
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
    return error.code;
  }
}
