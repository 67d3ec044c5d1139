import type { FsStat } from '../../shell/shell-fs.ts';
import { encode, readAll } from '../../shell/kit/io.ts';
import { comparePaths, idOf } from '../kit/bytes.ts';
import { Fatal } from '../kit/fatal.ts';
import type { Git } from '../kit/git.ts';
import type { Given } from '../kit/options.ts';
import { modeOf } from '../kit/worktree.ts';
import { diffOptions } from './options.ts';
import type { Change } from './renames.ts';
import { showChanges } from './show.ts';

/** Compares two paths that need not be in a repository. */
export async function noIndex(git: Git, given: Given): Promise<number> {
  const [one, other] = given.operands;
  if (one === undefined || other === undefined)
    throw new Fatal('git diff --no-index needs two paths', 129, 'usage: ');
  const options = await diffOptions(git, given);
  const contents = new Map<string, Uint8Array>();
  const changes = await compare(git, contents, one, other);
  const formats = options.isSilent ? [] : options.formats.length > 0 ? options.formats : (['patch'] as const);
  if (!given.has('quiet'))
    await showChanges(
      git,
      changes,
      ({ oid }) => Promise.resolve(contents.get(oid) ?? new Uint8Array()),
      options,
      formats,
    );
  return changes.length > 0 ? 1 : 0;
}

async function compare(
  git: Git,
  contents: Map<string, Uint8Array>,
  one: string,
  other: string,
): Promise<Change[]> {
  const { files, cwd } = git;
  const full = (path: string) => files.fs.resolvePath(cwd, path);
  const [a, b] = await Promise.all([statOf(git, one), statOf(git, other)]);
  if (a?.isDirectory && b?.isDirectory) {
    const [mine, theirs] = await Promise.all([files.list(full(one)), files.list(full(other))]);
    const names = [...new Set([...mine, ...theirs].map(({ name }) => name))].sort(comparePaths);
    const found = await Promise.all(
      names.map((name) => {
        const side = (entries: typeof mine, folder: string) =>
          entries.some((entry) => entry.name === name) ? `${folder.replace(/\/$/, '')}/${name}` : '/dev/null';
        return compare(git, contents, side(mine, one), side(theirs, other));
      }),
    );
    return found.flat();
  }
  if (a?.isDirectory && b)
    return compare(
      git,
      contents,
      `${one.replace(/\/$/, '')}/${other.slice(other.lastIndexOf('/') + 1)}`,
      other,
    );
  if (b?.isDirectory && a)
    return compare(git, contents, one, `${other.replace(/\/$/, '')}/${one.slice(one.lastIndexOf('/') + 1)}`);
  const version = async (path: string, stat: FsStat | undefined) => {
    if (!stat) return undefined;
    const bytes =
      path === '-'
        ? await readAll(git.call.stdin)
        : stat.isSymbolicLink
          ? encode(await files.fs.readlink(full(path)))
          : await files.fs.readFileBuffer(full(path));
    const oid = idOf('blob', bytes);
    contents.set(oid, bytes);
    return { mode: modeOf(stat), oid };
  };
  const [before, after] = [await version(one, a), await version(other, b)];
  if (before && after && before.oid === after.oid && before.mode === after.mode) return [];
  const bare = (path: string) => path.replace(/^\//, '');
  const [from, path] = [bare(before ? one : other), bare(after ? other : one)];
  return [{ status: before ? (after ? 'M' : 'D') : 'A', from, path, before, after, score: 0 }];
}

async function statOf(git: Git, path: string): Promise<FsStat | undefined> {
  if (path === '/dev/null') return undefined;
  if (path === '-')
    return {
      isFile: true,
      isDirectory: false,
      isSymbolicLink: false,
      mode: 0o644,
      size: 0,
      mtime: new Date(0),
    };
  const stat = await git.files.lstat(git.files.fs.resolvePath(git.cwd, path));
  if (!stat) throw new Fatal(`Could not access '${path}'`, 128, 'error: ');
  return stat;
}
