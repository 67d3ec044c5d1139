import { FaultError } from '../base/fault.ts';
import type { WorkspaceChange, WorkspaceRecord } from '../workspace/registry.ts';

/** `stored` with the change, or the fault that it meets. */
export function changed(
  stored: WorkspaceRecord | undefined,
  id: string,
  change: WorkspaceChange,
): WorkspaceRecord {
  if (!stored) throw unknownWorkspace(id);
  if (stored.touched && change.kind !== undefined && change.kind !== stored.kind)
    throw new FaultError({
      code: 'workspace-touched',
      what: 'A workspace whose files were changed keeps its kind.',
      where: id,
      next: 'Make a new workspace of the other kind.',
    });
  return { ...stored, ...change };
}

export function unknownWorkspace(id: string): FaultError {
  return new FaultError({
    code: 'workspace-unknown',
    what: 'There is no such workspace.',
    where: id,
    next: 'Choose another workspace or make a new one.',
  });
}

export function takenWorkspace(id: string): FaultError {
  return new FaultError({ code: 'workspace-exists', what: 'There is such a workspace already.', where: id });
}
