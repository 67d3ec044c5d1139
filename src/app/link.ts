import * as z from 'zod';
import type { Fault } from '../base/fault.ts';
import type { WorkspaceKind } from '../workspace/workspace.ts';

/** What a link may say. It never carries a key, answers a permission or runs anything. */
export interface Link {
  /** Fills the composer; never sent by itself. */
  readonly prompt: string;
  readonly automation: boolean;
  /** The address of a recording to show; the hash may hold one itself. */
  readonly recording: string;
  /** Id of a lesson to open. */
  readonly lesson?: string;
  /** Of new workspaces. */
  readonly kind: WorkspaceKind | 'auto';
  /** Why the link cannot be followed to the letter; the app goes on without. */
  readonly fault?: Fault;
}

const kindSchema = z.enum(['auto', 'embedded', 'webcontainer']);

export function parseLink(search: string): Link {
  const parameters = new URLSearchParams(search);
  const automation = parameters.get('automation') === '1';
  // What a test runs in must not depend on how fast another site answers.
  const kind = kindSchema.safeParse(parameters.get('workspace') ?? (automation ? 'embedded' : 'auto'));
  const lesson = parameters.get('lesson')?.slice(0, 100);
  return {
    prompt: parameters.get('prompt') ?? '',
    automation,
    recording: parameters.get('recording') ?? '',
    kind: kind.success ? kind.data : 'auto',
    ...(lesson && { lesson }),
    ...(!kind.success && { fault: kindFault(parameters.get('workspace') ?? '') }),
  };
}

function kindFault(kind: string): Fault {
  return {
    code: 'link-invalid',
    what: `The link asks for a workspace of the kind "${kind.slice(0, 40)}", which does not exist.`,
    where: '?workspace',
    next: `Use one of: ${kindSchema.options.join(', ')}. Until then it is ${kindSchema.options[0]}.`,
  };
}
