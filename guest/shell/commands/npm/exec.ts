import type { ProgramCall } from '../../program.ts';
import { NpmFailure } from './failure.ts';
import type { NpmOptions } from './options.ts';
import { manifestAt, parentOf, type Manifest, type Project } from './project.ts';
import { satisfies } from './satisfies.ts';
import { binFolders, binsOf, runScript } from './script.ts';

/** Runs `npx` and `npm exec`, for programs that are installed; undefined where npm has to fetch one. */
export async function execute(
  call: ProgramCall,
  project: Project,
  options: NpmOptions,
): Promise<number | undefined> {
  if (options.workspaces.length > 0 || options.flags.has('workspaces')) return undefined;
  const { flags, packages, words } = options;
  const start = (line: string, args: readonly string[]) =>
    runScript(call, { ...project, command: line, event: 'npx', asked: 'exec', args, cwd: call.cwd, options });
  const line = flags.get('call');
  const [name = '', ...args] = words;
  for (const spec of packages) if (!(await installed(call, spec))) return undefined;
  if (typeof line === 'string') return start(line, []);
  if (name === '') return undefined;
  const command = packages.length > 0 ? name : await commandOf(call, project, name);
  return command === undefined ? undefined : start(command, args);
}

/** Finds a program of the project itself, a linked one, or one of an installed package. */
async function commandOf(
  call: ProgramCall,
  { folder, manifest }: Project,
  name: string,
): Promise<string | undefined> {
  const own = binsOf(manifest)[name];
  if (own !== undefined) return `node ${folder}/${own}`;
  for (const bins of binFolders(call.cwd)) if (await call.files.exists(`${bins}/${name}`)) return name;
  const found = await installed(call, name);
  if (!found) return undefined;
  const bins = Object.entries(binsOf(found.manifest));
  const [, path] = bins.find(([bin]) => bin === bareOf(found.manifest)) ?? [];
  const only = new Set(bins.map(([, each]) => each)).size === 1 ? bins[0]?.[1] : path;
  if (only === undefined) throw new NpmFailure(['could not determine executable to run']);
  return `node ${found.folder}/${only}`;
}

/** Finds the package for `name` or `name@range` that node would find from here. */
async function installed(call: ProgramCall, spec: string) {
  const [, name = spec, range] = /^(@?[^@]+)@(.+)$/.exec(spec) ?? [];
  for (let at = call.cwd; ; at = parentOf(at)) {
    const folder = `${at === '/' ? '' : at}/node_modules/${name}`;
    const manifest = await manifestAt(call, folder);
    if (manifest) {
      const fits = range === undefined || satisfies(manifest.version ?? '0.0.0', range);
      return fits ? { folder, manifest } : undefined;
    }
    if (at === '/') return undefined;
  }
}

const bareOf = ({ name = '' }: Manifest) => name.replace(/^@[^/]*\//, '');
