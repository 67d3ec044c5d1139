import { fromRoot } from '../../protocol/paths.ts';
import type { Search } from '../../workspace/workspace.ts';

/** The largest number of paths that are offered; of more files, the newest. */
export const LISTED = 50_000;

/** The paths of a workspace's files from its root, newest first, without the ignored ones. */
export function listFiles(search: Search): Promise<readonly string[]> {
  return listed(search, '**');
}

/** The paths that a text names, also if they are ignored: what is in the folder, or whose whole name it is. */
export async function listNamed(search: Search, text: string): Promise<readonly string[]> {
  if (text === '' || /[*?[\]{}()!+@|\\]/.test(text)) return [];
  const slash = text.lastIndexOf('/');
  return listed(search, slash > 0 ? `${text.slice(0, slash)}/**` : `**/${text}`);
}

async function listed(search: Search, pattern: string): Promise<readonly string[]> {
  const { paths } = await search.glob({ pattern, limit: LISTED, timeoutMs: 10_000, skipIgnored: true });
  return paths.map(fromRoot);
}
