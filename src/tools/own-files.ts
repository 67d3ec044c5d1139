/** The person's own files for all workspaces: maps paths below `~/.config/opencode` to texts. */
export type OwnFiles = Readonly<Record<string, string>>;

export const OWN_ROOT = '~/.config/opencode';

/** Converts a path to one relative to {@link OWN_ROOT}, '' for the root itself; `undefined` for any other path. */
export function ownPath(path: string): string | undefined {
  if (path === OWN_ROOT) return '';
  return path.startsWith(`${OWN_ROOT}/`) ? path.slice(OWN_ROOT.length + 1) : undefined;
}

export interface OwnEntry {
  readonly name: string;
  readonly type: 'file' | 'directory';
  /** The size in bytes; 0 for directories. */
  readonly size: number;
}

/** The direct entries of a folder, sorted by name; '' is the root. Empty where there is no such folder. */
export function ownEntries(files: OwnFiles, folder: string): readonly OwnEntry[] {
  const start = folder === '' ? '' : `${folder}/`;
  const found = new Map<string, OwnEntry>();
  for (const [path, text] of Object.entries(files)) {
    if (!path.startsWith(start)) continue;
    const [name = '', ...rest] = path.slice(start.length).split('/');
    const isFile = rest.length === 0;
    const size = isFile ? new TextEncoder().encode(text).length : 0;
    found.set(name, { name, type: isFile ? 'file' : 'directory', size });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
