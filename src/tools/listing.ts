import { visibilityTest } from '../workspace/visibility.ts';
import type { Entry } from '../workspace/workspace.ts';
import { ownEntries, ownPath } from './own-files.ts';
import { inWords } from './places.ts';
import { plural } from './text.ts';
import { OUTPUT_ROOT, type ToolContext } from './tool.ts';

export interface Listing {
  readonly entries: readonly (Pick<Entry, 'name' | 'type' | 'size'> & { readonly modified?: number })[];
  /** How many the `read` rules hide. */
  readonly hidden: number;
}

/** What may be seen of a directory of the workspace; `path` is its real one. */
export async function listFiles(context: ToolContext, path: string): Promise<Listing> {
  const all = await inWords(path, () => context.workspace.files.list(path, { real: true }));
  const isVisible = visibilityTest(context.visibility());
  const entries = all.filter((entry) => isVisible(`${path}/${entry.name}`));
  return { entries, hidden: all.length - entries.length };
}

/**
 * What is below {@link OUTPUT_ROOT}, the directory of this session, and in it the outputs that are still kept; or a
 * folder of the person's own files.
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
  // Nobody knows the size of what is made when it is read; such files show none.
  const made = context.outputs.made.map((at) => ({ path: at, bytes: 0 }));
  return {
    entries: [...kept, ...made].map(({ path: at, bytes }) => ({
      name: at.slice(session.length + 1),
      type: 'file',
      size: bytes,
    })),
    hidden: 0,
  };
}

/** What a search or listing leaves out; '' where nothing is. */
export function hiddenNote(hidden: number): string {
  return hidden === 0
    ? ''
    : `(${plural(hidden, 'file was', 'files were')} left out: reading is not allowed without asking)`;
}
