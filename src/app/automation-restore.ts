import type { RestoreOptions } from '../automation/arguments.ts';
import type { FileChanged } from '../automation/types.ts';
import { FaultError, type Fault } from '../base/fault.ts';
import type { Hash } from '../base/hash.ts';
import { momentOf } from '../session/restore/moments.ts';
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
  if (what === 'files' && !plan.files) throw new FaultError(filesUnknown('Restore the conversation only.'));
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

/**
 * The files that differ since the session or its last turn began, or since right before a message of the person.
 * Rejects with a fault if it is not known how they were.
 */
export async function changesOf(
  workspace: Workspace,
  session: Session | undefined,
  since: string,
  content: (hash: Hash) => Promise<Uint8Array | undefined>,
): Promise<FileChanged[]> {
  const manifest = await manifestOf(session, since);
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

async function manifestOf(session: Session | undefined, since: string): Promise<Hash> {
  const { startSnapshot: start, snapshots } = session?.state ?? {};
  if (!session || !start) throw new FaultError(NO_SNAPSHOT);
  if (since === 'session') return start;
  if (since === 'turn') return snapshots?.turn ?? start;
  while (!session.state.messages.has(since) && (await session.loadOlder()));
  const { files } = momentOf(session.state, { kind: 'before', messageID: since });
  if (files === undefined) throw new FaultError(filesUnknown('Compare with another message.'));
  return files;
}

const NO_SNAPSHOT: Fault = {
  code: 'no-snapshot',
  what: 'No session with a turn is open, so there is nothing to compare the files with.',
  next: 'Send a prompt first.',
};

function filesUnknown(next: string): Fault {
  return { code: 'files-unknown', what: 'It is not known how the files were at that moment.', next };
}
