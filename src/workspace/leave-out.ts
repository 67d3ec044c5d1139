import { ROOT } from '../base/places.ts';
import { Ignored, ignoreRules, isIgnoreFile } from '../protocol/ignored.ts';
import type { ImportEntry } from './transfer.ts';

/**
 * Leaves out what the ignore files among the entries name, and what is always ignored, such as `node_modules`. An ignore
 * file that cannot be read ignores nothing.
 */
export async function withoutIgnoredEntries(
  entries: readonly ImportEntry[],
): Promise<readonly ImportEntry[]> {
  const isIgnored = ignoredBy(await ignoreTexts(entries));
  return entries.filter(({ path, type }) => !isIgnored(path, type === 'directory'));
}

/** Tells which relative paths are ignored by these ignore files. */
export function ignoredBy(
  files: readonly { readonly path: string; readonly text: string }[],
): (path: string, isDirectory: boolean) => boolean {
  const ignored = new Ignored(
    ignoreRules(files.map(({ path, text }) => ({ path: `${ROOT}/${path}`, text }))),
  );
  return (path, isDirectory) => isPlain(path) && ignored.has(`${ROOT}/${path}`, isDirectory);
}

/** Whether a relative path is that of an ignore file. */
export function namesIgnored(path: string): boolean {
  return isPlain(path) && isIgnoreFile(`${ROOT}/${path}`);
}

async function ignoreTexts(
  entries: readonly ImportEntry[],
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const texts: { path: string; text: string }[] = [];
  for (const entry of entries) {
    if (entry.type !== 'file' || !namesIgnored(entry.path)) continue;
    const bytes = await entry.read().catch(() => null);
    if (bytes) texts.push({ path: entry.path, text: new TextDecoder().decode(bytes) });
  }
  return texts;
}

/** Names that an import refuses are no business of the rules. */
function isPlain(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
