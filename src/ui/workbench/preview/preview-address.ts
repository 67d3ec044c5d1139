/**
 * The address at which a frame may show a server: another origin over TLS, from which nothing of this page
 * can be reached. Returns `undefined` for any other address.
 */
export function previewAddress(url: string, page: string): string | undefined {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol !== 'https:' || address.username !== '' || address.password !== '') return undefined;
  return address.origin === new URL(page).origin ? undefined : address.href;
}
