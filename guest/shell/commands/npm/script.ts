import type { ProgramCall } from '../../program.ts';
import { nameNatives } from './native-hint.ts';
import { configVariables, isSilent, type NpmOptions } from './options.ts';
import { NO_NATIVE_CODE } from '../../../shared/no-native-code.ts';
import { parentOf, type Manifest } from './project.ts';
import { NPM_FOLDER } from '../../../shared/npm-folder.ts';

/** The version in the page's image of npm; a test of build/images.ts compares them. */
export const NPM_VERSION = '11.21.2';
const NODE_VERSION = 'v22.23.3';
const NODE = '/usr/bin/node';

export interface ScriptRun {
  readonly command: string;
  /** The name of the script; `npx` for programs. */
  readonly event: string;
  /** The command of npm: `run`, `exec`, `test` … */
  readonly asked: string;
  readonly args: readonly string[];
  /** The folder of the project. */
  readonly folder: string;
  /** The working directory; the default is the project's folder. */
  readonly cwd?: string;
  readonly manifest: Manifest;
  readonly options: NpmOptions;
  /** The folder of the whole project, where `folder` is that of a workspace. */
  readonly prefix?: string;
  /** Additional variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a line in the shell like npm runs scripts: with its variables, and with the programs of `node_modules`
 * in PATH.
 */
export async function runScript(call: ProgramCall, run: ScriptRun): Promise<number> {
  const line = [run.command, ...run.args.map(quoted)].join(' ');
  const code = await call.run(['sh', '-c', line], {
    cwd: run.cwd ?? run.folder,
    env: new Map([...environment(call, run), ...(await variablesFor(call, run))]),
    takesSignals: true,
  });
  if (code !== 0 && !isSilent(run.options)) await nameNatives(call, line);
  return code;
}

function environment(call: ProgramCall, run: ScriptRun): ReadonlyMap<string, string> {
  const { folder, manifest, options } = run;
  const home = call.env.get('HOME') ?? '/home';
  const whole = run.prefix ?? folder;
  const global = String(options.given.get('prefix') === undefined ? '/usr' : whole);
  const inWorkspaces = run.prefix !== undefined && (run.prefix !== folder || options.workspaces.length > 0);
  const given: Record<string, string | undefined> = {
    npm_lifecycle_event: run.event,
    npm_lifecycle_script: run.command,
    npm_command: run.asked,
    npm_package_json: `${folder}/package.json`,
    npm_execpath: `${NPM_FOLDER}/npm-cli.js`,
    npm_node_execpath: NODE,
    npm_config_user_agent: `npm/${NPM_VERSION} node/${NODE_VERSION} linux x64 workspaces/${inWorkspaces}`,
    npm_config_cache: `${home}/.npm`,
    npm_config_global_prefix: global,
    npm_config_globalconfig: `${global}/etc/npmrc`,
    npm_config_init_module: `${home}/.npm-init.js`,
    npm_config_local_prefix: whole,
    npm_config_node_gyp: '/usr/lib/node_modules/npm/node_modules/node-gyp/bin/node-gyp.js',
    npm_config_noproxy: '',
    npm_config_npm_version: NPM_VERSION,
    npm_config_userconfig: `${home}/.npmrc`,
    NODE,
    INIT_CWD: call.env.get('INIT_CWD') ?? call.cwd,
    PATH: [...binFolders(run.cwd ?? folder), call.env.get('PATH') ?? '/usr/bin:/bin'].join(':'),
  };
  const env = new Map(call.env);
  for (const name of env.keys()) if (name.startsWith('npm_package_')) env.delete(name);
  for (const [name, value] of [
    ...configVariables(options, call.env),
    ...Object.entries(given),
    ['npm_config_prefix', global] as const,
    ...packageVariables('npm_package', {
      name: manifest.name,
      version: manifest.version,
      config: manifest.config,
      engines: manifest.engines,
      bin: binsOf(manifest),
    }),
    ...Object.entries(run.env ?? {}),
  ])
    if (value !== undefined) env.set(name, value);
  return env;
}

/** Variables by which installed programs run without what cannot be had here. */
const VARIABLES: readonly { readonly bin: string; readonly name: string; readonly value: string }[] = [
  // Prisma fetches its schema engine, which is native code, before anything else, unless it is told that there is one.
  { bin: 'prisma', name: 'PRISMA_SCHEMA_ENGINE_BINARY', value: NO_NATIVE_CODE },
  // Angular's pool of threads takes messages with transferred parts by receiveMessageOnPort, unless it is told to listen.
  { bin: 'ng', name: 'PISCINA_DISABLE_ATOMICS', value: '1' },
];

async function variablesFor(call: ProgramCall, { cwd, folder }: ScriptRun): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for (const { bin, name, value } of VARIABLES) {
    if (call.env.has(name)) continue;
    for (const bins of binFolders(cwd ?? folder))
      if (await call.files.exists(`${bins}/${bin}`)) {
        found.push([name, value]);
        break;
      }
  }
  return found;
}

/**
 * Flattens package.json into variables. Names are the keys on the way joined by `_`, with indexes for lists.
 */
function packageVariables(name: string, value: unknown): [string, string][] {
  if (value === undefined) return [];
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => packageVariables(`${name}_${key}`, inner));
  return [[name, value === null || value === false ? '' : String(value)]];
}

/** Maps the programs of a package to their files, without a leading `./`. */
export function binsOf({ name = '', bin = {} }: Manifest): Readonly<Record<string, string>> {
  const named = typeof bin === 'string' ? { [name.replace(/^@[^/]*\//, '')]: bin } : bin;
  return Object.fromEntries(Object.entries(named).map(([each, path]) => [each, path.replace(/^\.\//, '')]));
}

/** The folders of installed programs, nearest first. */
export function binFolders(folder: string): string[] {
  const folders: string[] = [];
  for (let at = folder; ; at = parentOf(at)) {
    folders.push(`${at === '/' ? '' : at}/node_modules/.bin`);
    if (at === '/') return folders;
  }
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
