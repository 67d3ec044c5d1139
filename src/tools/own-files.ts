/** Texts by path below `~/.config/opencode`: what the person keeps for every workspace. */
export type OwnFiles = Readonly<Record<string, string>>;

export const OWN_ROOT = '~/.config/opencode';

/** Where a path of the app's own leads among these files, '' to all of them; `undefined` where it leads to none. */
export function ownPath(path: string): string | undefined {
  if (path === OWN_ROOT) return '';
  return path.startsWith(`${OWN_ROOT}/`) ? path.slice(OWN_ROOT.length + 1) : undefined;
}

export interface OwnEntry {
  readonly name: string;
  readonly type: 'file' | 'directory';
  /** Bytes. */
  readonly size: number;
}

/** What is directly in a folder of them, sorted by name; '' is the top. Empty where there is no such folder. */
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
