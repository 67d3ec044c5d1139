import { ROOT } from '../workspace/workspace.ts';

/** A preview shows a server of the workspace, or a folder as a static site. */
export type PreviewTarget =
  | { readonly kind: 'server'; readonly port: number }
  /** `path` is absolute. */
  | { readonly kind: 'folder'; readonly path: string };

/** Returns how a page is named to people and to the agent: the address of a server's page, or the file below the workspace. */
export function addressOf(target: PreviewTarget | null, path: string): string {
  if (target?.kind === 'server') return `http://localhost:${target.port}${path}`;
  const folder = target?.path.slice(ROOT.length + 1) ?? '';
  return folder === '' ? path : `${folder}${path}`;
}

export function sameTarget(one: PreviewTarget | null, other: PreviewTarget | null): boolean {
  if (!one || !other) return one === other;
  return one.kind === 'server'
    ? other.kind === 'server' && one.port === other.port
    : other.kind === 'folder' && one.path === other.path;
}
