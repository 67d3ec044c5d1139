import type { Plugin } from 'vite';

const BUILT = "style-src 'self';";

/** Allows inline styles in dev, where Vite puts edited sheets into the page. The built page allows none. */
export function inlineStylesInDev(): Plugin {
  return {
    name: 'vitrine:inline-styles-in-dev',
    apply: 'serve',
    transformIndexHtml: (html) => html.replace(BUILT, "style-src 'self' 'unsafe-inline';"),
  };
}
