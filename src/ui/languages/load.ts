import type { Catalogue } from './catalogue.ts';
import { pageLanguage, type Language } from './languages.ts';
import { useCatalogue } from './messages.ts';

const catalogues: {
  readonly [Tag in Exclude<Language, 'en'>]: () => Promise<{ readonly default: Catalogue }>;
} = {
  de: () => import('./de/catalogue.ts'),
  ru: () => import('./ru/catalogue.ts'),
  zh: () => import('./zh/catalogue.ts'),
  ar: () => import('./ar/catalogue.ts'),
};

/** Brings the texts in the page's language, before anything is shown. A catalogue that cannot be loaded leaves the page in English. */
export async function loadLanguage(): Promise<void> {
  const language = pageLanguage();
  if (language === 'en') return;
  const loaded = await catalogues[language]().catch(() => undefined);
  if (loaded) useCatalogue(loaded.default);
}
