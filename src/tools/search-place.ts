import { FaultError } from '../base/fault.ts';
import { inWords, placeOf } from './places.ts';
import { oneLine } from './text.ts';
import type { ToolContext } from './tool.ts';

/** The real path to search below. Throws in words for the model where nothing is, or no directory is where one must be. */
export async function searchPlace(
  context: ToolContext,
  path: string,
  kind: 'any' | 'directory',
): Promise<string> {
  const place = await placeOf(context, path);
  if (place.kind === 'output') {
    throw new FaultError({
      code: 'not-a-directory',
      what: `${oneLine(place.path)} holds kept outputs, not files of the workspace.`,
      next: 'List it with the list tool, search it with the grep tool.',
    });
  }
  const stat = await inWords(path, () => context.workspace.files.stat(place.path));
  const name = oneLine(place.title);
  if (!stat)
    throw new FaultError({
      code: 'not-found',
      what: `There is no ${kind === 'any' ? 'file or ' : ''}directory ${name}.`,
    });
  if (kind === 'directory' && stat.type !== 'directory') {
    throw new FaultError({ code: 'not-a-directory', what: `${name} is a file, not a directory.` });
  }
  return place.path;
}
