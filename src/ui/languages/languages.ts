/** The languages of the page. What models and commands print is not translated, and of the lessons only those that have a folder for it. */
export const LANGUAGES = ['en', 'de', 'ru', 'zh', 'ar'] as const;

export type Language = (typeof LANGUAGES)[number];

/**
 * The language of this page. public/look.js chooses it before the first paint and writes it to the document: what the
 * link says, else what the person chose, else the first language of the browser that is here. English outside of a page.
 */
export function pageLanguage(): Language {
  // look.js writes only these.
  return (globalThis.document?.documentElement.lang ?? 'en') as Language;
}
