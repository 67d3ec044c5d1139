import type { ProgramCall } from '../../program.ts';
import { NpmFailure } from './failure.ts';
import type { NpmOptions } from './options.ts';
import type { Project } from './project.ts';
import { binFolders, runScript } from './script.ts';

/** `npx` and `npm exec`: programs that are installed. */
export async function execute(
  call: ProgramCall,
  project: Project,
  { flags, words }: NpmOptions,
): Promise<number> {
  const line = flags.get('call');
  const [name = '', ...args] = words;
  if (typeof line === 'string') return start(call, project, line, []);
  if (name === '') throw new NpmFailure(['npx needs the name of a program: npx NAME [ARGUMENTS]']);
  const bare = name.replace(/(?!^)@[^/]*$/, '');
  const command = await commandOf(call, project, bare);
  if (command === undefined)
    throw new NpmFailure([
      `code ENOTINSTALLED`,
      `${bare} is not installed in this project, and npx cannot fetch packages in the embedded workspace.`,
      'Bring its node_modules along with the files of the project.',
    ]);
  return start(call, project, command, args);
}

function start(call: ProgramCall, { folder, manifest }: Project, command: string, args: readonly string[]) {
  return runScript(call, { command, event: 'npx', asked: 'exec', args, folder, cwd: call.cwd, manifest });
}

/** A linked program, the one program of an installed package, or one of the project's own. */
async function commandOf(
  call: ProgramCall,
  { folder, manifest }: Project,
  name: string,
): Promise<string | undefined> {
  for (const bins of binFolders(call.cwd)) if (await call.files.exists(`${bins}/${name}`)) return name;
  const own = binsOf(manifest)[name];
  if (own !== undefined) return `node ${folder}/${own.replace(/^\.\//, '')}`;
  return undefined;
}

function binsOf({ name = '', bin = {} }: Project['manifest']): Readonly<Record<string, string>> {
  return typeof bin === 'string' ? { [name.replace(/^@[^/]*\//, '')]: bin } : bin;
}
