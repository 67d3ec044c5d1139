import { messageOf } from '../../../../src/base/message-of.ts';
import { fileError } from '../../files.ts';
import type { ProgramCall } from '../../program.ts';
import { NpmFailure } from './failure.ts';

export interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly packageManager?: unknown;
  readonly engines?: Readonly<Record<string, unknown>>;
  readonly workspaces?: readonly string[] | { readonly packages?: readonly string[] };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export interface Project {
  /** The folder as an absolute path. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Returns `name@version`, where both are known. */
export function idOf({ name, version }: Manifest): string | undefined {
  return name !== undefined && version !== undefined ? `${name}@${version}` : undefined;
}

export interface ProjectLocation {
  /** The folder of the project; for a workspace, that of the whole project. */
  readonly prefix: string;
  /** The folder of the workspace that npm was called in. */
  readonly workspace?: string;
}

/** Finds the project that npm runs in. With `above`, a folder that is a workspace leads to its project. */
export async function locateProject(
  call: ProgramCall,
  { above }: { above: boolean },
): Promise<ProjectLocation> {
  const nearest = await nearestProject(call);
  for (let folder = nearest; above && folder !== '/';) {
    folder = parentOf(folder);
    const manifest = await manifestAt(call, folder);
    if (!manifest?.workspaces) continue;
    const all = await workspacesIn(call, { folder, manifest });
    if (all.some((each) => each.folder === nearest)) return { prefix: folder, workspace: nearest };
  }
  return { prefix: nearest };
}

/**
 * The nearest folder, from the present one upwards, with a package.json or a node_modules; otherwise the
 * present one.
 */
async function nearestProject(call: ProgramCall): Promise<string> {
  for (let folder = call.cwd; ; folder = parentOf(folder)) {
    for (const name of ['package.json', 'node_modules'])
      if (await call.files.exists(`${folder === '/' ? '' : folder}/${name}`)) return folder;
    if (folder === '/') return call.cwd;
  }
}

export function parentOf(folder: string): string {
  return folder.slice(0, folder.lastIndexOf('/')) || '/';
}

/** Reads the project in a folder. Fails like npm where package.json is missing or cannot be parsed. */
export async function projectAt(call: ProgramCall, folder: string): Promise<Project> {
  const path = `${folder}/package.json`;
  let text: string;
  try {
    text = await call.files.readFile(path);
  } catch (error) {
    if (fileError(error) !== 'No such file or directory') throw error;
    throw new NpmFailure([
      'code ENOENT',
      'syscall open',
      `path ${path}`,
      'errno -2',
      `enoent Could not read package.json: Error: ENOENT: no such file or directory, open '${path}'`,
      'enoent This is related to npm not being able to find a file.',
      'enoent',
    ]);
  }
  return { folder, manifest: parsed(text, path) };
}

function parsed(text: string, path: string): Manifest {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (isManifest(value)) return value;
    throw new SyntaxError('it is no object');
  } catch (error) {
    const message = messageOf(error);
    throw new NpmFailure([
      'code EJSONPARSE',
      `path ${path}`,
      `JSON.parse Invalid package.json: JSONParseError: ${message} while parsing ${JSON.stringify(text.slice(0, 400))}`,
      'JSON.parse Failed to parse JSON data.',
      'JSON.parse Note: package.json must be actual JSON, not just JavaScript.',
    ]);
  }
}

/** Only the outer shape is checked; deeper faults show where a value is used. */
function isManifest(value: unknown): value is Manifest {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export async function manifestAt(call: ProgramCall, folder: string): Promise<Manifest | undefined> {
  try {
    return (await projectAt(call, folder)).manifest;
  } catch (error) {
    if (error instanceof NpmFailure) return undefined;
    throw error;
  }
}

async function workspacesIn(call: ProgramCall, root: Project): Promise<readonly Project[]> {
  const { workspaces = [] } = root.manifest;
  const patterns = Array.isArray(workspaces)
    ? workspaces
    : 'packages' in workspaces
      ? workspaces.packages
      : [];
  const found: Project[] = [];
  for (const pattern of patterns ?? []) {
    for (const folder of await foldersLike(call, root.folder, pattern.replace(/^\.\/|\/$/g, '').split('/'))) {
      const manifest = await manifestAt(call, folder);
      if (manifest) found.push({ folder, manifest });
    }
  }
  return found;
}

/** The workspaces that `chosen` names, by name or folder; all of them where it is empty. */
export async function workspacesOf(
  call: ProgramCall,
  root: Project,
  chosen: readonly string[],
): Promise<readonly Project[]> {
  const found = await workspacesIn(call, root);
  if (chosen.length === 0) {
    if (found.length === 0) throw new NpmFailure(['No workspaces found!']);
    return found;
  }
  return chosen.map((name) => {
    const path = call.path(name);
    const one = found.find(({ folder, manifest }) => manifest.name === name || folder === path);
    if (!one) throw new NpmFailure(['No workspaces found:', `  --workspace=${name}`]);
    return one;
  });
}

async function foldersLike(call: ProgramCall, folder: string, parts: readonly string[]): Promise<string[]> {
  const [part, ...rest] = parts;
  if (part === undefined) return [folder];
  if (!part.includes('*')) return foldersLike(call, `${folder}/${part}`, rest);
  const names = await call.files.readdir(folder).catch(() => []);
  const like = new RegExp(`^${part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\*+/g, '.*')}$`);
  const found: string[] = [];
  for (const name of [...names].sort()) {
    if (name === 'node_modules' || name.startsWith('.') || !like.test(name)) continue;
    const inside = `${folder}/${name}`;
    if (!(await call.files.stat(inside)).isDirectory) continue;
    found.push(...(await foldersLike(call, inside, rest)));
    if (part === '**') found.push(...(await foldersLike(call, inside, parts)));
  }
  return [...new Set(found)];
}
