import { FaultError } from '../base/fault.ts';
import { withModelFaults, resolvePath } from './paths.ts';
import { oneLine } from './text.ts';
import type { ToolContext } from './tool.ts';

/** The real path to search below. Throws a fault for the model where nothing exists, or a directory is needed and missing. */
export async function resolveSearchPath(
  context: ToolContext,
  path: string,
  kind: 'any' | 'directory',
): Promise<string> {
  const resolved = await resolvePath(context, path);
  if (resolved.kind === 'output') {
    throw new FaultError({
      code: 'not-a-directory',
      what: `${oneLine(resolved.path)} holds kept outputs, not files of the workspace.`,
      next: 'List it with the list tool, search it with the grep tool.',
    });
  }
  const stat = await withModelFaults(path, () => context.workspace.files.stat(resolved.path));
  const name = oneLine(resolved.title);
  if (!stat)
    throw new FaultError({
      code: 'not-found',
      what: `There is no ${kind === 'any' ? 'file or ' : ''}directory ${name}.`,
    });
  if (kind === 'directory' && stat.type !== 'directory') {
    throw new FaultError({ code: 'not-a-directory', what: `${name} is a file, not a directory.` });
  }
  return resolved.path;
}
