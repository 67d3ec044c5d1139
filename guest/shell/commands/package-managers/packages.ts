import type { ShellFs } from '../../shell-fs.ts';
import type { Installed } from '../npm/installed.ts';
import type { Manifest } from '../npm/project.ts';

type Files = Pick<ShellFs, 'readdir' | 'lstat' | 'readFile'>;

/** The scripts of a package that run when it is installed. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];

/**
 * The packages in the node_modules of a project, by their paths in it, where no list of npm tells them. Links are not
 * followed: pnpm has the packages themselves in node_modules/.pnpm.
 */
export async function packagesBelow(files: Files, project: string): Promise<ReadonlyMap<string, Installed>> {
  const found = new Map<string, Installed>();
  const addAll = async (modules: string): Promise<void> => {
    for (const name of await namesIn(files, `${project}/${modules}`))
      if (name === '.pnpm')
        for (const each of await namesIn(files, `${project}/${modules}/.pnpm`))
          await addAll(`${modules}/.pnpm/${each}/node_modules`);
      else if (name.startsWith('@')) await addAll(`${modules}/${name}`);
      else if (!name.startsWith('.')) await add(`${modules}/${name}`);
  };
  const add = async (path: string): Promise<void> => {
    if (!(await isFolder(files, `${project}/${path}`))) return;
    const manifest = await manifestIn(files, `${project}/${path}`);
    if (manifest !== undefined) found.set(path, installedOf(manifest));
    await addAll(`${path}/node_modules`);
  };
  await addAll('node_modules');
  return found;
}

async function namesIn(files: Files, folder: string): Promise<readonly string[]> {
  try {
    return await files.readdir(folder);
  } catch {
    return [];
  }
}

async function isFolder(files: Files, path: string): Promise<boolean> {
  const { isDirectory, isSymbolicLink } = await files.lstat(path);
  return isDirectory && !isSymbolicLink;
}

async function manifestIn(files: Files, folder: string): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await files.readFile(`${folder}/package.json`)) as Manifest;
  } catch {
    return undefined;
  }
}

function installedOf({ name, version, optionalDependencies, scripts }: Manifest): Installed {
  return {
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    ...(optionalDependencies && { optionalDependencies }),
    ...(INSTALL_SCRIPTS.some((each) => scripts?.[each] !== undefined) && { hasInstallScript: true }),
  };
}
