import { FaultError } from '../base/fault.ts';
import { HOME, KEPT_OUTPUTS, OWN_FILES, ROOT } from '../base/places.ts';
import { isInside } from '../protocol/paths.ts';
import { WorkspaceError } from '../workspace/workspace.ts';
import { clip, oneLine } from './text.ts';
import { ownPath, OWN_ROOT } from './own-files.ts';
import { OUTPUT_ROOT, type ToolContext } from './tool.ts';

/** A path from a model, resolved. */
export type ResolvedPath =
  /** A path in the workspace. `path` is real and absolute; `title` is relative to the root, as the model named it. */
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly title: string;
      /** The paths that rules are checked for: the named one and, where symlinks lead elsewhere, the real one. */
      readonly patterns: readonly string[];
    }
  /** A full output or directory below {@link OUTPUT_ROOT}, or one of the person's own files below {@link OWN_ROOT}. */
  | { readonly kind: 'output'; readonly path: string };

/** Folders outside the root that can be read, each with the path that is shown for it. The first match counts. */
const OUTSIDE_ROOT = [
  [KEPT_OUTPUTS, OUTPUT_ROOT],
  [OWN_FILES, OWN_ROOT],
  [`${HOME}/.opencode`, OWN_ROOT],
] as const;

/** Throws a fault for the model where the path leaves the workspace. */
export async function resolvePath(context: ToolContext, path: string): Promise<ResolvedPath> {
  const named = absolute(context.directory, path);
  for (const [folder, shown] of OUTSIDE_ROOT)
    if (named === folder || named.startsWith(`${folder}/`))
      return { kind: 'output', path: shown + named.slice(folder.length) };
  // Resolved as written: removing the dots from `link/..` would change its meaning.
  const real = await withModelFaults(path, () =>
    context.workspace.files.resolve(expandHome(context.directory, path)),
  );
  const title = isInside(named, ROOT) ? relativeToRoot(named) : relativeToRoot(real);
  return { kind: 'file', path: real, title, patterns: [...new Set([title, relativeToRoot(real)])] };
}

/** Asks permission before a {@link ResolvedPath} of kind `output` is read, listed or searched. */
export async function askForOutputs(context: ToolContext, path: string): Promise<void> {
  const pattern = isOwn(path) ? `${OWN_FILES}/*` : `${KEPT_OUTPUTS}/${context.sessionID}/*`;
  await context.ask({
    permission: 'external_directory',
    patterns: [pattern],
    always: [pattern],
    subject: { kind: 'path', path },
  });
}

/** Whether a path of kind `output` belongs to the person's own files. */
export function isOwn(path: string): boolean {
  return ownPath(path) !== undefined;
}

/** Resolves a path that is to be changed; throws where it is outside the workspace. */
export async function resolveWritable(
  context: ToolContext,
  path: string,
): Promise<ResolvedPath & { kind: 'file' }> {
  const resolved = await resolvePath(context, path);
  if (resolved.kind === 'file') return resolved;
  throw new FaultError({
    code: 'read-only',
    what: isOwn(resolved.path)
      ? `${resolved.path} is a file of the user's own and cannot be changed from here.`
      : `${resolved.path} is a kept output and cannot be changed.`,
    next: `Write to a path below ${ROOT}.`,
  });
}

/** Converts a path to one relative to the root; the root itself is `.`. */
export function relativeToRoot(path: string): string {
  return path === ROOT ? '.' : path.startsWith(`${ROOT}/`) ? path.slice(ROOT.length + 1) : path;
}

/** The patterns that "Always" may save for these paths; leaves out names that would act as wildcards. */
export function literal(paths: readonly string[]): string[] {
  return paths.filter((path) => !/[*?]/.test(path));
}

/** Converts a {@link WorkspaceError} of `run` into a fault for the model; other errors pass. */
export async function withModelFaults<T>(path: string, run: () => Promise<T>): Promise<T> {
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
        what: 'The workspace stopped and is being restarted. It is unknown whether the operation finished.',
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

/** Makes a path absolute and removes its dots, by the text alone. */
function absolute(directory: string, path: string): string {
  const parts: string[] = [];
  for (const part of expandHome(directory, path).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
