/** A preview shows a server of the workspace, or a folder as a static site. */
export type PreviewTarget =
  | { readonly kind: 'server'; readonly port: number }
  /** `path` is absolute. */
  | { readonly kind: 'folder'; readonly path: string };

export function sameTarget(one: PreviewTarget | null, other: PreviewTarget | null): boolean {
  if (!one || !other) return one === other;
  return one.kind === 'server'
    ? other.kind === 'server' && one.port === other.port
    : other.kind === 'folder' && one.path === other.path;
}
