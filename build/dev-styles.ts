import type { Plugin } from 'vite';

const BUILT = "style-src 'self';";

/** Vite's dev server writes each sheet into the page as it is edited; the built page has none inline and allows none. */
export function inlineStylesInDev(): Plugin {
  return {
    name: 'vitrine:inline-styles-in-dev',
    apply: 'serve',
    transformIndexHtml: (html) => html.replace(BUILT, "style-src 'self' 'unsafe-inline';"),
  };
}
