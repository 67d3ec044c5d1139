import type { FileWord } from '../../permissions/shell/analyse.ts';
import { visibilityTest } from '../../workspace/visibility.ts';
import { relativeToRoot } from '../places.ts';
import type { ToolContext } from '../tool.ts';

const GLOB_LIMIT = 1000;
const GLOB_TIMEOUT_MS = 5000;

/**
 * Files that a command names, plainly or by a glob, and that the `read` rules do not show: relative to the root, each
 * once. What a command finds by itself, such as `grep -r`, is not among them: the workspace keeps that from it.
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
  for (const { text, glob } of words) {
    // Options may carry a path: `--file=.env`, `-f.env`.
    for (const name of new Set([text, text.replace(/^[^=]*=/, ''), text.replace(/^-\w/, '')])) {
      if (glob) {
        const query = {
          pattern: name.replace(/^\.\//, ''),
          path: directory,
          limit: GLOB_LIMIT,
          timeoutMs: GLOB_TIMEOUT_MS,
        };
        const { paths } = await search.glob(query).catch(() => ({ paths: [] }));
        // The search looks below the directory too, the shell's `*` does not.
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
