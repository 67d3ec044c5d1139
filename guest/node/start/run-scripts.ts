import type ChildProcess from 'node:child_process';
import type { Modules } from '../builtins/modules.ts';
import { folderOf, joined } from '../loader/files.ts';
import type { RunParts } from './run-parts.ts';

/** `--run`: a script of package.json, in the shell. */
export function runScript({ modules, made, builtins, cli }: RunParts, name: string): void {
  const { process } = made;
  const path = packageAbove(modules, process.cwd());
  if (path === undefined) {
    process.stderr.write(`Can't find package.json for directory ${process.cwd()}\n`);
    return process.exit(1);
  }
  const folder = folderOf(path);
  const refuse = (text: string) => {
    process.stderr.write(`${text}\n`);
    process.exit(1);
  };
  const scripts = scriptsIn(modules.files.readText(path));
  if (scripts === undefined) return refuse(`Can't parse ${path}`);
  if (scripts === null) return refuse(`Can't find "scripts" field in ${path}`);
  const script = scripts[name];
  if (script === undefined) {
    const list = Object.entries(scripts)
      .filter(([, command]) => typeof command === 'string')
      .map(([each, command]) => `  ${each}: ${String(command)}\n`);
    return refuse(
      `Missing script: "${name}" for ${path}\n\nAvailable scripts are:\n${list.join('')}`.trimEnd(),
    );
  }
  if (typeof script !== 'string')
    return refuse(`Script "${name}" is unexpectedly not a string for ${path}\n`);
  const words = cli.args.map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const { spawn } = builtins.load('child_process') as typeof ChildProcess;
  const bins = modules.cjs.Module._nodeModulePaths(process.cwd())
    .filter((each) => each.startsWith(joined(folder, 'node_modules').slice(0, -'node_modules'.length)))
    .map((each) => `${each}/.bin`);
  const child = spawn([script, ...words].join(' '), {
    shell: true,
    stdio: 'inherit',
    cwd: folder,
    env: {
      ...process.env,
      PATH: [...bins, process.env.PATH ?? '/usr/bin:/bin'].join(':'),
      NODE_RUN_SCRIPT_NAME: name,
      NODE_RUN_PACKAGE_JSON_PATH: path,
    },
  });
  // Every failure exits with 1, as in node.
  child.on('close', (code) => process.exit(code === 0 ? 0 : 1));
}

/** Returns null if there are no scripts, and undefined if the file does not parse. */
function scriptsIn(text: string): Record<string, unknown> | null | undefined {
  try {
    const { scripts }: { scripts?: unknown } = JSON.parse(text);
    return typeof scripts === 'object' ? scripts && { ...scripts } : null;
  } catch {
    return undefined;
  }
}

function packageAbove({ files }: Modules, start: string): string | undefined {
  for (let folder = start; ; folder = folderOf(folder)) {
    const path = joined(folder, 'package.json');
    if (files.look(path) === 'file') return path;
    if (folder === '/') return undefined;
  }
}
