import type { ShellFs } from '../../shell-fs.ts';

/** A package in npm's own list of what it has installed. */
export interface Installed {
  /** The name of the package itself, where it was installed under another one. */
  readonly name?: string;
  readonly version?: string;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Where npm lists what it has installed in a project. */
export const listOf = (project: string): string => `${project}/node_modules/.package-lock.json`;

/** The installed packages by their paths in the project. Empty where nothing is installed. */
export async function installedIn(
  files: Pick<ShellFs, 'readFile'>,
  project: string,
): Promise<ReadonlyMap<string, Installed>> {
  try {
    const { packages } = JSON.parse(await files.readFile(listOf(project))) as {
      readonly packages: Readonly<Record<string, Installed>>;
    };
    return new Map(Object.entries(packages));
  } catch {
    return new Map();
  }
}

/** The name of a package by its path and what the list says of it. */
export const nameOf = (path: string, { name }: Installed): string =>
  name ?? path.replace(/^.*node_modules\//, '');
