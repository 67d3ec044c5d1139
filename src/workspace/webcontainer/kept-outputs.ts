import { HOME, OWN_FILES } from '../../base/places.ts';
import type { OutsideFiles } from '../embedded/outside.ts';
import { toBase64, type Helper } from './helper.ts';

/** Whether a command may use files that the app stores. They are copied in before it, because they cannot be fetched on use. */
export function namesKeptOutputs(command: string): boolean {
  return /\.opencode|\.config/.test(command);
}

/** Copies the full outputs and the person's own files into the container, replacing earlier copies. */
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
