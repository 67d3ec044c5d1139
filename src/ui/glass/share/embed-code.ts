/** The HTML that shows a recording or lesson in another page. `page` is the address of the app, without search and hash. */
export function embedCode(page: string, src: string, title: string): string {
  const script = new URL('player.js', page).href;
  return `<script async src="${quoted(script)}"></script>
<vitrine-player src="${quoted(src)}" title="${quoted(title)}"></vitrine-player>
`;
}

/** Titles come from whoever made the recording, and must not end the attribute. */
function quoted(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
