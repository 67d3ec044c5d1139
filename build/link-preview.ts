import type { Plugin } from 'vite';

/** The picture's place in index.html, and in the built folder. */
const PICTURE = './link-preview.png';

/**
 * Messengers that preview a link want the whole address of its picture, which only whoever hosts the site knows: VITRINE_SITE
 * names it. Without it the address stays relative, which some of them follow.
 */
export function linkPreview(): Plugin {
  const site = process.env['VITRINE_SITE'];
  return {
    name: 'vitrine:link-preview',
    apply: 'build',
    transformIndexHtml: { order: 'pre', handler: (page) => (site ? withSite(page, site) : page) },
  };
}

/** The page with the address of its picture and its own. Throws if `site` is no address, or the page names no picture. */
export function withSite(page: string, site: string): string {
  if (!URL.canParse(site) || !/^https?:$/.test(new URL(site).protocol))
    throw new Error(`VITRINE_SITE is ${site}, and not an address such as https://vitrine.example/.`);
  const home = new URL(site.endsWith('/') ? site : `${site}/`);
  const named = `content="${PICTURE}"`;
  if (!page.includes(named)) throw new Error(`index.html has no meta element with ${named}.`);
  return page
    .replaceAll(named, `content="${new URL(PICTURE, home).href}"`)
    .replace(
      '<meta property="og:type"',
      `<meta property="og:url" content="${home.href}" />\n    <meta property="og:type"`,
    );
}
