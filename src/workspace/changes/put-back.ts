import { FaultError } from '../../base/fault.ts';
import type { Hash } from '../../base/hash.ts';
import { exec, ROOT, WorkspaceError, type Workspace } from '../workspace.ts';
import { isExecutable, type ChangedPath, type FileVersion, type ReadVersion } from './compare.ts';

/**
 * Makes one path as it was before a change. Does nothing and rejects with the fault `changed-since` where the file is no
 * longer as the change left it, so that a newer edit is never lost. `read` returns the content before.
 */
export async function putBack(workspace: Workspace, change: ChangedPath, read: ReadVersion): Promise<void> {
  const { path, from = path, before, after } = change;
  const content = before && (await read(before));
  try {
    if (!before || !content) await remove(workspace, path, after);
    else if (from !== path || after?.type !== before.type) {
      if (from === path) await remove(workspace, path, after);
      await create(workspace, from, before, content);
      if (from !== path) await remove(workspace, path, after);
    } else await replace(workspace, path, { before, after, content });
    if (before && isExecutable(before)) await run(workspace, 'chmod +x --', from);
  } catch (error) {
    throw error instanceof WorkspaceError && error.code === 'ECHANGED' ? changedSince(path) : error;
  }
  await workspace.durable();
}

/**
 * Replaces the content of a file that has the hash `expect`. Else does nothing and rejects with the fault
 * `changed-since`.
 */
export async function replaceFile(
  workspace: Workspace,
  path: string,
  content: Uint8Array,
  expect: Hash,
): Promise<void> {
  try {
    await workspace.files.write(`${ROOT}/${path}`, content, { expect, real: true });
  } catch (error) {
    throw error instanceof WorkspaceError && error.code === 'ECHANGED' ? changedSince(path) : error;
  }
  await workspace.durable();
}

async function remove(workspace: Workspace, path: string, version: FileVersion | null): Promise<void> {
  if (version?.type !== 'file') return version ? run(workspace, 'rm --', path) : undefined;
  await workspace.files.remove(`${ROOT}/${path}`, { expect: version.hash, real: true });
}

async function create(
  workspace: Workspace,
  path: string,
  version: FileVersion,
  content: Uint8Array,
): Promise<void> {
  if (version.type === 'symlink') await run(workspace, `ln -s -- ${quoted(version.target)}`, path);
  else await workspace.files.write(`${ROOT}/${path}`, content, { expect: null });
}

async function replace(
  workspace: Workspace,
  path: string,
  { before, after, content }: { before: FileVersion; after: FileVersion; content: Uint8Array },
): Promise<void> {
  if (before.type === 'symlink') {
    await run(workspace, `ln -sfn -- ${quoted(before.target)}`, path);
    return;
  }
  if (after.type === 'file')
    await workspace.files.write(`${ROOT}/${path}`, content, { expect: after.hash, real: true });
  if (isExecutable(after) && !isExecutable(before)) await run(workspace, 'chmod -x --', path);
}

/** Links and the permission to execute can only be changed by the shell. */
async function run(workspace: Workspace, command: string, path: string): Promise<void> {
  const { exitCode, output } = await exec(workspace, `${command} ${quoted(path)}`);
  if (exitCode !== 0)
    throw new FaultError({
      code: 'not-put-back',
      what: output.trim() || 'The shell refused it.',
      where: path,
    });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function changedSince(path: string): FaultError {
  return new FaultError({
    code: 'changed-since',
    what: `${path} was changed again meanwhile, so it was left as it is.`,
    where: path,
    next: 'Look at the new change and decide again.',
  });
}
