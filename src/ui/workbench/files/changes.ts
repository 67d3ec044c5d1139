import { isInside } from '../../../protocol/paths.ts';
import { WorkspaceError, exec, type Entry, type Workspace } from '../../../workspace/workspace.ts';
import { benchWords } from '../workbench-words.ts';
import { nameOf, parentOf, shortPath } from './paths.ts';

/**
 * Changes to files that the person makes by hand. Each rejects with an `Error` whose message is for the
 * person.
 */

export type Undo = () => Promise<void>;

/** Creates an empty file, or a folder if the name ends with `/`. Resolves to its path. */
export async function create(workspace: Workspace, folder: string, name: string): Promise<string> {
  const path = target(folder, name.replace(/\/+$/, ''));
  if (await workspace.files.stat(path)) throw new Error(benchWords.nameTaken(name));
  if (name.endsWith('/')) await workspace.files.makeDirectory(path);
  else await workspace.files.write(path, new Uint8Array(), { expect: null });
  return path;
}

/** Renames a file within its folder, or moves it below that folder if the name contains `/`. */
export async function rename(
  workspace: Workspace,
  from: string,
  name: string,
): Promise<{ path: string; undo: Undo }> {
  const path = target(parentOf(from), name);
  if (path === from) return { path, undo: async () => {} };
  if (await workspace.files.stat(path)) throw new Error(benchWords.nameTaken(name));
  return { path, undo: await place(workspace, from, path) };
}

/** Moves a file or a folder into another folder, under the same name. */
export async function move(
  workspace: Workspace,
  from: string,
  folder: string,
): Promise<{ path: string; undo: Undo }> {
  const path = `${folder}/${nameOf(from)}`;
  if (path === from) return { path, undo: async () => {} };
  if (isInside(folder, from)) throw new Error(benchWords.intoItself(nameOf(from)));
  return { path, undo: await place(workspace, from, path) };
}

/** Renames onto a path where nothing is. Undoing it needs its old path to be free too. */
async function place(workspace: Workspace, from: string, to: string): Promise<Undo> {
  await renameOnto(workspace, from, to);
  return () => renameOnto(workspace, to, from);
}

async function renameOnto(workspace: Workspace, from: string, to: string): Promise<void> {
  if (await workspace.files.stat(to)) throw new Error(benchWords.pathTaken(shortPath(to)));
  await workspace.files.rename(from, to);
}

function target(folder: string, name: string): string {
  if (name.trim() === '') throw new Error(benchWords.nameEmpty);
  const parts = name.split('/');
  if (name.includes('\0') || parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw new Error(benchWords.nameUnusable);
  }
  return `${folder}/${name}`;
}

/** Limits for deleted files that are held in memory for undoing. */
const KEPT_ENTRIES = 500;
const KEPT_BYTES = 20_000_000;

type DeletedEntry = Entry & { readonly path: string; readonly content?: Uint8Array };

/**
 * Resolves to null, and deletes nothing, if the deletion could not be undone: the content is too large, or
 * has links.
 */
export async function removeWithUndo(workspace: Workspace, path: string): Promise<Undo | null> {
  const kept = await keep(workspace, path);
  if (!kept) return null;
  await remove(workspace, path);
  return () => putBack(workspace, kept);
}

export async function remove(workspace: Workspace, path: string): Promise<void> {
  await workspace.files.remove(path, { recursive: true });
}

async function keep(workspace: Workspace, path: string): Promise<readonly DeletedEntry[] | null> {
  const entry = (await workspace.files.list(parentOf(path))).find(({ name }) => name === nameOf(path));
  if (!entry) throw new WorkspaceError('ENOENT', path);
  const kept: DeletedEntry[] = [];
  let bytes = 0;
  const pending: DeletedEntry[] = [{ ...entry, path }];
  for (let next = pending.shift(); next; next = pending.shift()) {
    bytes += next.size;
    if (next.type === 'symlink' || kept.length === KEPT_ENTRIES || bytes > KEPT_BYTES) return null;
    if (next.type === 'file') {
      kept.push({ ...next, content: await workspace.files.read(next.path) });
      continue;
    }
    kept.push(next);
    const folder = next.path;
    pending.push(
      ...(await workspace.files.list(folder)).map((child) => ({ ...child, path: `${folder}/${child.name}` })),
    );
  }
  return kept;
}

async function putBack(workspace: Workspace, kept: readonly DeletedEntry[]): Promise<void> {
  for (const { path, content } of kept) {
    if (content) await workspace.files.write(path, content, { expect: null });
    else await workspace.files.makeDirectory(path);
  }
  // Writing sets the usual mode, and only the shell can change it.
  const executable = kept.filter(({ content, mode }) => content && (mode & 0o111) !== 0);
  if (executable.length === 0) return;
  const names = executable.map(({ path }) => `'${path.replaceAll("'", `'\\''`)}'`);
  await exec(workspace, `chmod +x -- ${names.join(' ')}`);
}
