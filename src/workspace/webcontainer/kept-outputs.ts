import { HOME, OWN_FILES } from '../../base/places.ts';
import type { OutsideFiles } from '../embedded/outside.ts';
import { toBase64, type Helper } from './helper.ts';

/** Nothing in a container asks the app for a file at the time of use: they are copied in before a command that names them. */
export function namesKeptOutputs(command: string): boolean {
  return /\.opencode|\.config/.test(command);
}

/** Copies of the full outputs and of the person's own files, as they are now; what is kept no more is there no more. */
export async function layKeptOutputs(helper: Helper, outside: OutsideFiles): Promise<void> {
  for (const folder of [`${HOME}/.opencode`, OWN_FILES]) {
    const top = folder.slice(HOME.length + 1);
    const files = (await filesBelow(outside, top)).map(({ path, bytes }) => ({
      path: path.slice(top.length + 1),
      content: toBase64(bytes),
    }));
    await helper.ask('nothing', { ask: 'keep', folder, files });
  }
}

async function filesBelow(
  outside: OutsideFiles,
  path: string,
): Promise<{ readonly path: string; readonly bytes: Uint8Array }[]> {
  const entry = await outside.look(path);
  if (!entry) return [];
  if (entry.type === 'file') return [{ path, bytes: entry.bytes }];
  const below = entry.entries.map(({ name }) => filesBelow(outside, `${path}/${name}`));
  return (await Promise.all(below)).flat();
}
