/** A link that opens a recording at an address; `null` if the text is no address of a web server. */
export function linkToAddress(page: string, text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:'
    ? `${page}?recording=${encodeURIComponent(href)}`
    : null;
}
