import type { JsonObject } from '../../base/json.ts';
import { visibilityTest } from '../../protocol/visibility.ts';
import { ROOT } from '../../workspace/workspace.ts';
import { decodeLoosely } from '../decode.ts';
import { relativeToRoot } from '../paths.ts';
import type { ToolContext } from '../tool.ts';

/** Only the first of these that a folder has is read. Those at the root are already in the system prompt. */
const NAMES = ['AGENTS.md', 'CLAUDE.md'];
const MAX_BYTES = 64 * 1024;

export interface NestedInstructions {
  /** The text to append to the file; '' where there is nothing new. */
  readonly text: string;
  /** The paths of all instructions that this session has loaded. */
  readonly loaded: readonly string[];
}

/** The instructions in the folders between the root and a file, once per session each. `path` is real and absolute. */
export async function nestedInstructions(context: ToolContext, path: string): Promise<NestedInstructions> {
  const loadedBefore = loadedOf(context.previous('read'));
  const isVisible = visibilityTest(context.visibility());
  const texts: string[] = [];
  const loaded = [...loadedBefore];
  const folders = relativeToRoot(path).split('/').slice(0, -1);
  for (let depth = 1; depth <= folders.length; depth++) {
    const folder = `${ROOT}/${folders.slice(0, depth).join('/')}`;
    for (const name of NAMES) {
      const file = `${folder}/${name}`;
      const shown = relativeToRoot(file);
      if (file === path || loaded.includes(shown)) break;
      if (!isVisible(file)) continue;
      const stat = await context.workspace.files.stat(file).catch(() => null);
      if (stat?.type !== 'file' || stat.size > MAX_BYTES) continue;
      // A link would lead to another file, which has its own rules.
      const bytes = await context.workspace.files.read(file, { real: true }).catch(() => null);
      if (!bytes) continue;
      loaded.push(shown);
      texts.push(`Instructions from: ${shown}\n${decodeLoosely(bytes).trim()}`);
      break;
    }
  }
  const text = texts.length > 0 ? `\n\n<system-reminder>\n${texts.join('\n\n')}\n</system-reminder>` : '';
  return { text, loaded };
}

function loadedOf(metadata: JsonObject | undefined): readonly string[] {
  const loaded = metadata?.['loaded'];
  return Array.isArray(loaded) ? loaded.filter((each) => typeof each === 'string') : [];
}
