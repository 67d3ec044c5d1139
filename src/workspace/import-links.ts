import type { Fault } from '../base/fault.ts';
import type { CreatedPaths } from './created-paths.ts';
import { leadsOut, staysInside } from './links.ts';
import type { ImportEntry } from './transfer.ts';
import { ROOT, type Workspace } from './workspace.ts';

/** Refuses what would be written through a link of the same import. `links` has the paths of all of these. */
export function refusedThroughLink({ path }: ImportEntry, links: ReadonlySet<string>): Fault | null {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
    if (links.has(path.slice(0, at)))
      return { code: 'import-link', what: 'Its folder is a link that comes with it.', where: path };
  return null;
}

/** Makes a link, once everything else of an import is there. */
export async function importLink(
  workspace: Workspace,
  { link, path, target }: { readonly link: ImportEntry; readonly path: string; readonly target: string },
  isReplacing: boolean,
  created: CreatedPaths,
): Promise<'written' | 'kept' | Fault> {
  if (!staysInside(path, target, ROOT)) return leadingOut(link);
  const { files } = workspace;
  const present = await files.readLink(path);
  if (present === target) return 'written';
  const stat = present === null ? await files.stat(path) : null;
  if (stat?.type === 'directory')
    return { code: 'import-refused', what: 'A folder with this name already exists.', where: link.path };
  const isThere = present !== null || stat !== null;
  if (isThere && !isReplacing) return 'kept';
  const before = present ?? (stat ? await files.read(path) : null);
  if (isThere) await files.remove(path);
  created.linked(path, target, before);
  await files.makeLink(path, target);
  return 'written';
}

/** Takes back the links that lead out of the workspace through other links, which only shows once all are made. */
export async function takeBackLeadingOut(
  workspace: Workspace,
  links: ReadonlyMap<string, ImportEntry>,
  created: CreatedPaths,
): Promise<readonly Fault[]> {
  const refused: Fault[] = [];
  for (const [path, link] of links) {
    if (!(await leadsOut(workspace, path, ROOT))) continue;
    await created.takeBackLink(path);
    refused.push(leadingOut(link));
  }
  return refused;
}

function leadingOut({ path }: ImportEntry): Fault {
  return { code: 'import-link', what: 'It is a link that leads out of the workspace.', where: path };
}
