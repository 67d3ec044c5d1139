import * as z from 'zod';
import type { Fault } from '../base/fault.ts';

/** What a link may say. It never carries a key, answers a permission or runs anything. */
export interface Link {
  /** Fills the composer; never sent by itself. */
  readonly prompt: string;
  readonly automation: boolean;
  /** Why the link cannot be followed to the letter; the app goes on without. */
  readonly fault?: Fault;
}

const kindSchema = z.enum(['auto', 'embedded', 'webcontainer']);

export function parseLink(search: string): Link {
  const parameters = new URLSearchParams(search);
  const fault = kindFault(parameters.get('workspace'));
  return {
    prompt: parameters.get('prompt') ?? '',
    automation: parameters.get('automation') === '1',
    ...(fault && { fault }),
  };
}

function kindFault(kind: string | null): Fault | undefined {
  if (kind === null) return undefined;
  const parsed = kindSchema.safeParse(kind);
  if (!parsed.success)
    return {
      code: 'link-invalid',
      what: `The link asks for a workspace of the kind "${kind.slice(0, 40)}", which does not exist.`,
      where: '?workspace',
      next: `Use one of: ${kindSchema.options.join(', ')}. Until then it is the embedded one.`,
    };
  return parsed.data === 'webcontainer' ? KIND_UNAVAILABLE : undefined;
}

export const KIND_UNAVAILABLE: Fault = {
  code: 'kind-unavailable',
  what: 'WebContainer workspaces are not there yet.',
  next: 'The embedded workspace is used instead.',
};
