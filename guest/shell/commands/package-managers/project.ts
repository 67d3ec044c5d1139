import type { ProgramCall } from '../../program.ts';
import { manifestAt, parentOf } from '../npm/project.ts';
import type { ManagerName, ProjectFacts } from './wanted.ts';

type Call = ProgramCall;

/** A file in the top folder of a project whose packages are in folders of their own. */
const TOP_FILE: Readonly<Record<ManagerName, string>> = { pnpm: 'pnpm-workspace.yaml', yarn: 'yarn.lock' };

/** The folder in which a package manager puts node_modules; undefined outside of every project. */
export async function topOf(call: Call, name: ManagerName, start: string): Promise<string | undefined> {
  return (await above(call, start, TOP_FILE[name])) ?? (await above(call, start, 'package.json'));
}

/** Reads what tells the version of the package manager that a project wants. */
export async function factsOf(call: Call, start: string): Promise<ProjectFacts> {
  const isModernYarn =
    (await above(call, start, '.yarnrc.yml')) !== undefined || (await hasModernLockfile(call, start));
  for (let folder: string | undefined = start; folder !== undefined; folder = nextAbove(folder)) {
    const packageManager = (await manifestAt(call, folder))?.packageManager;
    if (packageManager !== undefined) return { packageManager, isModernYarn };
  }
  return { isModernYarn };
}

async function hasModernLockfile(call: Call, start: string): Promise<boolean> {
  const folder = await above(call, start, 'yarn.lock');
  if (folder === undefined) return false;
  return /^__metadata:/m.test(await call.files.readFile(within(folder, 'yarn.lock')));
}

async function above(call: Call, start: string, file: string): Promise<string | undefined> {
  for (let folder: string | undefined = start; folder !== undefined; folder = nextAbove(folder))
    if (await call.files.exists(within(folder, file))) return folder;
  return undefined;
}

const nextAbove = (folder: string): string | undefined => (folder === '/' ? undefined : parentOf(folder));

const within = (folder: string, file: string): string => `${folder === '/' ? '' : folder}/${file}`;
