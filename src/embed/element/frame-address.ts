/** Neither the app's storage nor the page around it: `allow-same-origin` is left out. Links open in a tab that is no part of the frame. */
export const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox';

/** The attributes of the element that decide what its frame shows. */
export interface PlayerAttributes {
  readonly src: string;
  readonly step?: string | null;
  readonly call?: string | null;
  readonly theme?: string | null;
  readonly lang?: string | null;
}

/**
 * The address of the frame. `site` is the folder that the script came from, `page` the address of the page that embeds.
 * `src` is the address of a recording's file, or a link of the app to a recording or lesson, with or without what is before `#`
 * or `?`. `null` where it is none of these.
 */
export function frameAddress(site: string, page: string, attributes: PlayerAttributes): string | null {
  const { src, ...others } = attributes;
  const frame = new URL('embed.html', site);
  const link = linkIn(src.trim(), site);
  if (link) {
    for (const name of ['recording', 'lesson'])
      if (link.searchParams.has(name)) frame.searchParams.set(name, link.searchParams.get(name) ?? '');
    frame.hash = link.hash;
  } else {
    if (src.trim() === '' || !URL.canParse(src, page)) return null;
    frame.searchParams.set('recording', new URL(src, page).href);
  }
  for (const [name, value] of Object.entries(others)) if (value) frame.searchParams.set(name, value);
  return frame.href;
}

/** The address as a link of the app at `site`, if it is one. */
function linkIn(src: string, site: string): URL | undefined {
  if (/^#(?:recording|lesson)=/.test(src) || /^\?(?:recording|lesson)=/.test(src)) return new URL(src, site);
  if (!URL.canParse(src)) return undefined;
  const url = new URL(src);
  const folder = url.origin + url.pathname.replace(/(?:index|embed)\.html$/, '');
  return folder === site ? url : undefined;
}
