import { visibilityTest } from '../protocol/visibility.ts';
import type { Entry } from '../workspace/workspace.ts';
import { ownEntries, ownPath } from './own-files.ts';
import { withModelFaults } from './paths.ts';
import { plural } from './text.ts';
import { OUTPUT_ROOT, type ToolContext } from './tool.ts';

export interface Listing {
  readonly entries: readonly (Pick<Entry, 'name' | 'type' | 'size'> & { readonly modified?: number })[];
  /** How many entries the `read` rules hide. */
  readonly hidden: number;
}

/** A note for a search without results that ignored files were not searched; '' where none were left out. */
export function ignoredNote(ignored: boolean): string {
  return ignored
    ? '(Files that .gitignore or .ignore leaves out, and folders such as node_modules, were not searched. Give the path of such a file or folder to search it.)'
    : '';
}

/** Lists the visible entries of a directory of the workspace; `path` is its real path. */
export async function listFiles(context: ToolContext, path: string): Promise<Listing> {
  const all = await withModelFaults(path, () => context.workspace.files.list(path, { real: true }));
  const isVisible = visibilityTest(context.visibility());
  const entries = all.filter((entry) => isVisible(`${path}/${entry.name}`));
  return { entries, hidden: all.length - entries.length };
}

/**
 * Lists a folder of the person's own files, or a folder below {@link OUTPUT_ROOT}: it has a directory for this session
 * with the outputs that are still kept.
 */
export function listOutputs(context: ToolContext, path: string): Listing | undefined {
  const own = ownPath(path);
  if (own !== undefined) {
    const entries = ownEntries(context.outputs.own, own);
    return entries.length > 0 || own === '' ? { entries, hidden: 0 } : undefined;
  }
  const session = `${OUTPUT_ROOT}/${context.sessionID}`;
  if (path === OUTPUT_ROOT) {
    return { entries: [{ name: context.sessionID, type: 'directory', size: 0 }], hidden: 0 };
  }
  if (path !== session) return undefined;
  const kept = context.outputs.list().filter((output) => !output.dropped);
  // The size of a file that is generated on reading is unknown.
  const generated = context.outputs.generated.map((at) => ({ path: at, bytes: 0 }));
  return {
    entries: [...kept, ...generated].map(({ path: at, bytes }) => ({
      name: at.slice(session.length + 1),
      type: 'file',
      size: bytes,
    })),
    hidden: 0,
  };
}

/** A note about what a search or listing leaves out; '' where it leaves out nothing. */
export function hiddenNote(hidden: number): string {
  return hidden === 0
    ? ''
    : `(${plural(hidden, 'file was', 'files were')} left out: reading is not allowed without asking)`;
}
