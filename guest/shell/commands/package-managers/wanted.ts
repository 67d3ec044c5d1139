import type { Manifest } from '../npm/project.ts';

/** A package manager other than npm that runs in an embedded workspace. */
export type ManagerName = 'pnpm' | 'yarn';

/** The program of a package manager, as the npm registry has it. */
export interface Wanted {
  readonly package: string;
  /** A version or a range of versions. */
  readonly range: string;
  /** Set where it is not the version that the project asks for: what to say about it. */
  readonly note?: string;
}

export interface ProjectFacts {
  /** The member `packageManager` of the nearest package.json that has one. */
  readonly packageManager?: Manifest['packageManager'];
  /** Whether the project was made with Yarn 2 or later, by its lockfile or its settings. */
  readonly isModernYarn: boolean;
}

/** The newest versions that are JavaScript: pnpm 11 needs the SQLite of Node, and 12 is native code. */
const NEWEST_PNPM = 10;
const NEWEST_YARN = 4;

/** Returns which version of a package manager a project gets: the one that it names, if it runs here. */
export function wantedManager(name: ManagerName, { packageManager, isModernYarn }: ProjectFacts): Wanted {
  const named = versionOf(name, packageManager);
  const major = named === undefined ? undefined : Number(named.split('.')[0]);
  const newest = name === 'pnpm' ? NEWEST_PNPM : NEWEST_YARN;
  const isTooNew = major !== undefined && major > newest;
  const isModern = major === undefined ? isModernYarn : major > 1;
  const range = named !== undefined && !isTooNew ? named : name === 'yarn' && !isModern ? '1' : `${newest}`;
  return {
    package: name === 'yarn' && isModern ? '@yarnpkg/cli-dist' : name,
    range,
    ...(isTooNew && { note: `${name} ${named} cannot run here, so ${name} ${newest} runs in its place.` }),
  };
}

/** Reads `pnpm@10.1.0+sha512.…`; undefined for another manager, and for what is not a version. */
function versionOf(name: ManagerName, packageManager: unknown): string | undefined {
  if (typeof packageManager !== 'string') return undefined;
  const [, manager, version] = /^(\w+)@(\d+\.\d+\.\d+(?:-[\w.-]+)?)(?:\+.*)?$/.exec(packageManager) ?? [];
  return manager === name ? version : undefined;
}
