const META = '<meta name="vitrine-preview" content="" />';
const FRAMES = "frame-src 'self'";

/**
 * Names the origin of previews in the page, which frames nothing that its policy does not name. In `http://*.localhost:4174`,
 * each preview has an origin of its own in place of the star.
 */
export function withPreviewOrigin(page, origin) {
  if (!/^https?:\/\/(\*\.)?[a-z\d.-]+(:\d+)?$/.test(origin))
    throw new Error(`${origin} is not an origin for previews.`);
  if (page.split(META).length !== 2 || page.split(FRAMES).length !== 2)
    throw new Error('index.html has no empty meta element vitrine-preview, or not one frame-src.');
  return page
    .replace(META, META.replace('content=""', `content="${origin}"`))
    .replace(FRAMES, `${FRAMES} ${origin}`);
}

/**
 * The headers of every file of the preview's site. The page of the app may be isolated, and then so must be what it embeds. The
 * policy is that of the shell, because a page could take the network of a document of its origin that has none.
 */
export const PREVIEW_SITE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; frame-src 'self'; worker-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'",
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};
