import { FaultError } from '../base/fault.ts';
import { HOME, KEPT_OUTPUTS, OWN_FILES, ROOT } from '../base/places.ts';
import { isInside } from '../workspace/paths.ts';
import { WorkspaceError } from '../workspace/workspace.ts';
import { clip, oneLine } from './text.ts';
import { ownPath, OWN_ROOT } from './own-files.ts';
import { OUTPUT_ROOT, type ToolContext } from './tool.ts';

/** Where a path that a model wrote leads. */
export type Place =
  /** In the workspace. `path` is the real absolute one, `title` relative to the root as it was named. */
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly title: string;
      /** What rules are asked about: the path as named and, where symlinks lead elsewhere, the real one. */
      readonly patterns: readonly string[];
    }
  /** Below {@link OUTPUT_ROOT}, a full output or the directory of them; or below {@link OWN_ROOT}, the person's own files. */
  | { readonly kind: 'output'; readonly path: string };

/** What can be read outside the root, and how its paths are shown; the first that fits counts. */
const OUTSIDE = [
  [KEPT_OUTPUTS, OUTPUT_ROOT],
  [OWN_FILES, OWN_ROOT],
  [`${HOME}/.opencode`, OWN_ROOT],
] as const;

/** Throws a fault in words for the model where the path leaves the workspace. */
export async function placeOf(context: ToolContext, path: string): Promise<Place> {
  const named = absolute(context.directory, path);
  for (const [folder, shown] of OUTSIDE)
    if (named === folder || named.startsWith(`${folder}/`))
      return { kind: 'output', path: shown + named.slice(folder.length) };
  // Asked with the path as written: `link/..` means something else once the dots are taken out.
  const real = await inWords(path, () =>
    context.workspace.files.resolve(expandHome(context.directory, path)),
  );
  const title = isInside(named, ROOT) ? relativeToRoot(named) : relativeToRoot(real);
  return { kind: 'file', path: real, title, patterns: [...new Set([title, relativeToRoot(real)])] };
}

/** Asked before what the app keeps, a {@link Place} of kind `output`, is read, listed or searched. */
export async function askForOutputs(context: ToolContext, path: string): Promise<void> {
  const pattern = isOwn(path) ? `${OWN_FILES}/*` : `${KEPT_OUTPUTS}/${context.sessionID}/*`;
  await context.ask({
    permission: 'external_directory',
    patterns: [pattern],
    always: [pattern],
    subject: { kind: 'path', path },
  });
}

/** Whether a path of kind `output` is among the person's own files. */
export function isOwn(path: string): boolean {
  return ownPath(path) !== undefined;
}

/** A place that can be changed. */
export async function changeablePlace(context: ToolContext, path: string): Promise<Place & { kind: 'file' }> {
  const place = await placeOf(context, path);
  if (place.kind === 'file') return place;
  throw new FaultError({
    code: 'read-only',
    what: isOwn(place.path)
      ? `${place.path} is a file of the user's own and cannot be changed from here.`
      : `${place.path} is a kept output and cannot be changed.`,
    next: `Write to a path below ${ROOT}.`,
  });
}

/** Relative to the root; the root itself is `.`. */
export function relativeToRoot(path: string): string {
  return path === ROOT ? '.' : path.startsWith(`${ROOT}/`) ? path.slice(ROOT.length + 1) : path;
}

/** The patterns a lasting yes for exactly these paths would save: none where a name would act as a wildcard. */
export function literal(paths: readonly string[]): string[] {
  return paths.filter((path) => !/[*?]/.test(path));
}

/** Runs what may fail with a {@link WorkspaceError} and words it for the model; other errors pass. */
export async function inWords<T>(path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof WorkspaceError)
      throw new FaultError(faultFor(error, oneLine(clip(path, 300))), { cause: error });
    throw error;
  }
}

function faultFor(error: WorkspaceError, path: string): { code: string; what: string; next?: string } {
  const { code } = error;
  switch (code) {
    case 'EACCES':
      return {
        code,
        what: `${path} is outside the workspace and cannot be reached.`,
        next: `Use a path below ${ROOT}, absolute or relative to it.`,
      };
    case 'ENOENT':
      return { code, what: `There is nothing at ${path}.` };
    case 'EISDIR':
      return { code, what: `${path} is a directory.` };
    case 'ENOTDIR':
      return { code, what: `Part of ${path} is a file, not a directory.` };
    case 'ELOOP':
      return { code, what: `${path} leads through symlinks in a circle.` };
    case 'EINVAL':
      return { code, what: `${path} is not a path that can be used.` };
    case 'ECHANGED':
      return {
        code,
        what: `${path} has changed or leads somewhere else now. Nothing was done.`,
        next: 'Look at it and call again.',
      };
    case 'ENOSPC':
      return {
        code,
        what: `No space is left to write ${path}; nothing was changed.`,
        next: 'Remove files that are not needed, then call again.',
      };
    case 'EGONE':
      return {
        code,
        what: 'The workspace stopped and is being started anew; nothing is known of what was under way.',
        next: 'Try again.',
      };
    default:
      return { code, what: `${path}: ${error.message}` };
  }
}

function expandHome(directory: string, path: string): string {
  if (path === '~' || path.startsWith('~/')) return HOME + path.slice(1);
  return path.startsWith('/') ? path : `${directory}/${path}`;
}

/** Absolute and without dots, by the text alone. */
function absolute(directory: string, path: string): string {
  const parts: string[] = [];
  for (const part of expandHome(directory, path).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
