import type { Workspace } from '../../../../../workspace/workspace.ts';
import { SETTINGS_FILES } from './names.ts';
import type { SettingsFile } from './protocol.ts';

/** A file of settings that is larger is no such file. */
const MAX_BYTES = 1_000_000;

/** The settings files in the folder of the file at `path` and in those above it, up to `root`. */
export async function settingsFor(
  files: Pick<Workspace['files'], 'list' | 'read'>,
  path: string,
  root: string,
): Promise<readonly SettingsFile[]> {
  const folders: string[] = [];
  for (let at = parentOf(path); at.length >= root.length; at = parentOf(at)) folders.push(at);
  const found = await Promise.all(folders.map((folder) => settingsIn(files, folder)));
  return found.flat();
}

async function settingsIn(
  files: Pick<Workspace['files'], 'list' | 'read'>,
  folder: string,
): Promise<readonly SettingsFile[]> {
  const entries = await files.list(folder).catch(() => []);
  const named = entries.filter(({ name, type }) => type !== 'directory' && SETTINGS_FILES.has(name));
  const read = await Promise.all(
    named.map(async ({ name }) => {
      const bytes = await files.read(`${folder}/${name}`).catch(() => null);
      if (!bytes || bytes.length > MAX_BYTES) return [];
      return [{ path: `${folder}/${name}`, text: new TextDecoder().decode(bytes) }];
    }),
  );
  return read.flat();
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
