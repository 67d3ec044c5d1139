import { FaultError } from '../../base/fault.ts';
import { listFiles } from '../listing.ts';
import { relativeToRoot } from '../paths.ts';
import { oneLine } from '../text.ts';
import type { ToolContext } from '../tool.ts';

const SUGGESTIONS = 3;

/** The fault for an absolute `path` where nothing exists, with similar names in the same folder. */
export async function missing(context: ToolContext, path: string): Promise<FaultError> {
  const slash = path.lastIndexOf('/');
  const folder = path.slice(0, slash);
  const name = path.slice(slash + 1).toLowerCase();
  const siblings = await listFiles(context, folder).catch(() => ({ entries: [] }));
  const alike = siblings.entries
    .map((entry) => entry.name)
    .filter((other) => other.toLowerCase().includes(name) || name.includes(other.toLowerCase()))
    .slice(0, SUGGESTIONS)
    .map((other) => oneLine(`${relativeToRoot(folder)}/${other}`.replace(/^\.\//, '')));
  return new FaultError({
    code: 'not-found',
    what: `There is no file ${oneLine(relativeToRoot(path))}.`,
    ...(alike.length > 0 && { next: `Did you mean ${alike.join(' or ')}?` }),
  });
}
