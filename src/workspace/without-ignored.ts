import type { Hash } from '../base/hash.ts';
import { Ignored, ignoreRules, isIgnoreFile } from '../protocol/ignored.ts';
import { ROOT, type SnapshotEntry } from './workspace.ts';

/** Replaces each ignored file or folder, and everything below it, with one entry of the type `ignored`. */
export async function withoutIgnored(
  entries: readonly SnapshotEntry[],
  contents: (hashes: readonly Hash[]) => Promise<readonly Uint8Array[]>,
): Promise<readonly SnapshotEntry[]> {
  const files = entries.flatMap((entry) =>
    entry.type === 'file' && isIgnoreFile(`${ROOT}/${entry.path}`) ? entry : [],
  );
  const read = await contents(files.map(({ hash }) => hash));
  const texts = files.map(({ path }, index) => ({
    path: `${ROOT}/${path}`,
    text: new TextDecoder().decode(read[index]),
  }));
  const ignored = new Ignored(ignoreRules(texts));
  return entries.flatMap((entry): readonly SnapshotEntry[] => {
    const path = `${ROOT}/${entry.path}`;
    if (!ignored.has(path, entry.type === 'directory')) return [entry];
    const isBelow = ignored.has(path.slice(0, path.lastIndexOf('/')), true);
    return isBelow ? [] : [{ path: entry.path, type: 'ignored' }];
  });
}
