/** The meaning of a pattern, for texts on the page. */
export type Meaning =
  | { readonly kind: 'anything' }
  /** Exactly this text. */
  | { readonly kind: 'exactly' }
  /** Anything that matches: the wildcards are in unusual places. */
  | { readonly kind: 'matching' }
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'ending'; readonly ending: string }
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'arguments'; readonly command: string };

const OF_FILES: ReadonlySet<string> = new Set(['edit', 'read', 'list']);
const OF_ADDRESSES: ReadonlySet<string> = new Set(['webfetch']);

/** Says what a rule with this pattern covers. */
export function meaningOf(permission: string, pattern: string): Meaning {
  if (/^\*+$/.test(pattern)) return { kind: 'anything' };
  if (!/[*?]/.test(pattern)) return { kind: 'exactly' };
  const [, before = '', after = ''] = /^([^*?]*)\*([^*?]*)$/.exec(pattern) ?? [];
  if (OF_FILES.has(permission)) {
    if (after === '' && before.endsWith('/')) return { kind: 'folder', folder: before.slice(0, -1) };
    if (before === '' && after !== '') return { kind: 'ending', ending: after };
  }
  const host = /^https?:\/\/([^/]+)\/$/.exec(before)?.[1];
  if (OF_ADDRESSES.has(permission) && after === '' && host !== undefined) return { kind: 'host', host };
  if (permission === 'bash' && after === '' && /\S $/.test(before))
    return { kind: 'arguments', command: before.trimEnd() };
  return { kind: 'matching' };
}

/** Returns patterns for everything in the folders of these files; empty if there are no folders. */
export function foldersOf(permission: string, files: readonly string[]): string[] {
  if (permission !== 'edit' || files.some((file) => /[*?]/.test(file) || !file.includes('/'))) return [];
  return [...new Set(files.map((file) => file.replace(/[^/]*$/, '*')))];
}
