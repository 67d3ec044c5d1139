import type { FileWord } from '../../permissions/shell/analyse.ts';
import { ROOT } from '../../base/places.ts';
import { visibilityTest } from '../../protocol/visibility.ts';
import { relativeToRoot } from '../paths.ts';
import type { ToolContext } from '../tool.ts';

const GLOB_LIMIT = 1000;
const GLOB_TIMEOUT_MS = 5000;

/**
 * The hidden files that a command names, plainly or by a glob, relative to the root and without duplicates. Files that a
 * command finds by itself, as `grep -r` does, are not included: the workspace hides those.
 */
export async function hiddenFiles(
  context: ToolContext,
  words: readonly FileWord[],
  directory: string,
): Promise<string[]> {
  const visibility = context.visibility();
  const isVisible = visibilityTest(visibility);
  const { files, search } = context.workspace;
  const found = new Set<string>();
  for (const { text, glob, stored } of words) {
    if (stored) {
      // Which of the folders above is the top of the repository is not known; the file may be gone from it.
      for (const folder of foldersFrom(directory)) {
        const path = await files.resolve(text.startsWith('/') ? text : `${folder}/${text}`).catch(() => null);
        if (path !== null && !isVisible(path)) found.add(relativeToRoot(path));
      }
      continue;
    }
    // Options may contain a path: `--file=.env`, `-f.env`.
    for (const name of new Set([text, text.replace(/^[^=]*=/, ''), text.replace(/^-\w/, '')])) {
      if (glob) {
        const query = {
          pattern: name.replace(/^\.\//, ''),
          path: directory,
          limit: GLOB_LIMIT,
          timeoutMs: GLOB_TIMEOUT_MS,
        };
        const { paths } = await search.glob(query).catch(() => ({ paths: [] }));
        // The search also looks in subdirectories, the shell's `*` does not.
        const depth = `${directory}/${query.pattern}`.split('/').length;
        for (const path of paths) {
          if (!isVisible(path) && path.split('/').length === depth) found.add(relativeToRoot(path));
        }
        continue;
      }
      const path = await files
        .resolve(name.startsWith('/') ? name : `${directory}/${name}`)
        .catch(() => null);
      if (path === null || isVisible(path)) continue;
      const stat = await files.stat(path).catch(() => null);
      if (stat?.type === 'file') found.add(relativeToRoot(path));
    }
  }
  return [...found];
}

/** A folder and those above it in the workspace. */
function foldersFrom(directory: string): string[] {
  const folders: string[] = [];
  for (let at = directory; at.startsWith(ROOT); at = at.slice(0, at.lastIndexOf('/'))) folders.push(at);
  return folders;
}
