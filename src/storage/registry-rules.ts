import { FaultError } from '../base/fault.ts';
import type { WorkspaceChange, WorkspaceRecord } from '../workspace/registry.ts';

/** Applies the change to `stored`, or throws a fault if it is not allowed. */
export function withChange(
  stored: WorkspaceRecord | undefined,
  id: string,
  change: WorkspaceChange,
): WorkspaceRecord {
  if (!stored) throw unknownWorkspace(id);
  if (stored.touched && change.kind !== undefined && change.kind !== stored.kind)
    throw new FaultError({
      code: 'workspace-touched',
      what: 'The kind of a workspace cannot change once its files were changed.',
      where: id,
      next: 'Create a new workspace of the other kind.',
    });
  return { ...stored, ...change };
}

export function unknownWorkspace(id: string): FaultError {
  return new FaultError({
    code: 'workspace-unknown',
    what: 'There is no such workspace.',
    where: id,
    next: 'Choose another workspace or create a new one.',
  });
}

export function takenWorkspace(id: string): FaultError {
  return new FaultError({ code: 'workspace-exists', what: 'This workspace already exists.', where: id });
}
