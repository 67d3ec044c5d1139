import * as z from 'zod/mini';
import type { Fault } from '../base/fault.ts';
import { LANGUAGES } from '../ui/languages/languages.ts';
import type { WorkspaceKind } from '../workspace/workspace.ts';

/** The parameters of a link. A link never carries a key, answers a permission request or runs anything. */
export interface Link {
  /** Fills the composer; never sent automatically. */
  readonly prompt: string;
  readonly automation: boolean;
  /** The address of a recording to show; the hash may contain a recording itself. */
  readonly recording: string;
  /** Whether the recording of the address begins to play by itself: whoever followed the link has already said so. */
  readonly plays?: boolean;
  /** The repository to offer; it opens only at a click. */
  readonly repository?: LinkedRepository;
  /** The agent that is chosen for the first message. */
  readonly agent?: string;
  /** The id of a lesson to open. */
  readonly lesson?: string;
  /** The page of the settings to open. */
  readonly settings?: string;
  /** The parameters with which a person comes back from signing in at OpenRouter. */
  readonly returned?: string;
  /** The kind of new workspaces. */
  readonly kind: WorkspaceKind | 'auto';
  /** The part of the link that the app cannot follow; the rest takes effect. */
  readonly fault?: Fault;
}

/** A repository of GitHub that a link names as `owner/name` or `owner/name@ref`. */
export interface LinkedRepository {
  readonly repository: string;
  /** A branch or tag. */
  readonly ref?: string;
}

const kindSchema = z.enum(['auto', 'embedded', 'webcontainer']);

export function parseLink(search: string): Link {
  const parameters = new URLSearchParams(search);
  const automation = parameters.get('automation') === '1';
  // A test's workspace must not depend on how fast another site answers.
  const kind = kindSchema.safeParse(parameters.get('workspace') ?? (automation ? 'embedded' : 'auto'));
  const lesson = parameters.get('lesson')?.slice(0, 100);
  // A person who comes back from a sign-in goes on in the settings.
  const signIn = parameters.has('sign-in');
  const settings = parameters.get('settings') ?? (signIn ? 'sign-in' : undefined);
  const repo = parameters.get('repo');
  const repository = repo === null ? undefined : repositoryIn(repo);
  const agent = parameters.get('agent')?.slice(0, 100);
  const fault = kind.success
    ? ((repo !== null && !repository ? REPO_FAULT : undefined) ??
      choiceFault(parameters, 'lang', LANGUAGES, languageIn) ??
      choiceFault(parameters, 'offline', ['on', 'off']))
    : kindFault(parameters.get('workspace') ?? '');
  return {
    prompt: parameters.get('prompt') ?? '',
    automation,
    recording: parameters.get('recording') ?? '',
    kind: kind.success ? kind.data : 'auto',
    ...(parameters.get('play') === '1' && { plays: true }),
    ...(lesson && { lesson }),
    ...(signIn && { returned: search }),
    ...(settings !== undefined && { settings }),
    ...(repository && { repository }),
    ...(agent && { agent }),
    ...(fault && { fault }),
  };
}

function repositoryIn(text: string): LinkedRepository | undefined {
  const [, repository, ref] = /^([\w-][\w.-]*\/[\w.-]+?)(?:@([\w./+-]{1,200}))?$/.exec(text) ?? [];
  return repository === undefined || /\/\.+$/.test(repository)
    ? undefined
    : { repository, ...(ref && { ref }) };
}

/** As public/look.js reads it: `de-AT` is German. */
function languageIn(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? '';
}

/** A fault if the parameter is there and has none of these values. */
function choiceFault(
  parameters: URLSearchParams,
  name: string,
  values: readonly string[],
  read = (value: string) => value,
): Fault | undefined {
  const value = parameters.get(name);
  if (value === null || values.includes(read(value))) return undefined;
  return {
    code: 'link-invalid',
    what: `The link has ${name}=${value.slice(0, 40)}, which has no effect.`,
    where: `?${name}`,
    next: `Use one of: ${values.join(', ')}.`,
  };
}

const REPO_FAULT: Fault = {
  code: 'link-invalid',
  what: 'The link does not name a repository of GitHub.',
  where: '?repo',
  next: 'Write it as owner/name or owner/name@branch.',
};

function kindFault(kind: string): Fault {
  return {
    code: 'link-invalid',
    what: `The link asks for a workspace of the kind "${kind.slice(0, 40)}", which does not exist.`,
    where: '?workspace',
    next: `Use one of: ${kindSchema.options.join(', ')}. The default is ${kindSchema.options[0]}.`,
  };
}
