/** The languages of the page. Lessons, and what models and commands print, stay in English. */
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
