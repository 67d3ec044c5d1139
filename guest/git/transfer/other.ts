import { Config, readSettings } from '../kit/config.ts';
import { Fatal } from '../kit/fatal.ts';
import type { Git } from '../kit/git.ts';
import { MODE } from '../kit/objects.ts';
import { isGitFolder, Repo } from '../kit/repo.ts';

/** Whether this is the address of a repository elsewhere, and not a path. */
export function isAddress(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(url)
    ? !url.startsWith('file://')
    : /^[^/]+@?[\w.-]+:(?!\/\/)/.test(url) && !url.startsWith('.');
}

/** Opens the repository at a path, relative to a folder. */
export async function openOther(git: Git, url: string, from: string): Promise<Repo> {
  const path = git.files.fs.resolvePath(from, url.replace(/^file:\/\//, ''));
  for (const [gitdir, top] of [
    [`${path}/.git`, path],
    [path, undefined],
    [`${path}.git`, undefined],
  ] as const) {
    if (!(await isGitFolder(git.files, gitdir))) continue;
    const config = new Config(await readSettings(git.files, `${gitdir}/config`, 'file:config'));
    return new Repo(
      { gitdir, top: config.flag('core.bare') ? undefined : top },
      {
        files: git.files,
        config,
        cwd: path,
        home: git.home,
        indexFile: undefined,
        who: () => git.person('COMMITTER', false),
      },
    );
  }
  throw new Fatal(
    `'${url}' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.`,
  );
}

/**
 * Copies all objects as the files that they are, which is how native git clones a path. Answers false where some of them
 * are in the folder of a third repository.
 */
export async function copyFolder(from: Repo, to: Repo): Promise<boolean> {
  const [source, target] = [from, to].map(({ gitdir }) => `${gitdir}/objects`) as [string, string];
  if (await from.files.exists(`${source}/info/alternates`)) return false;
  await from.files.fs.cp(source, target, { recursive: true });
  to.objects.refresh();
  return true;
}

/** Copies what these ids lead to, as far as the target lacks it. */
export async function copyObjects(from: Repo, to: Repo, oids: readonly string[]): Promise<number> {
  const seen = new Set<string>();
  let count = 0;
  const copy = async (oid: string): Promise<void> => {
    if (seen.has(oid)) return;
    seen.add(oid);
    if (await to.objects.has(oid)) return;
    const { type, bytes } = await from.objects.read(oid);
    if (type === 'tree')
      await Promise.all(
        (await from.objects.tree(oid)).map((entry) =>
          entry.mode === MODE.submodule ? undefined : copy(entry.oid),
        ),
      );
    else if (type === 'tag') await copy((await from.objects.tag(oid)).object);
    else if (type === 'commit') await copy((await from.objects.commit(oid)).tree);
    // Objects are copied after those that they refer to, so that a copy that is cut off leaves nothing broken.
    await to.objects.write(type, bytes);
    count++;
  };
  const order: string[] = [];
  const waiting = [...oids];
  const known = new Set<string>();
  for (let oid = waiting.pop(); oid !== undefined; oid = waiting.pop()) {
    if (known.has(oid)) continue;
    known.add(oid);
    order.push(oid);
    const commit = await from.objects.peel(oid, 'commit');
    if (commit === undefined || (await to.objects.has(commit))) continue;
    if (commit !== oid) waiting.push(commit);
    else waiting.push(...(await from.objects.commit(commit)).parents);
  }
  for (const oid of order.reverse()) await copy(oid);
  return count;
}
