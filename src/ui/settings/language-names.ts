import type { Language } from '../languages/languages.ts';

/** Each language by its own name, for whoever does not read the one that the page is in. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  ru: 'Русский',
  zh: '中文',
  ar: 'العربية',
};
