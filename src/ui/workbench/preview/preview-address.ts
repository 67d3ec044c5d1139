/**
 * What a frame of the page may show of a server: another site over TLS, which nothing of this page can be reached from.
 * `undefined`: nothing.
 */
export function previewAddress(url: string, page: string): string | undefined {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol !== 'https:' || address.username !== '' || address.password !== '') return undefined;
  return address.origin === new URL(page).origin ? undefined : address.href;
}
