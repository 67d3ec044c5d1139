import type { RestoreOptions } from '../automation/arguments.ts';
import type { FileChanged } from '../automation/automation.ts';
import { FaultError } from '../base/fault.ts';
import type { Hash } from '../base/hash.ts';
import type { SessionState } from '../session/log/state.ts';
import type { Session } from '../session/session.ts';
import { kindOf } from '../workspace/changes/compare.ts';
import { changesSince } from '../workspace/changes/since.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Restores a session for automation, and returns the paths of the files that were changed and that were kept. */
export async function restoreSession(
  { restores }: Session,
  { to, what = 'both', overwrite = false }: RestoreOptions,
): Promise<{ changed: string[]; kept: string[] }> {
  const plan = await restores.plan(to === 'redo' ? { kind: 'redo' } : { kind: 'before', messageID: to });
  if (what === 'files' && !plan.files)
    throw new FaultError({
      code: 'files-unknown',
      what: 'It is not known how the files were at that moment.',
      next: 'Restore the conversation only.',
    });
  const changes = what === 'conversation' ? [] : (plan.files?.changes ?? []);
  const kept = overwrite ? [] : changes.filter(({ foreign }) => foreign);
  await restores.run(plan, {
    conversation: what !== 'files',
    files: what !== 'conversation',
    keep: new Set(kept.flatMap(({ path, from = path }) => [path, from])),
  });
  return {
    changed: changes.filter((change) => !kept.includes(change)).map(({ path }) => path),
    kept: kept.map(({ path }) => path),
  };
}

/** The files that differ since the session, or its last turn, began. Rejects with a fault if that is not known. */
export async function changesOf(
  workspace: Workspace,
  state: SessionState | undefined,
  since: 'turn' | 'session',
  content: (hash: Hash) => Promise<Uint8Array | undefined>,
): Promise<FileChanged[]> {
  const manifest =
    since === 'session' ? state?.startSnapshot : (state?.snapshots?.turn ?? state?.startSnapshot);
  if (!manifest)
    throw new FaultError({
      code: 'no-snapshot',
      what: 'No session with a turn is open, so there is nothing to compare the files with.',
      next: 'Send a prompt first.',
    });
  const changes = await changesSince(
    workspace,
    manifest,
    async (hash) => (await content(hash)) ?? new Uint8Array(),
  );
  return changes.map((change) => ({
    path: change.path,
    ...(change.from !== undefined && { from: change.from }),
    kind: kindOf(change),
  }));
}
