/** The build that the page belongs to, from its meta element; empty on the development server and in tests. */
export function pageBuild(page: Document = document): string {
  return page.querySelector<HTMLMetaElement>('meta[name="vitrine-build"]')?.content ?? '';
}

/**
 * The address of a file without a hash in its name. It names the build, so that the service worker serves a page that is
 * older than itself with the page's own version.
 */
export function ownFile(address: string): string {
  const build = pageBuild();
  return build === '' ? address : `${address}?build=${build}`;
}
