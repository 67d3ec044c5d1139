import { isInside } from '../../../protocol/paths.ts';

/** So many files are remembered for each workspace. */
const MOST = 30;

const recent = new Map<string, readonly string[]>();

/** The absolute paths of the files that were shown last in a workspace, newest first, since the page was opened. */
export function recentFiles(workspaceID: string): readonly string[] {
  return recent.get(workspaceID) ?? [];
}

export function noteRecent(workspaceID: string, path: string): void {
  const others = recentFiles(workspaceID).filter((each) => each !== path);
  recent.set(workspaceID, [path, ...others].slice(0, MOST));
}

/** Notes that the file or folder at `from` was moved to `to`. */
export function movedRecent(workspaceID: string, from: string, to: string): void {
  recent.set(
    workspaceID,
    recentFiles(workspaceID).map((path) => (isInside(path, from) ? to + path.slice(from.length) : path)),
  );
}
