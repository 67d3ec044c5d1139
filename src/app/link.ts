import * as z from 'zod';
import type { Fault } from '../base/fault.ts';
import type { WorkspaceKind } from '../workspace/workspace.ts';

/** The parameters of a link. A link never carries a key, answers a permission request or runs anything. */
export interface Link {
  /** Fills the composer; never sent automatically. */
  readonly prompt: string;
  readonly automation: boolean;
  /** The address of a recording to show; the hash may contain a recording itself. */
  readonly recording: string;
  /** The id of a lesson to open. */
  readonly lesson?: string;
  /** The kind of new workspaces. */
  readonly kind: WorkspaceKind | 'auto';
  /** The part of the link that the app cannot follow; the rest takes effect. */
  readonly fault?: Fault;
}

const kindSchema = z.enum(['auto', 'embedded', 'webcontainer']);

export function parseLink(search: string): Link {
  const parameters = new URLSearchParams(search);
  const automation = parameters.get('automation') === '1';
  // A test's workspace must not depend on how fast another site answers.
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
    next: `Use one of: ${kindSchema.options.join(', ')}. The default is ${kindSchema.options[0]}.`,
  };
}
