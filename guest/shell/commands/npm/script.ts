import type { ProgramCall } from '../../program.ts';
import { parentOf, type Manifest } from './project.ts';

export const NPM_VERSION = '10.9.9';
export const NODE_VERSION = 'v22.23.3';
const NODE = '/usr/bin/node';

export interface ScriptRun {
  readonly command: string;
  /** Name of the script; `npx` for programs. */
  readonly event: string;
  /** What npm was asked to do: `run-script`, `exec`, `test` … */
  readonly asked: string;
  readonly args: readonly string[];
  /** Of the project. */
  readonly folder: string;
  /** Where it runs; without it in the project's folder. */
  readonly cwd?: string;
  readonly manifest: Manifest;
}

/** Runs a line in the shell as npm runs scripts: with its variables, and the programs of `node_modules` in PATH. */
export function runScript(call: ProgramCall, run: ScriptRun): Promise<number> {
  const line = [run.command, ...run.args.map(quoted)].join(' ');
  return call.run(['sh', '-c', line], {
    cwd: run.cwd ?? run.folder,
    env: environment(call, run),
    takesSignals: true,
  });
}

function environment(call: ProgramCall, run: ScriptRun): ReadonlyMap<string, string> {
  const { folder, manifest } = run;
  const given: Record<string, string | undefined> = {
    npm_lifecycle_event: run.event,
    npm_lifecycle_script: run.command,
    npm_command: run.asked,
    npm_package_json: `${folder}/package.json`,
    npm_package_name: manifest.name,
    npm_package_version: manifest.version,
    npm_execpath: '/usr/lib/node_modules/npm/bin/npm-cli.js',
    npm_node_execpath: NODE,
    npm_config_user_agent: `npm/${NPM_VERSION} node/${NODE_VERSION} linux x64 workspaces/false`,
    NODE,
    INIT_CWD: call.env.get('INIT_CWD') ?? call.cwd,
    PATH: [...binFolders(run.cwd ?? folder), call.env.get('PATH') ?? '/usr/bin:/bin'].join(':'),
  };
  for (const [name, value] of Object.entries(manifest.config ?? {}))
    given[`npm_package_config_${name.replaceAll(/[^A-Za-z0-9_]/g, '_')}`] = String(value);
  const env = new Map(call.env);
  for (const [name, value] of Object.entries(given)) if (value !== undefined) env.set(name, value);
  return env;
}

/** Where programs that are installed lie, nearest first. */
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
